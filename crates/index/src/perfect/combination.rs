//! Colex order of sets of squares: compare the highest squares first.
//!
//! A set of k squares out of an ordered choice has rank C(p1,1) + C(p2,2) + ... + C(pk,k), where
//! p1 < p2 < ... are the places of its squares in that choice, counted from 0.

use crate::choose;

/// The colex rank of a set among the sets of as many squares out of `free`, which contains it.
#[inline]
pub(super) fn rank_within(set: u32, free: u32) -> u32 {
    let mut rest = set;
    let mut rank = 0;
    let mut k = 0;
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        rest &= rest - 1;
        k += 1;
        rank += choose((free & below).count_ones(), k);
    }
    rank
}

/// The set of `k` squares of `free` with this colex rank.
pub(super) fn unrank_within(mut rank: u32, k: u32, free: u32) -> u32 {
    let mut set = 0;
    let mut above = free.count_ones();
    for k in (2..=k).rev() {
        let place = last_place(above, |place| choose(place, k) <= rank);
        rank -= choose(place, k);
        set |= 1 << square_at(place, free);
        above = place;
    }
    // One square of n has rank n: nothing to search.
    if k > 0 { set | 1 << square_at(rank, free) } else { set }
}

/// The last of the places 0, 1, ... below `end` for which `fits` holds, given that it holds for
/// the first and, once it fails, fails for the rest.
#[inline]
pub(super) fn last_place(end: u32, mut fits: impl FnMut(u32) -> bool) -> u32 {
    let mut place = 0;
    for step in [16, 8, 4, 2, 1] {
        if place + step < end && fits(place + step) {
            place += step;
        }
    }
    place
}

/// The square with this place among the free ones, counted from 0.
#[inline]
fn square_at(place: u32, free: u32) -> u32 {
    // Few squares are taken: step over those that come before.
    let mut square = place;
    let mut taken = !free;
    while taken != 0 && taken.trailing_zeros() <= square {
        square += 1;
        taken &= taken - 1;
    }
    square
}

/// The `k` lowest squares of `free`: the first set in colex order.
#[inline]
pub(super) fn first_within(k: u32, mut free: u32) -> u32 {
    let all = free;
    for _ in 0..k {
        free &= free.wrapping_sub(1);
    }
    all & !free
}

/// The set that follows in colex order among those of as many squares of `free`.
#[inline]
pub(super) fn next_within(set: u32, free: u32) -> Option<u32> {
    let lowest = set & set.wrapping_neg();
    // Adding carries the lowest piece over the pieces and gaps above it to the next free square.
    let full = set | !free;
    let raised = full.checked_add(lowest)? & !full;
    if raised == 0 {
        return None;
    }
    let passed = set & (raised - lowest);
    Some(set & !passed | raised | first_within(passed.count_ones() - 1, free))
}
