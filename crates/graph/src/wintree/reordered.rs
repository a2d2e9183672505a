use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::{Arena, Ending, Player};

/// A game whose moves are tried in an order that the caller chooses: the strongest first.
///
/// `order` is called once for each vertex, when that is expanded, with the vertices that can be
/// moved to; whatever order it leaves them in is the one they are visited in.
pub struct Reordered<A, F> {
    arena: A,
    order: F,
    rows: Vec<Option<Box<[u32]>>>,
}

impl<A: Arena, F: FnMut(&A, u32, &mut [u32])> Reordered<A, F> {
    /// The same game with its moves ordered by `order`.
    #[must_use]
    pub fn new(arena: A, order: F) -> Self {
        Self { arena, order, rows: Vec::new() }
    }

    /// The game within.
    #[must_use]
    pub fn into_inner(self) -> A {
        self.arena
    }
}

impl<A: Arena, F: FnMut(&A, u32, &mut [u32])> Arena for Reordered<A, F> {
    fn known(&self) -> usize {
        self.arena.known()
    }

    fn expand(&mut self, vertex: u32) -> u32 {
        if let Some(Some(row)) = self.rows.get(vertex as usize) {
            return row.len() as u32;
        }
        let degree = self.arena.expand(vertex);
        let mut row: Vec<u32> = (0..degree).map(|i| self.arena.successor(vertex, i)).collect();
        (self.order)(&self.arena, vertex, &mut row);
        if self.rows.len() < self.arena.known() {
            self.rows.resize(self.arena.known(), None);
        }
        self.rows[vertex as usize] = Some(row.into());
        degree
    }

    fn degree(&self, vertex: u32) -> u32 {
        self.arena.degree(vertex)
    }

    fn successor(&self, vertex: u32, i: u32) -> u32 {
        self.rows[vertex as usize].as_ref().expect("the vertex has been expanded")[i as usize]
    }

    fn turn(&self, vertex: u32) -> Player {
        self.arena.turn(vertex)
    }

    fn ending(&self, vertex: u32) -> Option<Ending> {
        self.arena.ending(vertex)
    }
}
