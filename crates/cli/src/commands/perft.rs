//! `crownhead perft`: counts move sequences, the classic test of a move generator.

use std::time::Instant;

use crownhead_rules::{MoveStatistics, Position};
use serde::Serialize;

use crate::commands::moves::read_fen;
use crate::output::Output;
use crate::status::{CommandResult, Status};

/// Arguments of `perft`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Length of the move sequences in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(..=255))]
    depth: u32,

    /// Count from this position instead of the start.
    #[arg(long)]
    fen: Option<String>,

    /// Also show the count of each first move.
    #[arg(long)]
    divide: bool,

    /// Also show the average number of moves in positions with and without captures, over all
    /// positions before the last ply.
    #[arg(long)]
    stats: bool,

    /// Count the moves of the last ply without making them.
    #[arg(long)]
    bulk: bool,
}

#[derive(Serialize)]
struct Record {
    fen: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<FirstMove>>,
    #[serde(flatten)]
    averages: Option<Averages>,
}

#[derive(Serialize)]
struct FirstMove {
    r#move: String,
    nodes: u64,
}

/// Null where there is no such position.
#[derive(Serialize)]
struct Averages {
    average_moves_with_captures: Option<f64>,
    average_moves_without_captures: Option<f64>,
}

impl From<MoveStatistics> for Averages {
    fn from(s: MoveStatistics) -> Self {
        let average =
            |moves: u64, positions: u64| (positions > 0).then(|| moves as f64 / positions as f64);
        Self {
            average_moves_with_captures: average(s.capture_moves, s.capture_positions),
            average_moves_without_captures: average(s.quiet_moves, s.quiet_positions),
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let position = match &args.fen {
        Some(fen) => read_fen(fen)?,
        None => Position::START,
    };
    let start = Instant::now();
    let (nodes, divide) = count(&position, args);
    let seconds = start.elapsed().as_secs_f64();
    let record = Record {
        fen: position.to_string(),
        depth: args.depth,
        nodes,
        seconds,
        nodes_per_second: nodes as f64 / seconds.max(1e-9),
        divide,
        averages: args.stats.then(|| position.perft_statistics(args.depth).into()),
    };
    out.json(&record)?;
    show(&record, args.bulk, out)?;
    Ok(Status::Done)
}

fn count(position: &Position, args: &Args) -> (u64, Option<Vec<FirstMove>>) {
    let perft = |position: &Position, plies| {
        if args.bulk { position.perft_bulk(plies) } else { position.perft(plies) }
    };
    if !args.divide || args.depth == 0 {
        return (perft(position, args.depth), args.divide.then(Vec::new));
    }
    let mut sum = 0;
    let mut divide = Vec::new();
    let _ = position.visit_moves(|m| {
        let nodes = perft(&position.after(&m), args.depth - 1);
        sum += nodes;
        divide.push(FirstMove { r#move: m.to_string(), nodes });
        std::ops::ControlFlow::<()>::Continue(())
    });
    divide.sort_by(|a, b| a.r#move.cmp(&b.r#move));
    (sum, Some(divide))
}

fn show(record: &Record, bulk: bool, out: &mut Output) -> std::io::Result<()> {
    out.human(&record.fen)?;
    for first in record.divide.iter().flatten() {
        out.human(format_args!("{:>12} {:>15}", first.r#move, first.nodes))?;
    }
    let how = if bulk { "last ply counted in bulk" } else { "every position made" };
    out.human(format_args!(
        "perft {}: {} routes in {:.3} s, {:.1} million positions/s ({how})",
        record.depth,
        record.nodes,
        record.seconds,
        record.nodes_per_second / 1e6,
    ))?;
    if let Some(averages) = &record.averages {
        for (what, average) in [
            ("with captures", averages.average_moves_with_captures),
            ("without captures", averages.average_moves_without_captures),
        ] {
            let text = average.map_or("no such position".to_owned(), |n| format!("{n:.3} moves"));
            out.human(format_args!("on average in positions {what}: {text}"))?;
        }
    }
    Ok(())
}
