//! Perfect play in the program itself: all positions with 2 to 4 pieces in 15,968 bytes.
//!
//! > 15968 bytes, up to 4 pieces
//! > B:WK29,K30:BK1,K2 is a draw

use anyhow::Result;
use crownhead_rules::{Position, Prober};
use crownhead_table::compact::CompactTable;
use crownhead_table::embedded;

fn main() -> Result<()> {
    // Features embedded-3, embedded-4 and embedded-5 of crownhead-table bring IMAGE_3 to IMAGE_5.
    let table = CompactTable::open(embedded::IMAGE_4)?;
    println!("{} bytes, up to {} pieces", embedded::IMAGE_4.len(), table.max_pieces());
    let position: Position = "B:WK29,K30:BK1,K2".parse()?;
    println!("{position} is a {}", table.value(&position)?);
    Ok(())
}
