//! One component: the words of all placements of the kings for one placement of the men.

use crownhead_index::product::{self, Group};
use crownhead_rules::Color;

use super::classify::{Classifier, Planes};
use super::groups::Groups;
use super::record::Record;
use super::rows::Scratch;
use super::store::Words;
use crate::Phase;

/// Working words of one component, by side to move.
#[derive(Debug, Default)]
pub(super) struct Component {
    pub(super) wins: [Vec<u32>; 2],
    pub(super) losses: [Vec<u32>; 2],
    /// Valid positions without a capture.
    pub(super) quiet: [Vec<u32>; 2],
    /// Quiet positions of which no conversion avoids a loss.
    pub(super) open: [Vec<u32>; 2],
}

impl Component {
    pub(super) fn new(words: usize) -> Self {
        let plane = || [vec![0; words], vec![0; words]];
        Self { wins: plane(), losses: plane(), quiet: plane(), open: plane() }
    }

    pub(super) fn planes(&mut self, side: Color, words: core::ops::Range<usize>) -> Planes<'_> {
        let side = side as usize;
        Planes {
            wins: &mut self.wins[side][words.clone()],
            losses: &mut self.losses[side][words.clone()],
            quiet: &mut self.quiet[side][words.clone()],
            open: &mut self.open[side][words],
        }
    }

    /// Keeps what is known if this is the phase that is recorded.
    pub(super) fn record(&mut self, record: Option<&mut Record>, phase: Phase, first: usize) {
        if let Some(record) = record.filter(|record| record.phase == phase) {
            for side in Color::BOTH {
                record.keep(side, first, &self.planes(side, 0..self.wins[0].len()));
            }
        }
    }

    /// Captures and promotions.
    pub(super) fn classify(
        &mut self,
        classifier: &Classifier,
        at: product::Component,
        scratch: &mut Scratch,
    ) {
        let (row_len, len) = (classifier.row_len(), self.wins[0].len());
        for row in 0..len / row_len {
            let ranks = [at.black, row as u32, at.white, 0];
            let outer = classifier.outer(ranks);
            for side in Color::BOTH {
                let words = row * row_len..(row + 1) * row_len;
                classifier.row(side, &outer, &mut self.planes(side, words), scratch);
            }
        }
    }

    /// Man moves, to components solved before.
    pub(super) fn add_men(
        &mut self,
        classifier: &Classifier,
        solved: &[Words; 2],
        at: product::Component,
    ) {
        let index = &classifier.index;
        let len = self.wins[0].len();
        for (side, men) in [(Color::Black, Group::BlackMen), (Color::White, Group::WhiteMen)] {
            let table = Groups::shared().table(men, index.counts()[men as usize]);
            let rank = if side == Color::Black { at.black } else { at.white };
            for &to in table.steps(rank) {
                let to = match side {
                    Color::Black => [to, 0, at.white, 0],
                    Color::White => [at.black, 0, to, 0],
                };
                let first = index.word(to) as usize;
                let target = &solved[side.other() as usize];
                let (wins, losses) =
                    (&target.wins[first..first + len], &target.losses[first..first + len]);
                let planes = self.planes(side, 0..len);
                for word in 0..len {
                    planes.wins[word] |= losses[word] & planes.quiet[word];
                    planes.open[word] &= wins[word];
                }
            }
        }
    }

    /// A side without moves inside the component has lost whatever is open.
    pub(super) fn lose_open(&mut self, side: Color) {
        let planes = self.planes(side, 0..self.wins[0].len());
        for word in 0..planes.wins.len() {
            planes.losses[word] |= planes.open[word] & !planes.wins[word];
        }
    }
}
