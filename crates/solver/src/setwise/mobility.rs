//! Which quiet positions of a row have no move of some kind.

use crownhead_index::product::Group;
use crownhead_rules::{Color, PieceKind};

use super::classify::Outer;
use super::geometry::{forward, origins, step, steps};
use super::vector::dispatch;

/// Whose pieces, in which material.
#[derive(Clone, Copy)]
pub(super) struct Pieces {
    pub(super) side: Color,
    pub(super) fast: Group,
}

dispatch! {
    /// Keeps, of the positions of a row, those in which no king can move.
    pub(super) fn without_king_moves(
        outer: &Outer<'_>,
        of: Pieces,
        positions: &mut [u32],
    ) = keep_without_king_moves;
}

dispatch! {
    /// Keeps, of the positions of a row, those in which no man can move, promotions included.
    pub(super) fn without_man_moves(
        outer: &Outer<'_>,
        of: Pieces,
        positions: &mut [u32],
    ) = keep_without_man_moves;
}

/// All fast squares but the only one that is left to go to: there the fast piece is in the way.
#[inline(always)]
const fn all_but_one(reach: u32) -> u32 {
    match reach {
        0 => 0,
        _ if reach & (reach - 1) == 0 => !reach,
        _ => !0,
    }
}

/// Words that are looked at together.
const AT_ONCE: usize = 16;

/// The words of a row with their lanes' sets, some at a time, where there is anything to take out:
/// few rows have a position without a move.
#[inline(always)]
fn parts<'a>(
    positions: &'a mut [u32],
    outer: &'a Outer<'_>,
) -> impl Iterator<Item = (&'a mut [u32], &'a [u32])> {
    let sets = outer.lanes.table.sets().chunks(AT_ONCE);
    let some = |words: &[u32]| words.iter().fold(0, |any, bits| any | bits) != 0;
    positions.chunks_mut(AT_ONCE).zip(sets).filter(move |(words, _)| some(words))
}

#[inline(always)]
fn keep_without_king_moves(outer: &Outer<'_>, of: Pieces, positions: &mut [u32]) {
    let kings = Group::of(of.side, PieceKind::King);
    let in_lanes = if outer.lane == kings { !0 } else { 0 };
    let outer_kings = outer.sets[kings as usize];
    let fast = if of.fast == kings { !0 } else { 0 };
    for (positions, sets) in parts(positions, outer) {
        for (positions, &set) in positions.iter_mut().zip(sets) {
            let free = !(outer.occupied | set);
            let reach = steps(outer_kings | set & in_lanes) & free;
            *positions &= !(all_but_one(reach) | steps(free) & fast);
        }
    }
}

#[inline(always)]
fn keep_without_man_moves(outer: &Outer<'_>, of: Pieces, positions: &mut [u32]) {
    // Directions are numbers that the compiler knows, so that the words are taken as vectors.
    match of.side {
        Color::Black => keep_without_steps(outer, of, forward(Color::Black), positions),
        Color::White => keep_without_steps(outer, of, forward(Color::White), positions),
    }
}

#[inline(always)]
fn keep_without_steps(
    outer: &Outer<'_>,
    of: Pieces,
    [left, right]: [usize; 2],
    positions: &mut [u32],
) {
    let men = Group::of(of.side, PieceKind::Man);
    let in_lanes = if outer.lane == men { !0 } else { 0 };
    let outer_men = outer.sets[men as usize];
    let fast = if of.fast == men { !0 } else { 0 };
    for (positions, sets) in parts(positions, outer) {
        for (positions, &set) in positions.iter_mut().zip(sets) {
            let free = !(outer.occupied | set);
            let men = outer_men | set & in_lanes;
            let reach = (step(left, men) | step(right, men)) & free;
            let fast = (origins(left, free) | origins(right, free)) & fast;
            *positions &= !(all_but_one(reach) | fast);
        }
    }
}
