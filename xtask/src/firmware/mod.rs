//! `cargo xtask firmware`: the core on microcontroller targets.

mod banned;
mod check;
mod toolchain;

use anyhow::{Result, bail};

use crate::process::Status;

/// Proves the core crates fit for boards (`--check`).
pub(crate) fn run(args: &[String]) -> Result<Status> {
    match args {
        [flag] if flag == "--check" => check::run(),
        _ => bail!("firmware takes --check"),
    }
}
