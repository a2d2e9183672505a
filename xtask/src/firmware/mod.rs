//! `cargo xtask firmware`: the core on microcontroller targets.

mod banned;
mod boards;
mod build;
mod c_interface;
mod check;
mod elf;
mod emulator;
mod faults;
mod golden;
mod header;
mod limits;
mod lints;
mod options;
mod report;
mod toolchain;
mod uf2;

use std::path::Path;

use anyhow::{Context, Result};

use crate::process::{Status, in_ci};
use boards::{Board, MUST_FAIL};
use options::{Mode, Options};
use report::Row;

/// What the command takes.
pub(crate) const HELP: &str = "\
firmware [--board B ...] [--program P ...] [--image FILE] [--run [--bless]] [--console] [--check]
         [--json]
  builds the programs for the boards (all of both, where none are named) and prints their sizes
  --run      runs what has an emulator on its input file and compares with the golden file
  --bless    makes what the programs say the golden files
  --console  joins standard input and output to one program on one board
  --image    puts this image into the board's other flash, for programs that expect it there
             (riscv32-virt; the programs that are built in are left alone)
  --check    runs clippy on the firmware; builds the core crates alone for all targets and looks for
             what boards must not have
  --json     one line of JSON a board and program instead of the table";

/// Builds, runs, joins or proves, as the arguments say.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    let options = match Options::parse(args)? {
        Some(options) => options,
        None => {
            eprintln!("cargo xtask {HELP}");
            return Ok(Status::Done);
        }
    };
    match options.mode {
        Mode::Check => {
            lints::check()?;
            check::run()
        }
        Mode::Console => console(&options),
        Mode::Build => programs(&options, false),
        Mode::Run => programs(&options, true),
    }
}

/// Joins this process's input and output to the device.
fn console(options: &Options) -> Result<Status> {
    let (board, program) = options.only()?;
    if !emulator::is_here(board) {
        return Ok(missing(board));
    }
    let dir = match options.image {
        None => build::programs(board, &[program])?,
        Some(_) => build::programs_apart(board, &[program])?,
    };
    let elf = dir.join(format!("{program}.elf"));
    let status = emulator::command(board, &elf, options.image.as_deref(), false)?.status();
    let status = status.context("cannot start the emulator")?;
    match status.code() {
        Some(0) => Ok(Status::Done),
        _ => {
            eprintln!("xtask: {program} on {} ended with {status}", board.name);
            Ok(Status::Negative)
        }
    }
}

/// Builds, and runs where asked for; all failures are collected.
fn programs(options: &Options, run: bool) -> Result<Status> {
    let mut rows = Vec::new();
    let mut worst = Status::Done;
    let mut failures = Vec::new();
    for board in &options.boards {
        let here = emulator::is_here(board);
        if run && board.runs() && !here {
            worst = missing(board);
        }
        let run = run && here;
        let built = match &options.image {
            None => board_rows(board, options, run, &mut rows, &mut failures),
            Some(image) => apart_rows(board, image, options, run, &mut rows, &mut failures),
        };
        if let Err(error) = built {
            failures.push(format!("{}: {error:#}", board.name));
        }
    }
    report::print(&rows, options.json);
    for failure in &failures {
        eprintln!("xtask: {failure}");
    }
    if !failures.is_empty() {
        worst = Status::Negative;
    }
    Ok(worst)
}

/// The rows of one board; what is wrong with them goes to `failures`.
fn board_rows(
    board: &'static Board,
    options: &Options,
    run: bool,
    rows: &mut Vec<Row>,
    failures: &mut Vec<String>,
) -> Result<()> {
    let mut names = options.programs.clone();
    if run {
        names.push(MUST_FAIL);
    }
    let dir = build::programs(board, &names)?;
    let limits = limits::Table::read()?;
    for &program in &options.programs {
        let elf = dir.join(format!("{program}.elf"));
        let sizes = elf::sizes(&elf, board)?;
        if let Some(packed) = build::pack(board, &elf)? {
            eprintln!("{}: {}", board.name, packed.display());
        }
        let mut row = Row::built(board, program, sizes);
        let mut faults = report::over_budget(&row);
        if run {
            let checked = golden::check(board, program, options.bless)?;
            row.measured = checked.measured;
            row.ran = true;
            faults.extend(checked.faults);
            faults.extend(report::over_run_budget(&row));
        }
        faults.extend(limits.over(&row));
        row.ok = faults.is_empty();
        failures.extend(
            faults.into_iter().map(|fault| format!("{program} on {}: {fault}", board.name)),
        );
        rows.push(row);
    }
    if run {
        failures.extend(faults::check(board, &options.programs)?);
        if board.name == c_interface::BOARD {
            failures.extend(c_interface::check(board)?);
        }
        if board.image_flash.is_some() && options.programs.contains(&"endgame") {
            failures.extend(faults::image_apart(board)?);
        }
    }
    Ok(())
}

/// The rows of programs whose large image lies apart from them.
fn apart_rows(
    board: &'static Board,
    image: &Path,
    options: &Options,
    run: bool,
    rows: &mut Vec<Row>,
    failures: &mut Vec<String>,
) -> Result<()> {
    let dir = build::programs_apart(board, &options.programs)?;
    for &program in &options.programs {
        let mut row =
            Row::built(board, program, elf::sizes(&dir.join(format!("{program}.elf")), board)?);
        if run {
            let checked = golden::check_apart(board, program, image, options.bless)?;
            (row.measured, row.ran, row.ok) = (checked.measured, true, checked.faults.is_empty());
            let faults = checked.faults.into_iter();
            let place = format!("{program} on {} with {}", board.name, image.display());
            failures.extend(faults.map(|fault| format!("{place}: {fault}")));
        }
        rows.push(row);
    }
    Ok(())
}

/// Says what to install; in CI a missing emulator is a failure like any other.
fn missing(board: &Board) -> Status {
    let program = emulator::program(board).unwrap_or("an emulator");
    eprintln!(
        "xtask: no {program} for {}; cargo xtask setup firmware installs it on Debian and Ubuntu",
        board.name
    );
    if in_ci() { Status::Negative } else { Status::Code(3) }
}
