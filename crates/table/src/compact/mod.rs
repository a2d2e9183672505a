//! The compact format: one image of all positions with 2 to some number of pieces, read in place.
//!
//! FORMAT.md in this crate specifies it. [`CompactTable`] reads it; the modules hold what the packer
//! shares with the reader.
mod bits;
/// Questions about a position that the trees ask.
pub mod feature;
/// Keys of positions for the ribbons.
pub mod hash;
mod header;
mod lookup;
mod memo;
mod order;
/// Static functions: equations over bits, one for each key.
pub mod ribbon;
mod search;
mod table;
/// Decision trees as bits.
pub mod tree;

pub use header::{HEADER_BYTES, ImageError, ImageHeader, Section, SectionKind};
pub use order::{Forces, forces_to, seen_by_mover};
pub use table::{CompactError, CompactOpenError, CompactTable, Predicate, is_even};
