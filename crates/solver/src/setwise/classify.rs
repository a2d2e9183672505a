//! Looks up captures and promotions: what can be said before any quiet move.
//!
//! Words are classified in rows: all sets of one group, the *lanes*, with the other numbered
//! pieces, the *outer* ones, fixed. The lane group is the innermost one of which more than one set
//! exists, so a row is contiguous.

use crownhead_index::product::{Group, ProductIndex};
use crownhead_rules::Color;

use super::crowning::Crowning;
use super::groups::{Groups, Lanes};
use super::leaves::Leaves;
use super::rows::{self, Scratch};
use super::scores::{Code, SQUARES};
use super::store::Store;
use super::vector::VectorPath;
use super::views::Views;
use super::word::{Found, Mover};
use crate::SolveError;

/// The pieces that stay where they are in one row.
pub(super) struct Outer<'a> {
    /// By group, nothing for the lanes.
    pub(super) sets: [u32; 4],
    pub(super) ranks: [u32; 4],
    /// All squares of those sets.
    pub(super) occupied: u32,
    pub(super) lane: Group,
    pub(super) lanes: &'a Lanes,
}

impl Outer<'_> {
    /// Where the row begins in an arrangement of as many pieces of each group.
    pub(super) fn base(&self, strides: &[usize; 4]) -> usize {
        (0..4).map(|g| strides[g] * self.ranks[g] as usize).sum()
    }
}

/// One side's words of a row: what is known, and what remains open.
pub(super) struct Planes<'a> {
    pub(super) wins: &'a mut [u32],
    pub(super) losses: &'a mut [u32],
    /// Valid positions without a capture.
    pub(super) quiet: &'a mut [u32],
    /// Quiet positions of which no conversion seen so far avoids a loss.
    pub(super) open: &'a mut [u32],
}

impl Planes<'_> {
    /// Some of the words.
    pub(super) fn part(&mut self, words: core::ops::Range<usize>) -> Planes<'_> {
        Planes {
            wins: &mut self.wins[words.clone()],
            losses: &mut self.losses[words.clone()],
            quiet: &mut self.quiet[words.clone()],
            open: &mut self.open[words],
        }
    }

    /// What captures make of one word.
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, valid: u32, found: &Found<'_>) {
        self.wins[lane] = !valid | found.wins;
        self.losses[lane] = found.captures & !found.escapes;
        self.quiet[lane] = valid & !found.captures;
        self.open[lane] = self.quiet[lane];
    }

    /// A quiet move leads from this lane to that word of a table.
    #[inline]
    pub(super) fn add(&mut self, lane: usize, table: &super::leaves::Arrangement, word: usize) {
        self.wins[lane] |= table.losses()[word] & self.quiet[lane];
        self.open[lane] &= table.wins()[word];
    }
}

/// How captures are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Captures {
    /// A row at a time.
    ByRow,
    /// A word at a time: slow and plain.
    #[cfg_attr(not(test), expect(dead_code, reason = "the twin that tests compare with"))]
    ByWord,
}

/// Everything that the rows of one material need.
pub(super) struct Classifier {
    pub(super) index: ProductIndex,
    pub(super) lane: Group,
    pub(super) path: VectorPath,
    captures: Captures,
    leaves: [Leaves; 2],
    crowning: [Crowning; 2],
}

impl Classifier {
    pub(super) fn new(
        store: &Store,
        views: &Views,
        index: ProductIndex,
        path: VectorPath,
        captures: Captures,
    ) -> Result<Self, SolveError> {
        let leaves = |side| Leaves::new(store, views, &index, side);
        let crowning = |side| Crowning::new(store, views, &index, side);
        let lane = ProductIndex::INNER_TO_OUTER
            .into_iter()
            .find(|&group| index.dims()[group as usize] > 1)
            .expect("two pieces at least, and one of them numbered");
        Ok(Self {
            index,
            lane,
            path,
            captures,
            leaves: [leaves(Color::Black)?, leaves(Color::White)?],
            crowning: [crowning(Color::Black)?, crowning(Color::White)?],
        })
    }

    /// How many words a row has.
    pub(super) fn row_len(&self) -> usize {
        self.index.dims()[self.lane as usize] as usize
    }

    /// The row with these ranks; that of the lanes is ignored.
    pub(super) fn outer(&self, ranks: [u32; 4]) -> Outer<'static> {
        let groups = Groups::shared();
        let mut outer = Outer {
            sets: [0; 4],
            ranks,
            occupied: 0,
            lane: self.lane,
            lanes: groups.lanes(self.lane, self.index.counts()[self.lane as usize]),
        };
        outer.ranks[self.lane as usize] = 0;
        for group in Group::ALL.into_iter().filter(|&group| group != self.lane) {
            let g = group as usize;
            outer.sets[g] = groups.table(group, self.index.counts()[g]).sets()[ranks[g] as usize];
            outer.occupied |= outer.sets[g];
        }
        outer
    }

    /// Classifies one row for one side to move.
    ///
    /// Where distances to the end are wanted, `best`, in which nothing is known, gets the least
    /// codes behind captures and promotions.
    pub(super) fn row(
        &self,
        side: Color,
        outer: &Outer<'_>,
        planes: &mut Planes<'_>,
        mut best: Option<&mut [Code]>,
        scratch: &mut Scratch,
    ) {
        let pieces: u32 = outer.sets.iter().map(|set| set.count_ones()).sum();
        if outer.occupied.count_ones() != pieces {
            planes.wins.fill(!0);
            planes.losses.fill(0);
            planes.quiet.fill(0);
            planes.open.fill(0);
            return;
        }
        let mover = Mover { leaves: &self.leaves[side as usize], side, fast: self.index.fast() };
        match self.captures {
            Captures::ByRow => {
                rows::find(self.path, &mover, outer, scratch, planes, best.as_deref_mut());
            }
            Captures::ByWord => captures_by_word(&mover, outer, planes, best.as_deref_mut()),
        }
        self.crowning[side as usize].add(outer, planes, best, self.path);
    }
}

/// The search by word for every word of a row: the slow twin of [`rows::find`].
fn captures_by_word(
    mover: &Mover<'_>,
    outer: &Outer<'_>,
    planes: &mut Planes<'_>,
    mut best: Option<&mut [Code]>,
) {
    let mut sets = outer.sets;
    for (lane, &set) in outer.lanes.table.sets().iter().enumerate() {
        sets[outer.lane as usize] = set;
        let valid = if outer.occupied & set != 0 {
            0
        } else {
            mover.fast.squares().0 & !(outer.occupied | set)
        };
        let best = best.as_deref_mut().map(|best| &mut best[SQUARES * lane..][..SQUARES]);
        let mut found = Found { best, ..Found::default() };
        if valid != 0 {
            mover.all(sets, valid, &mut found);
        }
        planes.set(lane, valid, &found);
    }
}
