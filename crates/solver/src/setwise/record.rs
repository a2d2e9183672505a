//! What is known of every position at the end of a phase, for comparison with other backends.

use crownhead_index::product::ProductIndex;
use crownhead_rules::Color;

use super::classify::Planes;
use super::count::counted_words;
use crate::{Flags, Phase};

/// The planes of both sides at the end of one phase.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Record {
    index: ProductIndex,
    pub(super) phase: Phase,
    sides: [[Vec<u32>; 4]; 2],
}

impl Record {
    pub(super) fn new(index: &ProductIndex, phase: Phase) -> Self {
        let words = index.words() as usize;
        let planes = || [vec![!0; words], vec![0; words], vec![0; words], vec![0; words]];
        Self { index: *index, phase, sides: [planes(), planes()] }
    }

    /// Keeps these words, from this one on.
    pub(super) fn keep(&mut self, side: Color, first: usize, planes: &Planes<'_>) {
        let [wins, losses, quiet, open] = &mut self.sides[side as usize];
        let words = first..first + planes.wins.len();
        wins[words.clone()].copy_from_slice(planes.wins);
        losses[words.clone()].copy_from_slice(planes.losses);
        quiet[words.clone()].copy_from_slice(planes.quiet);
        open[words].copy_from_slice(planes.open);
    }

    /// In perfect-index order.
    pub(super) fn flags(&self, side: Color) -> Vec<Flags> {
        let planes = &self.sides[side as usize];
        let kept = if self.phase >= Phase::Sweep { 2 } else { 4 };
        let mut flags = Vec::new();
        counted_words(&self.index, |word, mut counted| {
            while counted != 0 {
                let bit = counted.trailing_zeros();
                counted &= counted - 1;
                let flag = |plane: usize| (planes[plane][word] >> bit & 1) << plane;
                flags.push(Flags((0..kept).map(flag).sum::<u32>() as u8));
            }
        });
        flags
    }
}
