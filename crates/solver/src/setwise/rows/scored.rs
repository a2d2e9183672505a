//! The least codes behind a row's captures: what [`kernels`](super::kernels) decide, once more for
//! distances to the end of the game.

use super::super::geometry::{JUMP, NEIGHBOUR, back};
use super::super::scores::{Code, Kept, NONE, SQUARES, lower_one, with_codes, word_mut};
use super::fetch::Row;
use super::kernels::{GoesOn, LaneLine, Line, Scratch, Sweeping};

/// The same capture in every lane.
#[inline(always)]
pub(super) fn line(
    best: &mut [Code],
    scratch: &Scratch,
    row: Row<'_>,
    line: Line,
    goes_on: GoesOn,
) {
    if line.square == 0 {
        return;
    }
    let needed = line.square | line.through;
    let landing = line.landing.trailing_zeros() as usize;
    let square = line.square.trailing_zeros();
    let mut lower = |lane: usize, code: Code| {
        let free = scratch.free[lane];
        let unfit = !free & needed | free & line.stops;
        let ends = unfit == 0 && scratch.jumps(goes_on, lane) & line.landing == 0;
        lower_one(best, lane, square, if ends { code } else { NONE });
    };
    let lanes = scratch.free.len();
    match row {
        Row::Won => (0..lanes).for_each(|lane| lower(lane, 0)),
        Row::Look { scores, base, stride, .. } => {
            let _ = with_codes!(scores, codes => {
                for lane in 0..lanes {
                    lower(lane, codes[SQUARES * (base + stride * lane) + landing].code());
                }
            });
        }
    }
}

/// A capture by or of the lanes' piece on these squares, looked up at these ranks.
#[inline(always)]
pub(super) fn lane_line(
    best: &mut [Code],
    scratch: &Scratch,
    row: Row<'_>,
    squares: &[u8],
    ranks: &[u32],
    line: LaneLine,
    goes_on: GoesOn,
) {
    for (lane, (&piece, &rank)) in squares.iter().zip(ranks).enumerate() {
        let piece = usize::from(piece);
        let (square, landing) = if line.lane_moves {
            (NEIGHBOUR[line.d][piece], JUMP[line.d][piece])
        } else {
            (NEIGHBOUR[back(line.d)][piece], NEIGHBOUR[line.d][piece])
        };
        // Squares off the board are bit 32, which is not free.
        let free = u64::from(scratch.free[lane]);
        let able = free >> square & free >> landing & u64::from(line.landings) >> landing & 1;
        if able != 0 && scratch.jumps(goes_on, lane) >> landing & 1 == 0 {
            lower_one(best, lane, square.into(), row.code(rank, landing.into()));
        }
    }
}

/// The same capture of a numbered piece by a numbered one in every lane, looked up at these ranks
/// or else at that of the lane.
#[inline(always)]
pub(super) fn sweeping(
    best: &mut [Code],
    scratch: &Scratch,
    row: Row<'_>,
    ranks: Option<&[u32]>,
    capture: Sweeping,
    goes_on: GoesOn,
) {
    for lane in 0..scratch.free.len() {
        let free = scratch.free[lane];
        if free & capture.landing == 0 || scratch.jumps(goes_on, lane) & capture.landing != 0 {
            continue;
        }
        let mask = free & capture.fast_squares & !capture.landing & !capture.taken_next(free);
        let rank = ranks.map_or(lane as u32, |ranks| ranks[lane]);
        if mask != 0 {
            row.lower(rank, mask, word_mut(best, lane));
        }
    }
}
