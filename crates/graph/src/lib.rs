//! Solves two-player games on arbitrary graphs: win, draw or loss and the depth of every vertex.
//!
//! Two models are kept apart and converted explicitly. A [`GameGraph`] has values for the side to
//! move, and a self-loop is a move.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod acyclic;
pub mod formats;
mod game_graph;
mod grundy;
mod naive;
#[cfg(feature = "std")]
mod parallel;
mod retrograde;
mod rows;
mod solution;
mod value;
mod verify;

pub use acyclic::{Cycle, acyclic, successors_first};
pub use game_graph::GameGraph;
pub use grundy::{GrundyError, grundy, sum_value};
pub use naive::naive;
#[cfg(feature = "std")]
pub use parallel::retrograde_parallel;
pub use retrograde::{retrograde, retrograde_with};
pub use rows::{GraphError, Rows};
pub use solution::{Counts, Solution};
pub use value::{Ending, Player, Value};
pub use verify::{VerifyError, verify};
