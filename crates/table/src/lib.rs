//! File formats of draughts endgame tables, a no_std prober that answers every position, and a
//! writer.
//!
//! The *plain* format ([`PlainTable`]) holds one number for every position of a material: 2 bits
//! for win, draw or loss ([`Metric::Wld`]), 1 or 2 bytes for a distance. Positions stand in the
//! order of the [perfect index](crownhead_index::PerfectIndex); both sides to move are in one file.
//!
//! Readers work over [`ReadAt`] and without std or allocation. The feature `std` adds the writer
//! and directories of memory-mapped files; `wide`, which it implies, materials of more than
//! 4,294,967,295 positions a side.

#![no_std]
#![cfg_attr(not(feature = "std"), forbid(unsafe_code))]
#![deny(unsafe_code)]

#[cfg(any(feature = "std", test))]
extern crate std;

pub mod compact;
mod crc;
#[cfg(feature = "std")]
pub(crate) mod directory;
#[cfg(any(feature = "embedded-3", feature = "embedded-4", feature = "embedded-5"))]
pub mod embedded;
mod metric;
mod plain;
mod read_at;

pub use metric::{Metric, ParseMetricError};
pub use plain::{
    Encoding, Header, HeaderError, Index, Longest, OpenError, PlainSet, PlainTable, ProbeError,
    Rank, SideSummary, VerifyError,
};
pub use read_at::{PastEnd, ReadAt, ReadFn};

#[cfg(feature = "std")]
pub use directory::{
    Check, MappedFile, TableError, TableErrorKind, Tables, TablesError, open_table, table_path,
};
#[cfg(feature = "std")]
pub use plain::{CodePacker, PlainWriter, SealedTable, WldPacker, WriteError, WriteErrorKind};
