//! The C interface: header against library, and the C example on this machine and on a board.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::boards::Board;
use super::build::{run, workspace};
use super::toolchain::Toolchain;
use super::{elf, emulator, header};
use crate::process::{cargo, have, target_dir};

const LIMIT: Duration = Duration::from_secs(120);
/// The board of which the example has a linker script.
pub(crate) const BOARD: &str = "lm3s6965evb";

fn capi() -> PathBuf {
    workspace().join("capi")
}

/// Builds and runs the example here and on the board; what is wrong.
pub(crate) fn check(board: &Board) -> Result<Vec<String>> {
    header::check(&capi())?;
    let mut tests = cargo();
    tests.current_dir(workspace()).args([
        "test",
        "--quiet",
        "--locked",
        "--package=crownhead-capi",
    ]);
    tests.arg("--target-dir").arg(target_dir()?.join("firmware"));
    crate::process::run(&mut tests)?;
    let mut wrong = Vec::new();
    for (place, said) in [("here", on_host()), ("on the board", on_board(board))] {
        let golden = capi().join("examples/endgame.out");
        let want = std::fs::read_to_string(&golden)?;
        match said {
            Ok(said) if said == want => {}
            Ok(said) => wrong.push(format!("the C example {place} said {said:?}, not {want:?}")),
            Err(error) => wrong.push(format!("the C example {place}: {error:#}")),
        }
    }
    Ok(wrong)
}

/// The image as a C file, since linkers agree on little else.
fn image_source() -> Result<PathBuf> {
    let image = elf::read(&workspace().join("../table/images/3.img"))?;
    let mut text = "const unsigned char image[] = {".to_owned();
    for byte in image {
        write!(text, "{byte},")?;
    }
    text += "};\nconst unsigned image_bytes = sizeof image;\n";
    let dir = target_dir()?.join("firmware").join("capi");
    std::fs::create_dir_all(&dir)?;
    let path = dir.join("image.c");
    std::fs::write(&path, text)?;
    Ok(path)
}

/// Builds the static library with a command that has its target.
fn library(mut command: Command, target: &str) -> Result<PathBuf> {
    let dir = target_dir()?.join("firmware");
    command.current_dir(workspace()).args(["--quiet", "--locked", "--package", "crownhead-capi"]);
    command.arg("--target-dir").arg(&dir);
    run(&mut command, &format!("C on {target}"))?;
    Ok(dir.join(target).join("release").join("libcrownhead.a"))
}

fn compile(compiler: &str, flags: &[&str], sources: &[&Path], output: &Path) -> Result<()> {
    ensure!(have(compiler), "no {compiler}; cargo xtask setup firmware installs it");
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"]).args(flags);
    command.arg("-I").arg(capi().join("include")).args(sources).arg("-o").arg(output);
    let out = command.output().with_context(|| format!("cannot start {compiler}"))?;
    if !out.status.success() {
        bail!("{compiler} fails:\n{}", String::from_utf8_lossy(&out.stderr));
    }
    Ok(())
}

/// What the example says on this machine.
fn on_host() -> Result<String> {
    let target = host()?;
    let mut command = cargo();
    command.args(["build", "--release", "--target", &target]);
    let library = library(command, &target)?;
    let program = image_source()?.with_file_name("endgame");
    let example = capi().join("examples/endgame.c");
    compile("gcc", &[], &[&example, &image_source()?, &library], &program)?;
    compile("gcc", &["-c"], &[&capi().join("examples/link.c")], &program.with_file_name("link.o"))?;
    let out = Command::new(&program).output().context("cannot start the example")?;
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    ensure!(out.status.success(), "it ended with {}: {said}", out.status);
    Ok(said)
}

/// What it says on a board in the emulator.
fn on_board(board: &Board) -> Result<String> {
    let library =
        library(Toolchain::find(board.target)?.build(board.target, "core"), board.target)?;
    let image = image_source()?;
    let program = image.with_file_name("endgame.elf");
    let examples = capi().join("examples");
    let script = examples.join("cortex-m.ld");
    let flags = ["-mcpu=cortex-m3", "-mthumb", "--specs=rdimon.specs", "-nostartfiles", "-T"];
    let script = script.to_str().context("the path is no text")?;
    let flags: Vec<&str> = flags.into_iter().chain([script]).collect();
    let sources = [&*examples.join("endgame.c"), &*examples.join("cortex-m.c"), &*image, &*library];
    compile("arm-none-eabi-gcc", &flags, &sources, &program)?;
    let run = emulator::run(board, &program, "", LIMIT)?;
    ensure!(run.status == Some(0), "it ended as {run:?}");
    Ok(run.output)
}

/// The target of the compiler's own machine.
fn host() -> Result<String> {
    let out = Command::new("rustc").args(["--print", "host-tuple"]).output();
    let out = out.context("cannot start rustc")?;
    let host = String::from_utf8(out.stdout)?.trim().to_owned();
    ensure!(!host.is_empty(), "rustc does not name its host");
    Ok(host)
}
