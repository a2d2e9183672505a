//! `crownhead moves`: the legal moves of a position.

use anyhow::Context;
use crownhead_rules::Position;
use serde::Serialize;

use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};

/// Arguments of `moves`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position, such as W:WK9,27:B4,K18.
    fen: String,
}

#[derive(Serialize)]
struct Record {
    fen: String,
    moves: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let position = read_fen(&args.fen)?;
    let mut moves = all_moves(&position);
    moves.sort();
    let record = Record { fen: position.to_string(), moves };
    out.json(&record)?;
    out.human(&record.fen)?;
    out.human(position.board())?;
    let side = position.side_to_move;
    match position.winner() {
        Some(winner) => out.human(format_args!("{side} has no legal move: {winner} has won."))?,
        None => {
            let must = if position.has_capture(side) { "must capture" } else { "to move" };
            out.human(format_args!("{side} {must}: {}", record.moves.join(" ")))?;
        }
    }
    Ok(Status::Done)
}

/// A position from an argument; a wrong one is status 2 and names itself.
pub(crate) fn read_fen(fen: &str) -> Result<Position, Failure> {
    fen.parse::<Position>()
        .with_context(|| format!("FEN '{}'", fen.escape_debug()))
        .map_err(Failure::bad_input)
}

/// Every route as text; a position made up of many kings can have more than a list holds.
fn all_moves(position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    let _ = position.visit_moves(|m| {
        moves.push(m.to_string());
        std::ops::ControlFlow::<()>::Continue(())
    });
    moves
}
