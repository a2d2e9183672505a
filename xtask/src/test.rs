//! `cargo xtask test`: every test that needs no GPU code.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::process::{Status, cargo, have, run as run_command};

/// What compiles wgpu: `ci` tests the GPU crate, and builds the benches.
const APART: [&str; 5] =
    ["--workspace", "--exclude", "crownhead-gpu", "--exclude", "crownhead-benches"];

/// Runs the tests of the workspace, what compiles GPU code apart, then the doc tests.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    let mut long = false;
    let mut filters = Vec::new();
    for arg in args {
        match arg.as_str() {
            "--long" => long = true,
            flag if flag.starts_with('-') => {
                bail!("test: unknown option {flag}; expected --long or parts of test names")
            }
            filter => filters.push(filter),
        }
    }
    let start = Instant::now();
    let tests = run_command(&mut tests(&filters, long));
    let docs = if filters.is_empty() { run_command(&mut doc_tests()) } else { Ok(()) };
    for failure in [&tests, &docs].into_iter().filter_map(|result| result.as_ref().err()) {
        eprintln!("xtask: {failure:#}");
    }
    eprintln!("xtask: tests took {:.0} s", start.elapsed().as_secs_f64());
    Ok(if tests.is_ok() && docs.is_ok() { Status::Done } else { Status::Negative })
}

fn tests(filters: &[&str], long: bool) -> std::process::Command {
    let mut command = cargo();
    let nextest = have("cargo-nextest");
    command.args(if nextest {
        &["nextest", "run"][..]
    } else {
        &["test", "--lib", "--bins", "--tests"]
    });
    command.args(APART);
    if nextest {
        command.args(["--no-fail-fast", "--no-tests=fail"]);
        if long {
            command.args(["--run-ignored", "all"]);
        }
        command.args(filters);
    } else {
        command.arg("--no-fail-fast").arg("--").args(filters);
        if long {
            command.arg("--include-ignored");
        }
    }
    command
}

fn doc_tests() -> std::process::Command {
    let mut command = cargo();
    command.args(["test", "--doc", "--quiet"]).args(APART);
    command
}
