//! The runner: `cargo xtask COMMAND`.
//!
//! Developer commands (test, ci, bench, setup, ...) are done here, one file each; everything else is
//! a command of the `crownhead` binary, which is built first and then run with the same arguments.

mod bench;
mod binary;
mod ci;
mod cluster;
mod figures;
mod firmware;
mod fuzz;
mod package;
mod process;
mod sanitize;
mod setup;
mod test;
mod tictactoe;

use std::process::ExitCode;

use process::Status;

const HELP: &str = "\
cargo xtask COMMAND [ARGS]

Developer commands:
  test [--long] [FILTER ...]  the tests; --long adds the long proofs
  ci [--after-test]           all that CI checks: format, lints, docs, packages, tests, the
                              workflow for clusters, fuzzing, the GPU, firmware
  bench [ARGS]                the engine's signature and the criterion benches (arguments go to
                              cargo bench)
  fuzz [TARGET ...] [--seconds N]
                              any bytes for every reader, side by side, 60 seconds each
  sanitize                    the tests of unsafe code in Miri and under the address sanitizer
  setup [gpu|firmware] [--yes]
                              adds what this machine lacks, after asking
  firmware [--help]           the core on microcontrollers: builds, runs in an emulator, checks
  tictactoe-optimise [--help] searches for a shorter chain for tic-tac-toe
  cluster [--slurm]           the workflow for clusters, run with Snakemake, one task killed
  package [--gpu]             the crates as they would be published, their docs as on docs.rs
  figures [--check]           draws the pictures under docs/

Everything else goes to the crownhead binary, built in release mode:
  solve, plan, stats, probe, moves, perft, verify, crosscheck, doctor, ... (`cargo xtask help`)";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        None | Some("-h" | "--help") => {
            eprintln!("{HELP}");
            Ok(Status::Done)
        }
        Some("test") => test::run(&args[1..]),
        Some("ci") => ci::run(&args[1..]),
        Some("bench") => bench::run(&args[1..]),
        Some("fuzz") => fuzz::run(&args[1..]),
        Some("sanitize") => sanitize::run(&args[1..]),
        Some("cluster") => cluster::run(&args[1..]),
        Some("package") => package::run(&args[1..]),
        Some("setup") => setup::run(&args[1..]),
        Some("firmware") => firmware::run(&args[1..]),
        Some("tictactoe-optimise") => tictactoe::optimise(&args[1..]),
        Some("figures") => figures::run(&args[1..]),
        Some(_) => binary::run(&args),
    };
    match result {
        Ok(status) => status.into(),
        Err(error) => {
            eprintln!("xtask: {error:#}");
            Status::BadInput.into()
        }
    }
}
