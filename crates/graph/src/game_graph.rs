use alloc::vec::Vec;

use crate::{GraphError, Rows, Value};

/// A game on a directed graph: the players move in turn along the edges.
///
/// A self-loop is a move. A vertex may be labelled with its value for the side to move; the game is
/// over there, whatever edges it has. At any other vertex without edges the side to move is stuck:
/// it loses, unless [`with_stuck`](Self::with_stuck) says that it wins or draws.
///
/// ```
/// use crownhead_graph::{GameGraph, Value, retrograde};
///
/// // 0 → 1 → 2; 3 ⇄ 4 with an exit 4 → 2; 5 ⇄ 6.
/// let edges = [(0, 1), (1, 2), (3, 4), (4, 3), (4, 2), (5, 6), (6, 5)];
/// let solution = retrograde(&GameGraph::from_edges(7, edges.into_iter())?);
/// let values: Vec<_> = (0..7).map(|v| solution.value(v)).collect();
/// use Value::{Draw, Loss, Win};
/// assert_eq!(values, [Loss, Win, Loss, Loss, Win, Draw, Draw]);
/// assert_eq!(solution.plies(0), Some(2));
/// # Ok::<(), crownhead_graph::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameGraph<'a> {
    rows: Rows<'a>,
    /// One for each vertex, or empty when no vertex is labelled.
    labels: Vec<Option<Value>>,
    stuck: Value,
}

impl GameGraph<'static> {
    /// A graph of `vertices` vertices from its edges, in two passes over the iterator.
    ///
    /// # Errors
    ///
    /// Those of [`Rows::from_edges`].
    pub fn from_edges<I>(vertices: usize, edges: I) -> Result<Self, GraphError>
    where
        I: Iterator<Item = (u32, u32)> + Clone,
    {
        Rows::from_edges(vertices, edges).map(GameGraph::new)
    }
}

impl<'a> GameGraph<'a> {
    /// A graph without labels, where a side that cannot move loses.
    #[must_use]
    pub fn new(rows: Rows<'a>) -> Self {
        Self { rows, labels: Vec::new(), stuck: Value::Loss }
    }

    /// The same graph with a label or none for each vertex.
    ///
    /// # Errors
    ///
    /// [`GraphError::WrongLength`] if there is not one entry for each vertex.
    pub fn with_labels(mut self, labels: Vec<Option<Value>>) -> Result<Self, GraphError> {
        if labels.len() != self.vertices() {
            let (given, vertices) = (labels.len(), self.vertices());
            return Err(GraphError::WrongLength { what: "labels", given, vertices });
        }
        self.labels = if labels.iter().all(Option::is_none) { Vec::new() } else { labels };
        Ok(self)
    }

    /// The same graph where a side that cannot move gets `stuck`.
    #[must_use]
    pub fn with_stuck(mut self, stuck: Value) -> Self {
        self.stuck = stuck;
        self
    }

    /// The moves.
    #[must_use]
    pub fn rows(&self) -> &Rows<'a> {
        &self.rows
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.rows.vertices()
    }

    /// The labels, one entry for each vertex, or an empty slice when there are none.
    #[must_use]
    pub fn labels(&self) -> &[Option<Value>] {
        &self.labels
    }

    /// The label of `vertex`.
    #[must_use]
    #[inline]
    pub fn label(&self, vertex: u32) -> Option<Value> {
        self.labels.get(vertex as usize).copied().flatten()
    }

    /// What a side that cannot move gets.
    #[must_use]
    pub fn stuck(&self) -> Value {
        self.stuck
    }

    /// The value of a vertex where the game is over: labelled, or without moves.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex.
    #[must_use]
    #[inline]
    pub fn terminal(&self, vertex: u32) -> Option<Value> {
        match self.label(vertex) {
            None if self.rows.degree(vertex) == 0 => Some(self.stuck),
            label => label,
        }
    }

    /// The vertices that can be moved to: none where the game is over.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex.
    #[must_use]
    #[inline]
    pub fn moves(&self, vertex: u32) -> &[u32] {
        if self.label(vertex).is_some() { &[] } else { self.rows.row(vertex) }
    }
}
