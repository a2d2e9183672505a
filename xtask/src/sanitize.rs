//! `cargo xtask sanitize`: what contains unsafe code, in Miri and under the address sanitizer.
//!
//! Miri runs what it can: the C interface, and calls into every vector path. It maps no files, so
//! what maps some is tested under the address sanitizer, as is everything else in those crates.

use anyhow::{Result, bail};

use crate::process::{Status, host, nightly, root, run as run_command, target_dir};

const HELP: &str = "\
cargo xtask sanitize

Tests what contains unsafe code, with nightly: the C interface and the vector paths in Miri, where
the toolchain has it (rustup component add --toolchain nightly miri rust-src), and the crates that
map files or choose instructions under the address sanitizer.";

/// Tests under the address sanitizer: the crates with unsafe code (the GPU's is the driver's), what
/// else tests their files, and programs that map files.
const SANITIZED: [&[&str]; 3] = [
    &["--lib", "--tests", "-p=crownhead-table", "-p=crownhead-solver", "-p=crownhead-verify"],
    &["--package=crownhead-tests", "--test=verifier", "--test=levels", "--test=load"],
    &["--package=crownhead", "--test=graph", "--test=levels"],
];

/// What the vector paths are compiled for, which Miri then has.
const VECTORS: &str = "-Ctarget-feature=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt,\
    +avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl";

/// Runs the tests; needs a nightly compiler.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    match args {
        [] => {}
        [flag] if flag == "--help" => {
            eprintln!("{HELP}");
            return Ok(Status::Done);
        }
        _ => bail!("sanitize takes no argument but --help"),
    }
    if nightly().is_none() {
        bail!("sanitize needs a nightly compiler: rustup toolchain install nightly")
    }
    let mut failed = miri()?;
    for tests in SANITIZED {
        failed |= !sanitized(tests)?;
    }
    Ok(if failed { Status::Negative } else { Status::Done })
}

/// Whether tests under the address sanitizer pass.
fn sanitized(tests: &[&str]) -> Result<bool> {
    let Some(mut command) = nightly() else { return Ok(false) };
    command
        .args(["test", "--target", &host()?, "--target-dir"])
        .arg(target_dir()?.join("sanitize"))
        .args(tests)
        .env("RUSTFLAGS", "-Zsanitizer=address")
        // Threads of a pool that outlives the tests are no leak.
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .current_dir(root());
    Ok(run_command(&mut command).is_ok())
}

/// Whether Miri finds anything, which is no where it is not installed.
fn miri() -> Result<bool> {
    let there = nightly().is_some_and(|mut cargo| {
        cargo.args(["miri", "--version"]).output().is_ok_and(|out| out.status.success())
    });
    if !there {
        eprintln!(
            "skipped: no Miri (rustup component add --toolchain nightly miri rust-src); the address \
             sanitizer alone sees less"
        );
        return Ok(false);
    }
    // Queues of rayon break stacked borrows, and its threads outlive the tests.
    let flags = "-Zmiri-tree-borrows -Zmiri-ignore-leaks -Zmiri-disable-isolation";
    let test = |vectors: &str, place: &str, tests: &[&str]| -> Result<bool> {
        let Some(mut command) = nightly() else { return Ok(false) };
        command
            .args(["miri", "test", "--target-dir"])
            .arg(target_dir()?.join("miri"))
            .args(tests)
            .env("RUSTFLAGS", vectors)
            .env("MIRIFLAGS", flags)
            .env("RAYON_NUM_THREADS", "2")
            .current_dir(root().join(place));
        Ok(run_command(&mut command).is_ok())
    };
    let interface = test("", "crates/firmware", &["--package=crownhead-capi"])?;
    let solver = ["--package=crownhead-solver", "--lib", "setwise::vector"];
    let paths = test(VECTORS, "", &solver)?;
    Ok(!(interface && paths))
}
