//! Builds the `crownhead` binary and runs a user command through it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{Status, cargo, root, target_dir};

/// Builds what the command needs, runs it, and passes its exit status on.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    let binary = build(needs_gpu(args))?;
    let mut command = Command::new(&binary);
    command.args(args).env("CROWNHEAD_INVOKED_AS", "cargo xtask");
    if std::env::var_os("CROWNHEAD_TABLES").is_none() {
        command.env("CROWNHEAD_TABLES", root().join("tables"));
    }
    pass_through(command)
}

/// Builds the binary in release mode; where it is.
pub(crate) fn build(gpu: bool) -> Result<PathBuf> {
    let binary =
        target_dir()?.join("release").join(format!("crownhead{}", std::env::consts::EXE_SUFFIX));
    let mut build = cargo();
    build.args(["build", "--release", "--package", "crownhead"]);
    if gpu {
        build.args(["--features", "gpu"]);
    }
    if binary.exists() {
        // Only the first build takes long enough for its progress to be worth showing.
        build.arg("--quiet");
    } else {
        eprintln!("xtask: building crownhead (once)");
    }
    if !build.status().context("cannot start cargo")?.success() {
        bail!("crownhead does not build");
    }
    Ok(binary)
}

/// Whether the command needs the wgpu backend compiled in.
fn needs_gpu(args: &[String]) -> bool {
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    match args.first().map(String::as_str) {
        Some("crosscheck") => !has("--no-gpu"),
        Some("doctor" | "gpu-report") => true,
        _ => has("--gpu"),
    }
}

/// Becomes the command, so that signals and the exit status are its own.
#[cfg(unix)]
fn pass_through(mut command: Command) -> Result<Status> {
    use std::os::unix::process::CommandExt;
    Err(command.exec()).context("cannot start crownhead")
}

#[cfg(not(unix))]
fn pass_through(mut command: Command) -> Result<Status> {
    let status = command.status().context("cannot start crownhead")?;
    Ok(Status::Code(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

#[cfg(test)]
mod tests {
    use super::needs_gpu;

    #[test]
    fn gpu_code_is_compiled_only_on_demand() {
        let args = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for text in ["solve", "solve --pieces 5", "crosscheck --no-gpu", "probe W:W1:B2"] {
            assert!(!needs_gpu(&args(text)), "{text}");
        }
        for text in ["solve --gpu", "crosscheck", "doctor", "gpu-report", "graph g.txt --gpu"] {
            assert!(needs_gpu(&args(text)), "{text}");
        }
    }
}
