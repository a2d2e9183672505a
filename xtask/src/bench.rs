//! `cargo xtask bench`: the engine's signature, then the criterion benches.

use anyhow::Result;

use crate::binary;
use crate::process::{Status, cargo, run as run_command};

/// Prints the signature, then runs `cargo bench`; with arguments only the latter, with these.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    if args.is_empty() {
        binary::run(&["bench".to_owned()])?;
    }
    let mut command = cargo();
    command.args(["bench", "--package", "crownhead-benches"]).args(args);
    run_command(&mut command)?;
    Ok(Status::Done)
}
