//! The king moves inside a component, which is a table of rows and lanes.

use crownhead_index::product::{Group, GroupTable, ProductIndex};
use crownhead_rules::{Color, PieceKind};

use super::super::geometry::{EDGE, origins};
use super::super::groups::Groups;
use super::super::mutation::{Mutation, made};

/// How the numbered kings of one side move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numbered {
    /// There are none.
    No,
    /// From row to row, in the same lane.
    Rows(&'static GroupTable),
    /// From lane to lane, in the same row.
    Lanes(&'static GroupTable),
}

/// The king moves of one material.
#[derive(Debug)]
pub(in super::super) struct KingMoves {
    pub(super) rows: usize,
    pub(super) lanes: usize,
    pub(super) numbered: [Numbered; 2],
    /// Whose king is the fast piece.
    pub(super) fast: Option<Color>,
    kings: [bool; 2],
}

impl KingMoves {
    pub(in super::super) fn new(index: &ProductIndex) -> Self {
        let dim = |group: Group| index.dims()[group as usize] as usize;
        let table = |group: Group| Groups::shared().table(group, index.counts()[group as usize]);
        let (black, white) = (Group::BlackKings, Group::WhiteKings);
        let numbered = |group: Group, inner: bool| match (dim(group), inner) {
            (1, _) => Numbered::No,
            (_, true) => Numbered::Lanes(table(group)),
            (_, false) => Numbered::Rows(table(group)),
        };
        let (rows, lanes) = match dim(white) {
            1 => (1, dim(black)),
            lanes => (dim(black), lanes),
        };
        let fast = index.fast();
        Self {
            rows,
            lanes,
            numbered: [numbered(black, rows == 1), numbered(white, true)],
            fast: (fast.kind() == PieceKind::King).then_some(fast.color()),
            kings: Color::BOTH.map(|side| index.material().side(side).kings > 0),
        }
    }

    pub(in super::super) fn has_kings(&self, side: Color) -> bool {
        self.kings[side as usize]
    }

    pub(super) fn owns_fast(&self, side: Color) -> bool {
        self.fast == Some(side)
    }

    pub(super) fn words(&self) -> usize {
        self.rows * self.lanes
    }

    /// The words that one step of a numbered king leads to, or from.
    #[inline(always)]
    pub(super) fn neighbours(
        &self,
        side: Color,
        row: usize,
        word: usize,
        mut with: impl FnMut(usize, usize) -> bool,
    ) {
        let (lanes, lane) = (self.lanes, word - row * self.lanes);
        match self.numbered[side as usize] {
            Numbered::No => {}
            Numbered::Rows(table) => {
                for &to in table.steps(row as u32) {
                    if !with(to as usize, to as usize * lanes + lane) {
                        return;
                    }
                }
            }
            Numbered::Lanes(table) => {
                for &to in table.steps(lane as u32) {
                    if !with(row, row * lanes + to as usize) {
                        return;
                    }
                }
            }
        }
    }
}

/// Squares of a king from which a step leads into the set.
#[inline(always)]
pub(super) fn reaching(set: u32) -> u32 {
    origins(0, set) | origins(1, set) | origins(2, set) | origins(3, set)
}

/// Squares of a king from which every step leads into the set.
#[inline(always)]
pub(super) fn forced(set: u32) -> u32 {
    if made(Mutation::OrForAnd) {
        return reaching(set);
    }
    (origins(0, set) | EDGE[0])
        & (origins(1, set) | EDGE[1])
        & (origins(2, set) | EDGE[2])
        & (origins(3, set) | EDGE[3])
}
