//! `crownhead chase`: policeman and thief.

use std::path::PathBuf;

use anyhow::Context;
use crownhead_graph::chase::{Chase, ChaseState, write_chase_svg};
use crownhead_graph::{Explored, Player, Value, retrograde};
use serde::Serialize;

use super::graph::{Text, in_plies};
use crate::output::Output;
use crate::replace::write;
use crate::status::{CommandResult, Failure, Status};

/// Arguments of `chase`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The board: `.` free, `*` wall, `E` exit, `P` policeman, `T` thief; standard input if not
    /// given.
    file: Option<PathBuf>,

    /// Draw the board with a best line as SVG.
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
}

/// The value for the policeman, who moves first, and a line of best play.
#[derive(Serialize)]
struct Record {
    value: &'static str,
    plies: Option<u32>,
    line: Vec<String>,
}

/// A drawn game comes back to a position sooner or later; nobody wants to read more than this.
const LONGEST_LINE: usize = 1000;

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let text = read(args).map_err(Failure::bad_input)?;
    let name = || match &args.file {
        Some(path) => format!("'{}'", path.display()),
        None => "standard input".to_owned(),
    };
    let chase = Chase::parse(&text).with_context(name).map_err(Failure::bad_input)?;
    let mut explored = Explored::new(&chase);
    let start = explored.vertex(chase.start());
    let (graph, states) = explored.into_graph().map_err(Failure::bad_input)?;
    let solution = retrograde(&graph);
    let (value, plies) = (solution.value(start), solution.plies(start));
    let line = solution.line(&graph, start, LONGEST_LINE);
    let line: Vec<ChaseState> = line.into_iter().map(|v| states[v as usize]).collect();
    let moves = line.windows(2).map(|pair| step(&chase, pair[0], pair[1])).collect();
    let record = Record { value: value.word(), plies, line: moves };
    out.json(&record)?;
    print(&chase, value, plies, &line, &record.line, out)?;
    if let Some(path) = &args.svg {
        write(path, |stream| Ok(write_chase_svg(&chase, &line, &mut Text(stream))?))
            .map_err(Failure::bad_input)?;
    }
    Ok(Status::Done)
}

fn read(args: &Args) -> anyhow::Result<String> {
    match &args.file {
        Some(path) => std::fs::read_to_string(path)
            .with_context(|| format!("cannot read '{}'", path.display())),
        None => std::io::read_to_string(std::io::stdin()).context("cannot read standard input"),
    }
}

/// A move as text: who, from and to, as row and column from 1.
fn step(chase: &Chase, before: ChaseState, after: ChaseState) -> String {
    let (who, from, to) = match before.turn {
        Player::Attacker => ('P', before.policeman, after.policeman),
        Player::Defender => ('T', before.thief, after.thief),
    };
    let place = |cell| format!("{},{}", cell / chase.columns() + 1, cell % chase.columns() + 1);
    format!("{who} {}-{}", place(from), place(to))
}

fn print(
    chase: &Chase,
    value: Value,
    plies: Option<u32>,
    line: &[ChaseState],
    moves: &[String],
    out: &mut Output,
) -> Result<(), Failure> {
    let outcome = match value {
        Value::Win => "The police catches the thief",
        Value::Draw => "Draw",
        Value::Loss => "The thief escapes",
    };
    match plies {
        Some(plies) => out.human(format_args!("{outcome} in {}", in_plies(plies)))?,
        None => out.human(outcome)?,
    }
    for (i, &state) in line.iter().enumerate() {
        match i.checked_sub(1).and_then(|before| moves.get(before)) {
            Some(step) => out.human(format_args!("\n{i}. {step}"))?,
            None => out.human("")?,
        }
        for row in 0..chase.rows() {
            let cells = row * chase.columns()..(row + 1) * chase.columns();
            let text: String = cells.map(|cell| chase.character(state, cell)).collect();
            out.human(text)?;
        }
    }
    if value == Value::Draw {
        out.human("\n… and so on for ever.")?;
    }
    Ok(())
}
