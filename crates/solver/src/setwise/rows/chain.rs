//! Captures of several pieces, all the same in every lane: the fast piece takes or is taken first,
//! and the rest of the victims are outer pieces.

use crownhead_index::product::Group;
use crownhead_rules::PieceKind;

use super::super::geometry::{JUMP, NEIGHBOUR, OFF};
use super::super::groups::rank;
use super::super::leaves::{Ending, Taken};
use super::fetch::Row;
use super::kernels::Line;
use super::{Captures, KINDS};

/// A capture so far.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    kind: PieceKind,
    /// Where the fast piece stands at first, as a mask.
    square: u32,
    /// The outer piece that took it: its group, its group's rank without it, and where it stood.
    taker: Option<(Group, u32, u32)>,
    /// The enemies that are left, by kind.
    enemies: [u32; 2],
    taken: Taken,
    /// Squares landed on.
    through: u32,
}

impl Chain {
    fn new(captures: &Captures<'_>, kind: PieceKind, square: u32) -> Self {
        let enemies = KINDS.map(|kind| captures.outer.sets[captures.enemy(kind) as usize]);
        Self { kind, square, taker: None, enemies, taken: Taken::default(), through: 0 }
    }

    /// The fast piece begins.
    pub(super) fn by_fast(captures: &Captures<'_>, kind: PieceKind, square: u32) -> Self {
        Self::new(captures, kind, square)
    }

    /// An outer piece takes the fast one first.
    pub(super) fn over_fast(
        captures: &Captures<'_>,
        mover: Group,
        from: usize,
        rest: u32,
        square: u32,
    ) -> Self {
        let taker = Some((mover, rest, 1 << from));
        Self { taker, ..Self::new(captures, mover.kind(), square) }
    }

    /// Takes an outer piece.
    pub(super) fn take(&mut self, victim: Group, square: usize) {
        self.enemies[victim.kind() as usize] &= !(1 << square);
        self.taken = self.taken.and(victim.kind());
    }
}

impl<'a> Captures<'a> {
    /// Follows a capture that has landed on a square to all its ends, which are added to the list.
    ///
    /// No landing square is one of a piece that was taken: those are an odd number of rows away.
    pub(super) fn follow(&self, chain: Chain, at: u8, ends: &mut Vec<(Row<'a>, Line)>) {
        let crowned = self.crowns(chain.kind, at);
        let left = chain.taker.map_or(0, |(_, _, from)| from);
        let occupied = self.outer.occupied & !left;
        let (mut stops, mut goes_on) = (0, false);
        for d in self.directions(chain.kind) {
            let (over, to) = (NEIGHBOUR[d][at as usize], JUMP[d][at as usize]);
            if crowned || to == OFF || occupied >> to & 1 != 0 {
                continue;
            }
            let Some(kind) =
                KINDS.into_iter().find(|&k| chain.enemies[k as usize] >> over & 1 != 0)
            else {
                continue;
            };
            // The square that the taker has left is free in every lane.
            goes_on |= left >> to & 1 != 0;
            stops |= 1 << to;
            let mut next = Chain { through: chain.through | 1 << at, ..chain };
            next.take(self.enemy(kind), over as usize);
            self.follow(next, to, ends);
        }
        if !goes_on {
            ends.push(self.end(&chain, at, crowned, stops, left));
        }
    }

    fn end(&self, chain: &Chain, at: u8, crowned: bool, stops: u32, left: u32) -> (Row<'a>, Line) {
        let ending = match (chain.taker, crowned) {
            (Some((mover, ..)), _) => Self::taking_fast(mover.kind(), crowned),
            (None, true) => Ending::FastCrowned,
            (None, false) => Ending::Kept,
        };
        let [men, kings] = KINDS.map(|kind| {
            let group = self.enemy(kind);
            (group, rank(group, chain.enemies[kind as usize]))
        });
        let taker = chain.taker.map_or(men, |(mover, rest, _)| (mover, rest));
        let leaf = self.leaves.get(ending, chain.taken);
        // The lanes are not the enemy's: their group's rank is left out of the base.
        let row = Row::new(leaf, self.outer, &[men, kings, taker]);
        let landing = 1 << at;
        let through = (chain.through | landing) & !left;
        let line = Line { through, stops, ..Line::new(landing, chain.square) };
        (row, line)
    }
}
