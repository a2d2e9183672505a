//! `cargo xtask bench`: the criterion benches.

use anyhow::Result;

use crate::process::{Status, cargo, run as run_command};

/// Runs `cargo bench` with these arguments.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    let mut command = cargo();
    command.args(["bench", "--package", "crownhead-benches"]).args(args);
    run_command(&mut command)?;
    Ok(Status::Done)
}
