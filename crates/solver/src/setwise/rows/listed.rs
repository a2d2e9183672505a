//! Captures between a piece of the lanes and an outer piece: only some lanes have one.

use super::super::scores::{Code, lower_one, word_mut};
use super::fetch::Row;
use super::kernels::{GoesOn, Scratch, Sweeping};

/// A capture in which a piece of the lanes takes part, in lanes that are listed one by one.
pub(super) struct Listed<'a> {
    pub(super) sweeping: Sweeping,
    pub(super) goes_on: GoesOn,
    pub(super) row: Row<'a>,
    /// By direction: where it goes on over the fast piece.
    pub(super) next: [(Row<'a>, GoesOn); 4],
}

impl Listed<'_> {
    /// Adds one lane's capture: looked up at `rank` of the lanes' group, or at `rest` if it goes
    /// on over the fast piece.
    #[inline(always)]
    pub(super) fn add(
        &self,
        scratch: &mut Scratch,
        mut best: Option<&mut [Code]>,
        lane: usize,
        rank: u32,
        rest: u32,
    ) {
        let free = scratch.free[lane];
        let sweeping = &self.sweeping;
        if free & sweeping.landing == 0 {
            return;
        }
        let mask = free & sweeping.fast_squares & !sweeping.landing;
        scratch.captures[lane] |= mask;
        if scratch.jumps(self.goes_on, lane) & sweeping.landing != 0 {
            scratch.goes_on[lane] = !0;
            return;
        }
        let next = sweeping.taken_next(free) & mask;
        let [wins, losses] = self.row.at(rank);
        scratch.wins[lane] |= mask & !next & losses;
        scratch.escapes[lane] |= mask & !next & !wins;
        if let Some(best) = best.as_deref_mut() {
            self.row.lower(rank, mask & !next, word_mut(best, lane));
        }
        if next == 0 {
            return;
        }
        for ([square, landing], (row, goes_on)) in sweeping.over_fast.into_iter().zip(self.next) {
            if next & square == 0 || free & landing == 0 {
                continue;
            }
            if scratch.jumps(goes_on, lane) & landing != 0 {
                scratch.goes_on[lane] = !0;
                continue;
            }
            let [wins, losses] = row.at(rest);
            scratch.wins[lane] |= if losses & landing != 0 { square } else { 0 };
            scratch.escapes[lane] |= if wins & landing == 0 { square } else { 0 };
            if let Some(best) = best.as_deref_mut() {
                let code = row.code(rest, landing.trailing_zeros());
                lower_one(best, lane, square.trailing_zeros(), code);
            }
        }
    }
}
