use core::fmt;

use crate::{GameGraph, Solution, Value};

/// Where and why a claimed solution is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The claim is about another number of vertices.
    Length {
        /// Vertices in the claim.
        claimed: usize,
        /// Vertices in the graph.
        vertices: usize,
    },
    /// The game is over at this vertex, with another result than claimed.
    Terminal {
        /// The vertex.
        vertex: u32,
        /// What the graph says.
        right: Value,
    },
    /// The claimed value does not follow from the claimed values of the moves.
    Value {
        /// The vertex.
        vertex: u32,
        /// What follows.
        right: Value,
    },
    /// The claimed plies do not follow from the claimed plies of the moves.
    Plies {
        /// The vertex.
        vertex: u32,
        /// What follows.
        right: u64,
    },
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { claimed, vertices } => {
                write!(f, "{claimed} vertices are claimed, the graph has {vertices}")
            }
            Self::Terminal { vertex, right } => {
                write!(f, "the game is over at vertex {vertex}: it is a {right} in 0 plies")
            }
            Self::Value { vertex, right } => {
                write!(f, "vertex {vertex} must be a {right} by its moves")
            }
            Self::Plies { vertex, right } => {
                write!(f, "vertex {vertex} must have {right} plies by its moves")
            }
        }
    }
}

impl core::error::Error for VerifyError {}

/// Checks a claimed solution without solving: each vertex against its moves.
///
/// This is enough. Every won or lost vertex rests on vertices whose plies are one less or lower
/// still, so by induction on the plies each claim of a win or a loss is a proof of it; and a drawn
/// vertex has a move to a drawn one and none to a loss, so neither side need ever leave the draws
/// for the worse. Only one solution passes.
///
/// # Errors
///
/// The first vertex whose claim does not follow from those of its moves.
pub fn verify(graph: &GameGraph<'_>, claim: &Solution) -> Result<(), VerifyError> {
    if claim.vertices() != graph.vertices() {
        let (claimed, vertices) = (claim.vertices(), graph.vertices());
        return Err(VerifyError::Length { claimed, vertices });
    }
    (0..graph.vertices() as u32).try_for_each(|v| verify_vertex(graph, claim, v))
}

fn verify_vertex(graph: &GameGraph<'_>, claim: &Solution, vertex: u32) -> Result<(), VerifyError> {
    let (value, plies) = (claim.value(vertex), claim.plies(vertex));
    let moves = graph.rows().row(vertex);
    let over = match graph.label(vertex) {
        Some(label) => Some(label),
        None => moves.is_empty().then(|| graph.stuck()),
    };
    if let Some(right) = over {
        let plies_right = if right == Value::Draw { plies.is_none() } else { plies == Some(0) };
        let right_claim = value == right && plies_right;
        return if right_claim { Ok(()) } else { Err(VerifyError::Terminal { vertex, right }) };
    }
    // In 64 bits, so that a claim of u32::MAX plies cannot wrap.
    let depth = |&w: &u32| claim.plies(w).map(|plies| u64::from(plies) + 1);
    let quickest = moves.iter().filter(|&&w| claim.value(w) == Value::Loss).filter_map(depth).min();
    let slowest = moves.iter().filter(|&&w| claim.value(w) == Value::Win).filter_map(depth).max();
    let right = if quickest.is_some() {
        Value::Win
    } else if moves.iter().all(|&w| claim.value(w) == Value::Win) {
        Value::Loss
    } else {
        Value::Draw
    };
    if value != right {
        return Err(VerifyError::Value { vertex, right });
    }
    let right = match right {
        Value::Win => quickest,
        Value::Loss => slowest,
        Value::Draw => None,
    };
    match right {
        Some(right) if plies.map(u64::from) != Some(right) => {
            Err(VerifyError::Plies { vertex, right })
        }
        _ => Ok(()),
    }
}
