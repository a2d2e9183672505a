//! `cargo xtask fuzz`: the targets of `tests/fuzz`, side by side, for so many seconds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process::{Status, cargo, host, nightly, root, run as run_command, target_dir};

/// What libFuzzer needs to see which branches are taken, and by which comparisons; as cargo-fuzz.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Cllvm-args=-simplifycfg-branch-fold-threshold=0 -Ccodegen-units=1";

/// Seconds for each target unless told otherwise.
const SECONDS: u32 = 60;

/// Memory of one target, in MiB, before libFuzzer calls it a finding.
const MEMORY: u32 = 2048;

/// Builds and runs the targets (all, or those named), each for so many seconds.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    let all = targets()?;
    let (mut seconds, mut chosen) = (SECONDS, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--seconds" {
            let number = args.next().context("--seconds needs a number")?;
            seconds = number.parse().with_context(|| format!("--seconds {number}"))?;
        } else if all.contains(arg) {
            chosen.push(arg.clone());
        } else {
            bail!("fuzz: {arg} is no target; there are {}", all.join(", "));
        }
    }
    if chosen.is_empty() {
        chosen = all;
    }
    let programs = build()?;
    let running: Vec<(String, Child)> = chosen
        .into_iter()
        .map(|target| start(&programs, &target, seconds).map(|child| (target, child)))
        .collect::<Result<_>>()?;
    let mut found = false;
    for (target, child) in running {
        found |= !finish(&target, child)?;
    }
    Ok(if found { Status::Negative } else { Status::Done })
}

fn folder() -> PathBuf {
    root().join("tests").join("fuzz")
}

/// Each target has a folder of seeds.
fn targets() -> Result<Vec<String>> {
    let seeds = folder().join("seeds");
    let entries = fs::read_dir(&seeds).with_context(|| format!("{}", seeds.display()))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

/// Builds all targets; returns the folder of the programs.
///
/// With a nightly compiler the address sanitizer watches; without one, only panics are found.
fn build() -> Result<PathBuf> {
    let target = target_dir()?.join("fuzz");
    let mut flags = COVERAGE.to_owned();
    let mut command = match nightly() {
        Some(cargo) => {
            flags.push_str(" -Zsanitizer=address");
            cargo
        }
        None => {
            eprintln!("no nightly compiler: without the address sanitizer");
            cargo()
        }
    };
    let host = host()?;
    command
        .args(["build", "--release", "--target", &host, "--target-dir"])
        .arg(&target)
        .current_dir(folder())
        .env("RUSTFLAGS", flags);
    run_command(&mut command)?;
    Ok(target.join(host).join("release"))
}

/// Starts a target on a corpus of its own, which grows, beside the seeds and the cases found before.
fn start(programs: &Path, target: &str, seconds: u32) -> Result<Child> {
    let corpus = folder().join("corpus").join(target);
    let artifacts = folder().join("artifacts").join(target);
    for directory in [&corpus, &artifacts] {
        fs::create_dir_all(directory).with_context(|| format!("{}", directory.display()))?;
    }
    let mut command = Command::new(programs.join(target));
    command
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-rss_limit_mb={MEMORY}"))
        .arg("-timeout=60")
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(&corpus)
        .arg(folder().join("seeds").join(target))
        .stdin(Stdio::null())
        .stderr(Stdio::piped());
    command.spawn().with_context(|| format!("cannot start the target {target}"))
}

/// Waits for a target and says what it did; whether it found nothing.
fn finish(target: &str, child: Child) -> Result<bool> {
    let output = child.wait_with_output().with_context(|| format!("target {target}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        let done = text.lines().rev().find(|line| line.starts_with("Done")).unwrap_or("done");
        eprintln!("fuzz {target}: {done}, no finding");
        return Ok(true);
    }
    eprintln!("{text}");
    eprintln!(
        "fuzz {target}: a finding ({}); the case is under tests/fuzz/artifacts/{target}. Keep it \
         in tests/fuzz/seeds/{target} once it is mended",
        output.status
    );
    Ok(false)
}
