//! Graphs as text and bytes.

mod edge_list;
mod names;

pub use edge_list::{EdgeListError, EdgeListFault, parse_edge_list};
pub use names::{NamedGraph, Names};
