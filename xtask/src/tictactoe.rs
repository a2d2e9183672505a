//! `cargo xtask tictactoe-optimise`: searches for a shorter chain for tic-tac-toe.

use anyhow::Result;

use crate::process::{Status, cargo};

/// Runs the search, a program of the tic-tac-toe crate, with these arguments and passes its status on.
pub(crate) fn optimise(args: &[String]) -> Result<Status> {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "crownhead-tictactoe"]);
    command.args(["--example", "optimise", "--"]).args(args);
    let status = command.status()?;
    Ok(Status::Code(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
