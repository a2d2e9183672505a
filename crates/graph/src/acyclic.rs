use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::solution::code;
use crate::{GameGraph, Solution, Value};

/// A graph that should have had no cycle has this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The vertices on it in order, each once; the last one has a move to the first.
    pub vertices: Vec<u32>,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the graph has the cycle ")?;
        for v in self.vertices.iter().take(20) {
            write!(f, "{v} → ")?;
        }
        if self.vertices.len() > 20 {
            write!(f, "… ({} vertices) → ", self.vertices.len())?;
        }
        write!(f, "{}", self.vertices[0])
    }
}

impl core::error::Error for Cycle {}

/// All vertices, each after those that it can move to. Moves from labelled vertices do not count.
///
/// # Errors
///
/// A cycle, if there is one; a self-loop is a cycle of one vertex.
pub fn successors_first(graph: &GameGraph<'_>) -> Result<Vec<u32>, Cycle> {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let vertices = graph.vertices();
    let mut state = vec![NEW; vertices];
    let mut order = Vec::with_capacity(vertices);
    let mut path: Vec<(u32, u32)> = Vec::new();
    for root in 0..vertices as u32 {
        if state[root as usize] != NEW {
            continue;
        }
        state[root as usize] = OPEN;
        path.push((root, 0));
        while let Some(&mut (v, ref mut next)) = path.last_mut() {
            let Some(&w) = graph.moves(v).get(*next as usize) else {
                state[v as usize] = DONE;
                order.push(v);
                path.pop();
                continue;
            };
            *next += 1;
            match state[w as usize] {
                NEW => {
                    state[w as usize] = OPEN;
                    path.push((w, 0));
                }
                OPEN => {
                    let from = path.iter().position(|&(v, _)| v == w).unwrap_or(0);
                    return Err(Cycle { vertices: path[from..].iter().map(|&(v, _)| v).collect() });
                }
                _ => {}
            }
        }
    }
    Ok(order)
}

/// Solves a graph without cycles in one pass, each vertex after those that it can move to.
///
/// The same result as [`retrograde`](crate::retrograde()), without the reversed edges. Only labels
/// and a drawing stuck rule make draws here.
///
/// # Errors
///
/// A cycle, if there is one.
pub fn acyclic(graph: &GameGraph<'_>) -> Result<Solution, Cycle> {
    let mut solution = Solution::open(graph.vertices());
    for v in successors_first(graph)? {
        let (value, plies) = match graph.terminal(v) {
            Some(value) => (value, 0),
            None => best(graph, &solution, v),
        };
        if value != Value::Draw {
            solution.set(v, code(value));
            solution.plies[v as usize] = plies;
        }
    }
    Ok(solution)
}

/// The best move's value and plies for the side that moves at `v`, whose successors are solved.
fn best(graph: &GameGraph<'_>, solution: &Solution, v: u32) -> (Value, u32) {
    let mut best = (Value::Loss, 0);
    for &w in graph.moves(v) {
        let (value, plies) = (solution.value(w).opposite(), solution.plies(w).map_or(0, |p| p + 1));
        let better = match value {
            Value::Win => best.0 != Value::Win || plies < best.1,
            Value::Draw => best.0 == Value::Loss,
            Value::Loss => best.0 == Value::Loss && plies > best.1,
        };
        if better {
            best = (value, plies);
        }
    }
    best
}
