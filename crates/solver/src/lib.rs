//! Builds draughts endgame tables by retrograde analysis.
//!
//! A [`Backend`] builds one material from finished parts.

#![warn(missing_docs)]

mod backend;
mod control;
mod entry;
mod error;
mod packer;
mod pipeline;
mod reference;
mod setwise;
mod summary;
mod verify;

pub use backend::{Backend, EntrySource, Flags, Job, Needs, Phase, Sink};
pub use control::Control;
pub use crownhead_table::Metric;
pub use entry::Entry;
pub use error::SolveError;
pub use packer::ByteSink;
pub use pipeline::{
    Event, Finished, MANIFEST, Options, Pipeline, Plan, Step, Survey, expected_bytes,
    manifest_lines, read_manifest,
};
pub use reference::Reference;
pub use setwise::{Cpu, VectorPath};
pub use summary::{Counts, Longest, Summary};
pub use verify::{Fault, Listed, verify_checksums, verify_table};
