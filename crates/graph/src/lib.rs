//! Solves two-player games on arbitrary graphs: win, draw or loss and the depth of every vertex.
//!
//! Two models are kept apart and converted explicitly:
//!
//! - a [`GameGraph`] has values for the side to move; a self-loop is a move, and a vertex without
//!   moves ends the game;
//! - a [`TurnGraph`] says for each vertex which player moves there; turns alternate, and a vertex
//!   whose only edge is a self-loop ends the game with a winner or a draw.
//!
//! [`retrograde()`] solves a whole graph in linear time. [`wintree()`] and [`Local`] ask whether a
//! player wins from one position, of a graph or of a [`Game`] given by its rules. [`verify()`] and
//! [`WinningTree::check`] check results, knowing nothing of how they were found.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod acyclic;
pub mod chase;
pub mod formats;
mod game;
mod game_graph;
mod grundy;
mod local;
mod naive;
mod never_lose;
#[cfg(feature = "std")]
mod parallel;
mod retrograde;
mod rows;
mod solution;
mod turn_graph;
mod value;
mod verify;
mod winning_tree;
mod wintree;

pub use acyclic::{Cycle, acyclic, successors_first};
pub use game::{Arena, Explored, Game, Played};
pub use game_graph::GameGraph;
pub use grundy::{GrundyError, grundy, sum_value};
pub use local::{Decision, Local};
pub use naive::naive;
pub use never_lose::NeverLose;
#[cfg(feature = "std")]
pub use parallel::retrograde_parallel;
pub use retrograde::{retrograde, retrograde_with};
pub use rows::{GraphError, Rows};
pub use solution::{Counts, Solution};
pub use turn_graph::{TurnGraph, TurnGraphError};
pub use value::{Ending, Player, Value};
pub use verify::{VerifyError, verify};
pub use winning_tree::{TreeError, TreeNode, WinningTree};
pub use wintree::{Colour, Reordered, Variant, Verdict, WinTree, wintree};
