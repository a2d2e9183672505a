//! Running other programs, and where things lie.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

/// How a command ended; the numbers are the exit statuses that users see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// 0: done.
    Done,
    /// 1: the answer to a check is negative.
    Negative,
    /// 2: bad arguments or bad input.
    BadInput,
    /// Another program's own status.
    Code(u8),
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Done => 0,
            Status::Negative => 1,
            Status::BadInput => 2,
            Status::Code(code) => code,
        })
    }
}

/// The workspace's root.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Cargo's target directory: the one this runner was built into.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let exe = std::env::current_exe().context("cannot find this runner's own file")?;
    let target = exe.parent().and_then(Path::parent);
    Ok(target.context("this runner does not lie in a target directory")?.to_owned())
}

/// The cargo that runs this runner, in the workspace's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Whether this runs in continuous integration, where a skip is a failure.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Whether a program of this name is on the path.
pub(crate) fn have(program: &str) -> bool {
    let Some(path) = std::env::var_os("PATH") else { return false };
    std::env::split_paths(&path)
        .any(|dir| dir.join(program).is_file() || dir.join(format!("{program}.exe")).is_file())
}

/// Prints the command, runs it, and fails if it does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    eprintln!("$ {shown}");
    let status = command.status().with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        bail!("{shown} failed: {status}");
    }
    Ok(())
}

fn show(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let mut text = program.to_string_lossy().into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}

/// The cargo of the nightly toolchain, where rustup has one.
pub(crate) fn nightly() -> Option<Command> {
    let quiet = |command: &mut Command| command.output().is_ok_and(|out| out.status.success());
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]);
    quiet(Command::new("rustup").args(["run", "nightly", "rustc", "--version"])).then_some(command)
}

/// The triple of this machine, as the compiler names it.
pub(crate) fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc does not name its host")?.to_owned())
}
