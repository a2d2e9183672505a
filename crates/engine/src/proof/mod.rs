//! Proofs of values above the tables, by depth-first proof-number search (Nagai, 2002).
//!
//! The question is always "does this side win?". A proof of yes is a tree that ends in positions
//! without moves and in table values; a proof of no may also go in circles, as the side that
//! cannot win need not make progress. What holds only because of the positions before it (the
//! graph history interaction problem) is never kept: a *no* that rests on an earlier position of
//! the line holds while the line still goes through it, and becomes lasting where no earlier one
//! is needed any more.
//! Repetitions and the 40-move rule in the game so far are left aside, as in the tables.

mod slot;
mod tree;

use crownhead_rules::{Color, Position, Prober, Value};

pub use self::slot::ProofSlot;
use self::tree::Tree;
use crate::Limits;

/// What is known of a value: the least and the most that it can be, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Not less than this.
    pub least: Value,
    /// Not more than this.
    pub most: Value,
}

impl Proof {
    /// Nothing is known.
    pub const NONE: Self = Self { least: Value::Loss, most: Value::Win };

    /// The value, if it is proved.
    pub fn value(self) -> Option<Value> {
        (self.least == self.most).then_some(self.least)
    }
}

/// Looks for proofs, and keeps what it has found.
///
/// Recursion takes up to 2 KiB of stack a ply and goes down to 256 plies: for computers, not for
/// microcontrollers.
#[derive(Debug)]
pub struct Prover<'a, P> {
    tables: &'a P,
    /// By the side that is to win.
    slots: [&'a mut [ProofSlot]; 2],
    nodes: u64,
}

impl<'a, P: Prober> Prover<'a, P> {
    /// A prover with this memory, half of it for each side's wins, and these tables.
    pub fn new(slots: &'a mut [ProofSlot], tables: &'a P) -> Self {
        let half = slots.len() / 2;
        let (black, white) = slots.split_at_mut(half);
        Self { tables, slots: [black, white], nodes: 0 }
    }

    /// Positions visited so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a side wins, if that can be proved before a limit is met (`depth` is none here).
    ///
    /// `false` says that the other side can hold at least a draw.
    pub fn wins(
        &mut self,
        position: &Position,
        winner: Color,
        limits: &Limits<'_>,
    ) -> Option<bool> {
        let slots = &mut *self.slots[winner as usize];
        let mut tree = Tree::new(self.tables, slots, winner, limits, self.nodes);
        let found = tree.prove(position);
        self.nodes += tree.nodes();
        found
    }

    /// The value of a position as far as it can be proved before a limit is met: both sides' wins
    /// by turns, each time with twice the effort; most of it for the side that is expected to win,
    /// if one is.
    pub fn prove(
        &mut self,
        position: &Position,
        expected: Option<Color>,
        limits: &Limits<'_>,
    ) -> Proof {
        /// So many times as much as for the other side.
        const FAVOUR: u64 = 4;
        let mut proof = Proof::NONE;
        let side = position.side_to_move;
        let start = self.nodes;
        let mut effort: u64 = 2_000;
        loop {
            for winner in [side, side.other()] {
                let left = limits.nodes.saturating_sub(self.nodes - start);
                let share = if expected == Some(winner) { FAVOUR } else { 1 };
                let limits = Limits { nodes: left.min(effort.saturating_mul(share)), ..*limits };
                let open = if winner == side {
                    proof.most == Value::Win
                } else {
                    proof.least == Value::Loss
                };
                if open && let Some(wins) = self.wins(position, winner, &limits) {
                    match (winner == side, wins) {
                        (true, true) => proof.least = Value::Win,
                        (true, false) => proof.most = Value::Draw,
                        (false, true) => proof.most = Value::Loss,
                        (false, false) => proof.least = proof.least.max(Value::Draw),
                    }
                }
                if proof.value().is_some() {
                    return proof;
                }
            }
            if self.nodes - start >= limits.nodes || (limits.stop)() {
                return proof;
            }
            effort = effort.saturating_mul(2);
        }
    }
}
