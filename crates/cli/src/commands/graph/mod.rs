//! `crownhead graph`: solves a game graph.

mod input;
mod search;
mod write;

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use crownhead_graph::formats::NamedGraph;
use crownhead_graph::{
    GameGraph, Player, Solution, TurnGraph, Value, Variant, naive, retrograde, retrograde_parallel,
};
use serde::Serialize;

pub(super) use write::Text;

use crate::gpu;
use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};

/// Arguments of `graph`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// An edge list, a PGSolver file or a binary graph; `-` for standard input.
    file: PathBuf,

    /// How to solve it: the whole graph, or what one position needs.
    #[arg(long, value_enum, default_value_t = Solver::Retrograde)]
    solver: Solver,

    /// Where wintree and local start, as spelled in the file; the first vertex if not given.
    #[arg(long, value_name = "V")]
    root: Option<String>,

    /// Whose win wintree searches; in a file without owners, the first player moves at the root.
    #[arg(long, value_enum, default_value_t = Side::First)]
    player: Side,

    /// The form of wintree.
    #[arg(long, value_enum, default_value_t = Form::Plain)]
    variant: Form,

    /// How many visits wintree may make; it may need exponentially many.
    #[arg(long, value_name = "VISITS", default_value_t = u64::MAX, hide_default_value = true)]
    budget: u64,

    /// What the side to move gets where it has no move and the file has no label.
    #[arg(long, value_enum, default_value_t = Stuck::Loss)]
    stuck: Stuck,

    /// Threads of retrograde; the result is the same.
    #[arg(long, value_name = "T", default_value_t = 1)]
    threads: usize,

    /// Solve on a GPU in rounds; the result is the same.
    #[arg(long, conflicts_with = "threads")]
    gpu: bool,

    /// The GPU to use: its name, a part of it, or its number in the list that --gpu prints.
    #[arg(long, value_name = "NAME|INDEX", requires = "gpu")]
    adapter: Option<String>,

    /// Draw the solved graph as SVG.
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,

    /// Write the graph: .csr binary rows, .pg or .gm PGSolver, .dot or .gv DOT with values.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Solver {
    Retrograde,
    Naive,
    Wintree,
    Local,
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    First,
    Second,
}

impl From<Side> for Player {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::Attacker,
            Side::Second => Self::Defender,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Plain,
    Ordered,
    Gray,
}

