//! Clippy on the firmware's workspace, which the main workspace's lints do not reach.

use anyhow::Result;

use super::boards::{BOARDS, Board};
use super::build::{run, workspace};
use super::toolchain::Toolchain;
use crate::process::{cargo, target_dir};

/// One target of either family; its boards have all consoles but those of two real boards.
const TARGETS: [&str; 2] = ["thumbv6m-none-eabi", "riscv32imac-unknown-none-elf"];

/// The C interface as the host has it, then everything for each of the targets' boards.
///
/// # Errors
///
/// On the first warning.
pub(crate) fn check() -> Result<()> {
    clippy(&["--package", "crownhead-capi"], "the host")?;
    let mut boards = 0;
    for board in BOARDS.iter().filter(|board| TARGETS.contains(&board.target)) {
        boards += usize::from(lint(board)?);
    }
    eprintln!("clippy finds nothing in the firmware for the host and {boards} boards");
    Ok(())
}

/// Whether the board could be checked: clippy comes with rustup, and so must its `core`.
fn lint(board: &Board) -> Result<bool> {
    if Toolchain::find(board.target)? != Toolchain::Rustup {
        eprintln!("{}: no clippy for {} with core from source", board.name, board.target);
        return Ok(false);
    }
    let args = ["--workspace", "--lib", "--bins", "--examples", "--features", board.name];
    clippy(&[&args[..], &["--target", board.target]].concat(), board.name)?;
    Ok(true)
}

fn clippy(args: &[&str], what: &str) -> Result<()> {
    let mut command = cargo();
    // The release profile aborts on a panic, without which the C interface does not compile.
    command.current_dir(workspace()).args(["clippy", "--quiet", "--locked", "--release"]);
    command.arg("--target-dir").arg(target_dir()?.join("firmware-check")).args(args);
    run(command.args(["--", "-D", "warnings"]), what)
}
