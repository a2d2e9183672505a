//! Looks up a position given as FEN: its value and how long the game lasts.
//!
//! > White to move: win in 15 plies

use anyhow::Result;
use crownhead_rules::Position;
use crownhead_table::embedded;

fn main() -> Result<()> {
    // All positions with 2 and 3 pieces, with distances; `Tables` reads those that you have built.
    let table = crownhead_table::compact::CompactTable::open(embedded::IMAGE_3)?;
    let position: Position = "W:WK14,K18:BK1".parse()?;
    // A bound on the work; no position with 3 pieces takes nearly so many look-ups.
    let (outcome, _) = table.outcome_within(&position, 10_000)?;
    match outcome.plies {
        Some(plies) => println!("White to move: {} in {plies} plies", outcome.value),
        None => println!("White to move: {}", outcome.value),
    }
    Ok(())
}
