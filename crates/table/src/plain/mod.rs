//! The plain format: one file a material and metric, a number of fixed width for each position.

mod encoding;
mod header;
mod set;
mod table;

#[cfg(feature = "std")]
mod packer;
#[cfg(feature = "std")]
mod tally;
#[cfg(feature = "std")]
mod writer;

use crownhead_index::PerfectIndex;

pub use encoding::Encoding;
pub use header::{Header, HeaderError, Longest, SideSummary};
pub use set::PlainSet;
pub(crate) use table::outcome_without_table;
pub use table::{OpenError, PlainTable, ProbeError, VerifyError};

#[cfg(feature = "std")]
pub use packer::{CodePacker, WldPacker};
#[cfg(feature = "std")]
pub use writer::{PlainWriter, SealedTable, WriteError, WriteErrorKind};

/// The integer in which the reader numbers positions: `u64` with the feature `wide`, else `u32`.
#[cfg(feature = "wide")]
pub type Rank = u64;
/// The integer in which the reader numbers positions: `u64` with the feature `wide`, else `u32`.
#[cfg(not(feature = "wide"))]
pub type Rank = u32;

/// The index that numbers the positions of plain tables.
pub type Index = PerfectIndex<Rank>;
