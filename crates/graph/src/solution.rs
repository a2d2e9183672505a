use alloc::vec;
use alloc::vec::Vec;

use crate::{GameGraph, Value};

/// The value and the depth of every vertex of a [`GameGraph`].
///
/// Depths are plies to the end of the game when the winner hurries and the loser delays.
/// 4.25 bytes a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Two bits a vertex, sixteen vertices a word: 0 draw, 1 win, 2 loss.
    pub(crate) values: Vec<u32>,
    /// 0 for draws.
    pub(crate) plies: Vec<u32>,
}

pub(crate) const OPEN: u32 = 0;
pub(crate) const WIN: u32 = 1;
pub(crate) const LOSS: u32 = 2;
/// A draw by label or by the stuck rule, while a solver runs: nothing may decide it again.
pub(crate) const CLOSED: u32 = 3;

pub(crate) const fn code(value: Value) -> u32 {
    match value {
        Value::Win => WIN,
        Value::Loss => LOSS,
        Value::Draw => CLOSED,
    }
}

#[inline]
pub(crate) const fn place(vertex: u32) -> (usize, u32) {
    ((vertex >> 4) as usize, (vertex & 15) * 2)
}

impl Solution {
    pub(crate) fn open(vertices: usize) -> Self {
        Self { values: vec![0; vertices.div_ceil(16)], plies: vec![0; vertices] }
    }

    /// A claim about each vertex, to be checked by [`verify`](crate::verify()): a value, and plies
    /// unless it is a draw. Plies given for a draw are dropped, missing ones count as 0.
    #[must_use]
    pub fn from_claims(claims: &[(Value, Option<u32>)]) -> Self {
        let mut solution = Self::open(claims.len());
        for (v, &(value, plies)) in claims.iter().enumerate() {
            if value != Value::Draw {
                solution.set(v as u32, code(value));
                solution.plies[v] = plies.unwrap_or(0);
            }
        }
        solution
    }

    #[inline]
    pub(crate) fn get(&self, vertex: u32) -> u32 {
        let (word, shift) = place(vertex);
        self.values[word] >> shift & 3
    }

    /// Sets the code of a vertex that has none yet.
    #[inline]
    pub(crate) fn set(&mut self, vertex: u32, code: u32) {
        let (word, shift) = place(vertex);
        self.values[word] |= code << shift;
    }

    /// Makes draws of what is open or closed, so that equal solutions are equal bytes.
    pub(crate) fn settle(&mut self) {
        for word in &mut self.values {
            let closed = *word & (*word >> 1) & 0x5555_5555;
            *word &= !(closed * 3);
        }
        for (chunk, &word) in self.plies.chunks_mut(16).zip(&self.values) {
            for (i, plies) in chunk.iter_mut().enumerate() {
                if word >> (2 * i) & 3 == OPEN {
                    *plies = 0;
                }
            }
        }
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.plies.len()
    }

    /// The value of `vertex` for the side to move.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex.
    #[must_use]
    #[inline]
    pub fn value(&self, vertex: u32) -> Value {
        assert!((vertex as usize) < self.plies.len(), "vertex {vertex} is not in the graph");
        match self.get(vertex) {
            WIN => Value::Win,
            LOSS => Value::Loss,
            _ => Value::Draw,
        }
    }

    /// Plies to the end of the game; none for a draw.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex.
    #[must_use]
    #[inline]
    pub fn plies(&self, vertex: u32) -> Option<u32> {
        (self.value(vertex) != Value::Draw).then(|| self.plies[vertex as usize])
    }

    /// How many vertices are wins, draws and losses.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for v in 0..self.vertices() as u32 {
            match self.value(v) {
                Value::Win => counts.wins += 1,
                Value::Draw => counts.draws += 1,
                Value::Loss => counts.losses += 1,
            }
        }
        counts
    }

    /// A vertex with the most plies among those of `value`, and its plies.
    #[must_use]
    pub fn longest(&self, value: Value) -> Option<(u32, u32)> {
        (0..self.vertices() as u32)
            .filter(|&v| self.value(v) == value)
            .filter_map(|v| Some((v, self.plies(v)?)))
            .max_by_key(|&(v, plies)| (plies, core::cmp::Reverse(v)))
    }

    /// The first move of `vertex` that keeps its value and its plies; none where the game is over.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex, or the solution is not one of `graph`.
    #[must_use]
    pub fn best_move(&self, graph: &GameGraph<'_>, vertex: u32) -> Option<u32> {
        let (value, plies) = (self.value(vertex), self.plies(vertex));
        let keeps = |&w: &u32| {
            self.value(w) == value.opposite()
                && plies.is_none_or(|plies| self.plies(w).is_some_and(|p| p + 1 == plies))
        };
        graph.moves(vertex).iter().copied().find(keeps)
    }

    /// The vertices of a line of best play from `vertex`, itself first, until the game is over, the
    /// line comes back to a vertex it has been on, or it has `limit` moves.
    #[must_use]
    pub fn line(&self, graph: &GameGraph<'_>, vertex: u32, limit: usize) -> Vec<u32> {
        let mut line = vec![vertex];
        let mut seen: hashbrown::HashSet<u32> = core::iter::once(vertex).collect();
        let mut at = vertex;
        while line.len() <= limit {
            let Some(next) = self.best_move(graph, at) else { break };
            line.push(next);
            if !seen.insert(next) {
                break;
            }
            at = next;
        }
        line
    }
}

/// How many vertices have each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won for the side to move.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost for the side to move.
    pub losses: u64,
}
