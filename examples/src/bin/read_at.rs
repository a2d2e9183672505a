//! Reads an image through a source of your own: anything that can fetch some bytes at an offset.
//!
//! > win, from fewer than 100 reads

use std::cell::Cell;

use anyhow::Result;
use crownhead_rules::Position;
use crownhead_table::compact::CompactTable;
use crownhead_table::{ReadAt, embedded};

/// A flash chip, an archive, a server; here a counter in front of bytes in memory.
struct Source<'a> {
    bytes: &'a [u8],
    reads: &'a Cell<u32>,
}

impl ReadAt for Source<'_> {
    type Error = crownhead_table::PastEnd;

    fn size(&self) -> Result<u64, Self::Error> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Self::Error> {
        self.reads.set(self.reads.get() + 1);
        self.bytes.read_at(offset, buffer)
    }
}

fn main() -> Result<()> {
    let reads = Cell::new(0);
    // Opening reads everything once, to compare the checksums.
    let table = CompactTable::open(Source { bytes: embedded::IMAGE_4, reads: &reads })?;
    reads.set(0);
    let position: Position = "W:WK14,K15:BK25".parse()?;
    let value = table.value(&position)?;
    let few = if reads.get() < 100 { "fewer than 100" } else { "many" };
    println!("{value}, from {few} reads");
    Ok(())
}
