//! `cargo xtask ci`: all that continuous integration checks, in the order of what fails fastest.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::process::{Status, cargo, have, in_ci, run as run_command};
use crate::{cluster, figures, firmware, fuzz, package, setup, test};

/// One named step.
struct Step {
    name: &'static str,
    run: fn() -> Result<()>,
}

const STEPS: &[Step] = &[
    Step { name: "format", run: || tool(&["fmt", "--all", "--check"]) },
    Step { name: "figures", run: || done(figures::run(&["--check".to_owned()])?) },
    Step {
        name: "lints",
        run: || {
            let all = ["--workspace", "--all-targets", GPU_FEATURES, "--quiet"];
            tool(&[&["clippy"], &all[..], &["--", "-D", "warnings"]].concat())
        },
    },
    Step { name: "docs", run: docs },
    Step { name: "packages", run: || done(package::run(&[])?) },
    Step { name: "tests", run: || done(test::run(&[])?) },
    Step { name: "cluster", run: cluster_steps },
    Step { name: "fuzz", run: || done(fuzz::run(&[])?) },
    Step { name: "gpu tests", run: gpu_tests },
    Step { name: "benches", run: benches },
    Step { name: "firmware", run: firmware_steps },
];

/// Runs every step, then says which failed. `--after-test` leaves the tests out: they ran before.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    let after_test = match args {
        [] => false,
        [flag] if flag == "--after-test" => true,
        _ => bail!("ci takes no argument but --after-test"),
    };
    let mut failed = Vec::new();
    let mut times = Vec::new();
    for step in STEPS.iter().filter(|step| !(after_test && step.name == "tests")) {
        eprintln!("== {}", step.name);
        let start = Instant::now();
        if let Err(error) = (step.run)() {
            eprintln!("xtask: {}: {error:#}", step.name);
            failed.push(step.name);
        }
        times.push((step.name, start.elapsed().as_secs_f64()));
    }
    for (name, seconds) in times {
        eprintln!(
            "{seconds:7.1} s  {name}{}",
            if failed.contains(&name) { "  FAILED" } else { "" }
        );
    }
    Ok(if failed.is_empty() { Status::Done } else { Status::Negative })
}

fn tool(args: &[&str]) -> Result<()> {
    run_command(cargo().args(args))
}

fn done(status: Status) -> Result<()> {
    if status != Status::Done {
        bail!("failed");
    }
    Ok(())
}

fn docs() -> Result<()> {
    let args = ["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"];
    run_command(cargo().args(args).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The workflow for clusters with Snakemake, which needs Python; through Slurm it is not for CI.
fn cluster_steps() -> Result<()> {
    if !have("python3") && !in_ci() {
        eprintln!("skipped: no python3, which Snakemake needs");
        return Ok(());
    }
    done(cluster::run(&[])?)
}

/// What else can use a GPU.
const GPU_FEATURES: &str = "--features=crownhead/gpu,crownhead-tests/gpu,crownhead-examples/gpu";

/// The GPU crate's tests and the commands that use a GPU, on whatever adapter there is.
fn gpu_tests() -> Result<()> {
    done(setup::run(&["gpu".to_owned(), "--yes".to_owned()])?)?;
    tool(&["nextest", "run", "--package", "crownhead-gpu", "--no-fail-fast"])?;
    // The commands, the suite of all backends and the example that use a GPU: built together, so
    // that wgpu is compiled once for all three.
    tool(&[
        "nextest",
        "run",
        "--no-fail-fast",
        "--package=crownhead",
        "--package=crownhead-tests",
        "--package=crownhead-examples",
        GPU_FEATURES,
        "--test=gpu",
        "--test=backends",
        "--test=output",
        "-E",
        "binary(gpu) | test(gpu_values) | test(every_example_prints_what_it_says)",
    ])
}

/// The firmware's lints, the core crates alone on every target, then every program on every emulated board.
fn firmware_steps() -> Result<()> {
    done(setup::run(&["firmware".to_owned(), "--yes".to_owned()])?)?;
    done(firmware::run(&["--check".to_owned()])?)?;
    done(firmware::run(&["--run".to_owned()])?)
}

/// Runs each bench once, for its assertions; `cargo bench` measures.
fn benches() -> Result<()> {
    tool(&["test", "--package", "crownhead-benches", "--benches", "--quiet"])
}
