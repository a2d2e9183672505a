//! The commands, one file (or folder) each.
//!
//! To add a command `foo`:
//! 1. `commands/foo.rs` with `pub(crate) struct Args` (derives `clap::Args`) and
//!    `pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult`;
//! 2. a line `mod foo;` below, a line in [`Command`] (its comment is the help text), and a line
//!    in [`dispatch`].
//!
//! Results go to [`Output`] only: `out.human(...)?` for people, `out.json(&record)?` for `--json`;
//! each is silent in the other form, so call both. Warnings and progress go to standard error
//! (`crate::progress::bar`). A command ends with a `Status`: `Ok(Status::Negative)` for a check
//! that failed, `Err(Failure::bad_input(..))` or `Err(Failure::missing(..))` for what cannot be
//! answered at all. A command that reads many inputs answers each on a line of its own, errors
//! included, and returns the largest status it met (`max`). `--json` is understood everywhere; commands
//! that use tables add `#[command(flatten)] tables: TablesArg`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::output::Output;
use crate::status::{CommandResult, Failure};

mod analyse;
mod annotate;
mod bench;
mod chase;
mod completions;
mod crosscheck;
mod doctor;
mod gpu_report;
mod graph;
mod hub;
mod man;
mod match_play;
mod moves;
mod pack;
mod perft;
mod plan;
mod play;
mod probe;
mod solve;
mod stats;
mod tictactoe;
mod unpack;
mod verify;

/// Solves two-player games exactly: builds, verifies and probes perfect endgame tables of English
/// draughts, and solves games on graphs.
#[derive(Parser)]
#[command(name = "crownhead", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    /// Print JSON Lines, one object per line, and nothing else on standard output.
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build endgame tables: whatever is missing.
    Solve(solve::Args),
    /// List the materials in the order in which they are built, with what each takes.
    Plan(plan::Args),
    /// Count the wins, losses and draws in the tables.
    Stats(stats::Args),
    /// Look positions up: the value, and what each move keeps.
    Probe(probe::Args),
    /// Check the tables: checksums, and every value against those of the positions that follow.
    Verify(verify::Args),
    /// Build with every backend and compare bit for bit.
    Crosscheck(crosscheck::Args),
    /// Say what this machine has for Crownhead, and how to add what is missing.
    Doctor(doctor::Args),
    /// Pack tables into one compact image, for firmware, programs and sharing.
    Pack(pack::Args),
    /// Unpack a compact image to plain tables.
    Unpack(unpack::Args),
    /// List the legal moves of a position, every capture route.
    Moves(moves::Args),
    /// Count move sequences from a position.
    Perft(perft::Args),
    /// Say the right move on tic-tac-toe boards, or play.
    Tictactoe(tictactoe::Args),
    /// Solve a game on a graph: win, draw or loss and the depth of every vertex.
    Graph(graph::Args),
    /// Solve policeman and thief on a board.
    Chase(chase::Args),
    /// Check, time and describe a GPU in a few minutes.
    GpuReport(gpu_report::Args),
    /// Search a position deeper and deeper, beyond the tables; prove its value.
    Analyse(analyse::Args),
    /// Play a game in the terminal.
    Play(play::Args),
    /// Speak the Hub protocol with a draughts program on standard input and output.
    Hub(hub::Args),
    /// Mark each move of a PDN file's games with what it kept or lost.
    Annotate(annotate::Args),
    /// Play versions of the engine against each other.
    Match(match_play::Args),
    /// Print the engine's signature, a number of positions, and its speed.
    Bench(bench::Args),
    /// Print a completion script for a shell.
    Completions(completions::Args),
    /// Write the manual pages into a directory.
    Man(man::Args),
}

fn dispatch(command: &Command, out: &mut Output) -> CommandResult {
    match command {
        Command::Solve(args) => solve::run(args, out),
        Command::Plan(args) => plan::run(args, out),
        Command::Stats(args) => stats::run(args, out),
        Command::Probe(args) => probe::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Crosscheck(args) => crosscheck::run(args, out),
        Command::Doctor(args) => doctor::run(args, out),
        Command::Pack(args) => pack::run(args, out),
        Command::Unpack(args) => unpack::run(args, out),
        Command::Moves(args) => moves::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::Tictactoe(args) => tictactoe::run(args, out),
        Command::Graph(args) => graph::run(args, out),
        Command::Chase(args) => chase::run(args, out),
        Command::GpuReport(args) => gpu_report::run(args, out),
        Command::Analyse(args) => analyse::run(args, out),
        Command::Play(args) => play::run(args, out),
        Command::Hub(args) => hub::run(args, out),
        Command::Annotate(args) => annotate::run(args, out),
        Command::Match(args) => match_play::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Completions(args) => completions::run(args, out),
        Command::Man(args) => man::run(args, out),
    }
}

/// Where the tables are.
#[derive(clap::Args)]
pub(crate) struct TablesArg {
    /// The directory of the tables.
    #[arg(long, value_name = "DIR", env = "CROWNHEAD_TABLES", default_value = "tables")]
    pub(crate) tables: PathBuf,
}

/// How the user has called this program, for advice on what to type next.
pub(crate) fn invoked_as() -> String {
    std::env::var("CROWNHEAD_INVOKED_AS").unwrap_or_else(|_| "crownhead".to_owned())
}

/// The parser of the whole command line, from which completions and manual pages are made.
pub(crate) fn command_line() -> clap::Command {
    Cli::command()
}

/// Parses the arguments and runs the command. Bad arguments end with status 2.
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    let mut out = Output::new(cli.json);
    let result = dispatch(&cli.command, &mut out);
    let flushed = out.flush().map_err(Failure::from);
    match result.and_then(|status| flushed.map(|()| status)) {
        Ok(status) => status.into(),
        Err(failure) => failure.report().into(),
    }
}
