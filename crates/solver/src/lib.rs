//! Builds draughts endgame tables by retrograde analysis.
//!
//! A [`Backend`] builds one material from finished parts; a [`Pipeline`] builds all that a
//! [`Plan`] asks for, from and into a directory of tables. The crate crownhead-verify checks what
//! came out, with none of the code that built it.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use crownhead_solver::{Metric, Options, Pipeline, Plan, Reference};
//!
//! let pipeline = Pipeline {
//!     backend: &Reference::new(Metric::Dtw),
//!     plan: &Plan::to_pieces(2),
//!     options: Options::default(), // no directory: count only
//!     stop: &AtomicBool::new(false),
//!     observer: &|_| {},
//! };
//! let kings = &pipeline.run()?[0].summary;
//! assert_eq!(kings.material.to_string(), "KvK");
//! assert_eq!((kings.sides[0].wins, kings.sides[0].losses, kings.sides[0].draws), (230, 108, 654));
//! assert_eq!(kings.sides[0].longest_win.map(|longest| longest.plies), Some(11));
//! # Ok::<(), crownhead_solver::SolveError>(())
//! ```

#![warn(missing_docs)]

mod backend;
mod control;
mod entry;
mod error;
mod pipeline;
mod reference;
mod rule40;
mod sequel;
mod setwise;
mod stage;
mod summary;

pub use backend::{Backend, ByteSink, EntrySource, Flags, Job, Needs, Phase, Sink};
pub use control::Control;
pub use crownhead_table::Metric;
pub use entry::Entry;
pub use error::SolveError;
pub use pipeline::{
    Event, Finished, MANIFEST, Options, Pipeline, Plan, Step, Survey, expected_bytes,
    manifest_lines, read_manifest,
};
pub use reference::Reference;
pub use rule40::{RULE40_MATTERS, RULE40_PIECES, rule40};
pub use sequel::Sequel;
pub use setwise::{Cpu, LevelTask, ParseShareError, Share, TaskNeeds, VectorPath};
pub use stage::{Stage, Stages};
pub use summary::{Counts, Longest, Summary};
