//! Graphs as text, bytes and pictures.

mod binary;
mod dot;
mod edge_list;
mod names;
mod pgsolver;
mod svg;

pub use binary::{BinaryError, is_binary, read_binary, write_binary};
pub use dot::{write_dot, write_tree_dot};
pub use edge_list::{EdgeListError, EdgeListFault, parse_edge_list};
pub use names::{NamedGraph, Names};
pub use pgsolver::{PgsolverError, PgsolverFault, parse_pgsolver, write_pgsolver};
pub use svg::write_svg;
