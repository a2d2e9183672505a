use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::{Cycle, GameGraph, Value, successors_first};

/// Why a graph has no Grundy values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrundyError {
    /// Play may go on for ever.
    Cycle(Cycle),
    /// A labelled vertex ends the game otherwise than by having no move.
    Labelled {
        /// The first such vertex.
        vertex: u32,
    },
    /// A side that cannot move must lose.
    StuckRule {
        /// What it gets in this graph.
        stuck: Value,
    },
}

impl fmt::Display for GrundyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cycle(cycle) => write!(f, "{cycle}: Grundy values need a graph without cycles"),
            Self::Labelled { vertex } => {
                write!(
                    f,
                    "vertex {vertex} is labelled: Grundy values need games that end by having no move"
                )
            }
            Self::StuckRule { stuck } => {
                write!(
                    f,
                    "a side that cannot move gets a {stuck}: Grundy values need that it loses"
                )
            }
        }
    }
}

impl core::error::Error for GrundyError {}

/// The Grundy value of every vertex: the least number that no successor has (mex).
///
/// ```
/// use crownhead_graph::{GameGraph, Value, grundy, sum_value};
///
/// // Nim heaps of 0 to 3: from each heap to every smaller one.
/// let moves = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];
/// let nim = grundy(&GameGraph::from_edges(4, moves.into_iter())?)?;
/// assert_eq!(nim, [0, 1, 2, 3]);
/// assert_eq!(sum_value([1, 2, 3].map(|heap| nim[heap])), Value::Loss);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A cycle, a label, or a stuck rule other than a loss.
pub fn grundy(graph: &GameGraph<'_>) -> Result<Vec<u32>, GrundyError> {
    if graph.stuck() != Value::Loss {
        return Err(GrundyError::StuckRule { stuck: graph.stuck() });
    }
    if let Some(v) = graph.labels().iter().position(Option::is_some) {
        return Err(GrundyError::Labelled { vertex: v as u32 });
    }
    let order = successors_first(graph).map_err(GrundyError::Cycle)?;
    let mut values = vec![0_u32; graph.vertices()];
    // `taken[x]` is the last vertex, plus one, that has a successor of value x.
    let mut taken: Vec<u32> = vec![0];
    for v in order {
        for &w in graph.moves(v) {
            taken[values[w as usize] as usize] = v + 1;
        }
        let mex = taken.iter().position(|&by| by != v + 1).unwrap_or(taken.len());
        values[v as usize] = mex as u32;
        if mex + 1 >= taken.len() {
            taken.resize(mex + 2, 0);
        }
    }
    Ok(values)
}

/// The value of a sum of games, in which a move is a move in one of them, for the side to move,
/// from the Grundy values of the parts.
#[must_use]
pub fn sum_value(parts: impl IntoIterator<Item = u32>) -> Value {
    if parts.into_iter().fold(0, |sum, part| sum ^ part) == 0 { Value::Loss } else { Value::Win }
}