impl From<Form> for Variant {
    fn from(form: Form) -> Self {
        match form {
            Form::Plain => Self::Plain,
            Form::Ordered => Self::Ordered,
            Form::Gray => Self::GrayReached,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stuck {
    Loss,
    Draw,
    Win,
}

impl From<Stuck> for Value {
    fn from(stuck: Stuck) -> Self {
        match stuck {
            Stuck::Loss => Self::Loss,
            Stuck::Draw => Self::Draw,
            Stuck::Win => Self::Win,
        }
    }
}

/// What is known of a vertex.
#[derive(Serialize)]
struct Record<'a> {
    vertex: &'a str,
    value: &'static str,
    plies: Option<u32>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let form = args.out.as_deref().map(write::Form::of).transpose().map_err(Failure::bad_input)?;
    let bytes = input::Bytes::open(&args.file).map_err(Failure::bad_input)?;
    let mut file = bytes.graph(&args.file).map_err(Failure::bad_input)?;
    if args.stuck != Stuck::Loss {
        file.graph = file.graph.with_stuck(args.stuck.into());
    }
    let turns = turn_graph(args, &file).map_err(Failure::bad_input)?;
    let root = root(args, &file).map_err(Failure::bad_input)?;
    let status = match (args.solver, &turns, root) {
        (Solver::Wintree | Solver::Local, _, None) => {
            let error = anyhow!("'{}' has no vertex to start from", args.file.display());
            return Err(Failure::bad_input(error));
        }
        (Solver::Wintree, Some(turns), Some(root)) => {
            search::wintree_turns(args, &file, turns, root, out)?
        }
        (Solver::Wintree, None, Some(root)) => search::wintree_game(args, &file, root, out)?,
        (Solver::Local, Some(turns), Some(root)) => search::local_turns(&file, turns, root, out)?,
        (Solver::Local, None, Some(root)) => search::local_game(&file, root, out)?,
        (Solver::Retrograde | Solver::Naive, ..) => {
            let game = game(&file, turns.as_ref())?;
            let solution = solve(args, &game)?;
            print(&file, &solution, out)?;
            write::files(args, form, &file, &game, &solution)?;
            return Ok(Status::Done);
        }
    };
    if form.is_some() || args.svg.is_some() {
        let game = game(&file, turns.as_ref())?;
        let solution = solve(args, &game)?;
        write::files(args, form, &file, &game, &solution)?;
    }
    Ok(status)
}

/// The turn graph, if the file says who owns the vertices.
fn turn_graph(args: &Args, file: &NamedGraph<'_>) -> anyhow::Result<Option<TurnGraph<'static>>> {
    if file.owners.is_empty() {
        return Ok(None);
    }
    TurnGraph::from_game(&file.graph, &file.owners)
        .map(Some)
        .map_err(|error| anyhow!("{}", error.spelled(&|v| format!("`{}`", file.names.name(v)))))
        .with_context(|| format!("'{}'", args.file.display()))
}

/// The vertex to start from; none in an empty graph.
fn root(args: &Args, file: &NamedGraph<'_>) -> anyhow::Result<Option<u32>> {
    let vertices = file.graph.vertices();
    match &args.root {
        None => Ok((vertices > 0).then_some(0)),
        Some(name) => {
            file.names.vertex(name, vertices).map(Some).ok_or_else(|| {
                anyhow!("--root '{name}' is not a vertex of '{}'", args.file.display())
            })
        }
    }
}

/// The graph to solve: that of the file, or what the turn graph is worth to the side to move.
fn game<'f>(
    file: &'f NamedGraph<'f>,
    turns: Option<&TurnGraph<'_>>,
) -> Result<std::borrow::Cow<'f, GameGraph<'f>>, Failure> {
    use std::borrow::Cow;
    match turns {
        None => Ok(Cow::Borrowed(&file.graph)),
        Some(turns) => turns.to_game().map(Cow::Owned).map_err(Failure::bad_input),
    }
}

fn solve(args: &Args, graph: &GameGraph<'_>) -> Result<Solution, Failure> {
    if args.gpu {
        let choice = gpu::Choice { adapter: args.adapter.clone(), memory: None };
        match gpu::solve_graph(&choice, graph)? {
            Ok(solution) => return Ok(solution),
            Err(reason) => eprintln!("the graph is solved on the processor: {reason}"),
        }
    }
    Ok(match args.solver {
        Solver::Naive => naive(graph),
        _ if args.threads > 1 => retrograde_parallel(graph, args.threads),
        _ => retrograde(graph),
    })
}

fn print(file: &NamedGraph<'_>, solution: &Solution, out: &mut Output) -> Result<(), Failure> {
    for v in 0..solution.vertices() as u32 {
        print_value(&file.names.name(v), solution.value(v), solution.plies(v), out)?;
    }
    let counts = solution.counts();
    out.human(format_args!(
        "{} vertices, {} moves: {} won, {} drawn, {} lost for the side to move",
        solution.vertices(),
        file.graph.rows().edges(),
        counts.wins,
        counts.draws,
        counts.losses
    ))?;
    for value in [Value::Win, Value::Loss] {
        if let Some((v, plies)) = solution.longest(value) {
            let name = file.names.name(v);
            out.human(format_args!("longest {value}: {}, at {name}", in_plies(plies)))?;
        }
    }
    Ok(())
}

fn print_value(
    vertex: &str,
    value: Value,
    plies: Option<u32>,
    out: &mut Output,
) -> Result<(), Failure> {
    out.json(&Record { vertex, value: value.word(), plies })?;
    match plies {
        Some(plies) => out.human(format_args!("{vertex}: {value} in {}", in_plies(plies)))?,
        None => out.human(format_args!("{vertex}: {value}"))?,
    }
    Ok(())
}

/// A number of plies: `1 ply`, `2 plies`.
pub(super) fn in_plies(plies: u32) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}
