use core::ops::ControlFlow;

use crownhead_rules::{MOVE_CAPACITY, Move, MoveList, Position};

use crate::Score;

/// One move for each position that can follow, as many as the list holds.
pub(crate) fn moves_of(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    let _ = position.visit_distinct_moves(|m| match list.push(m) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    });
    list
}

/// A move of the root with what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) of: Move,
    pub(super) score: Score,
    /// The iteration that the score is of.
    pub(super) searched: u8,
}

/// The moves of the root, the best first.
pub(super) struct Roots(heapless::Vec<Root, MOVE_CAPACITY>);

impl Roots {
    pub(super) fn of(position: &Position) -> Self {
        let unknown = |of| Root { of, score: Score::DRAW, searched: 0 };
        Self(moves_of(position).iter().copied().map(unknown).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The best; there is one.
    pub(super) fn first(&self) -> Root {
        self.0[0]
    }

    pub(super) fn get(&self, i: usize) -> Root {
        self.0[i]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Move> {
        self.0.iter().map(|root| &root.of)
    }

    /// The move of this number in a list that nothing has reordered.
    pub(super) fn in_order(&self, number: u8) -> Option<Move> {
        self.0.get(usize::from(number)).map(|root| root.of)
    }

    /// Keeps the moves for which `keep` says so, if any.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Move) -> bool) {
        self.0.retain(|root| keep(&root.of));
    }

    /// A move is the best so far.
    pub(super) fn promote(&mut self, i: usize, score: Score, depth: u8) {
        self.0[i].score = score;
        self.0[i].searched = depth;
        self.0[..=i].rotate_right(1);
    }
}
