//! Lists the moves of a position with what each leads to, the best first.
//!
//! > 6-1 win
//! > 6-2 draw
//! > 11-7 loss
//! > 11-8 loss

use std::cmp::Reverse;

use anyhow::Result;
use crownhead_rules::Position;
use crownhead_table::embedded;

fn main() -> Result<()> {
    // The First Position of the draughts books.
    let position: Position = "W:W11,6:B3,K25".parse()?;
    let table = embedded::table();
    let mut moves = Vec::new();
    for m in &position.distinct_moves()? {
        // The value after the move is the opponent's.
        moves.push((table.value(&position.after(m))?.negate(), m.to_string()));
    }
    moves.sort_by_key(|(value, text)| (Reverse(*value), text.clone()));
    for (value, text) in moves {
        println!("{text} {value}");
    }
    Ok(())
}
