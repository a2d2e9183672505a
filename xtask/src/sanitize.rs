//! `cargo xtask sanitize`: the tests of what contains unsafe code, under the address sanitizer.
//!
//! Miri would be the first choice, but the unsafe code here maps files and calls functions that are
//! compiled for vector instructions, neither of which it runs.

use anyhow::{Result, bail};

use crate::process::{Status, host, nightly, run as run_command, target_dir};

/// The crates with unsafe code, without the GPU's, which is the driver's.
const CRATES: [&str; 3] = ["crownhead-table", "crownhead-solver", "crownhead-verify"];

/// Runs the tests; needs a nightly compiler.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    if !args.is_empty() {
        bail!("sanitize takes no argument");
    }
    let Some(mut command) = nightly() else {
        bail!("sanitize needs a nightly compiler: rustup toolchain install nightly")
    };
    command
        .args(["test", "--lib", "--tests", "--target", &host()?, "--target-dir"])
        .arg(target_dir()?.join("sanitize"))
        .env("RUSTFLAGS", "-Zsanitizer=address")
        // Threads of a pool that outlives the tests are no leak.
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .current_dir(crate::process::root());
    for name in CRATES {
        command.args(["--package", name]);
    }
    Ok(if run_command(&mut command).is_ok() { Status::Done } else { Status::Negative })
}
