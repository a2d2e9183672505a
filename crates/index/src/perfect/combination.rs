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
    let mut places = 0;
    let mut above = free.count_ones();
    for k in (1..=k).rev() {
        let place = last_place(above, |place| choose(place, k) <= rank);
        rank -= choose(place, k);
        places |= 1 << place;
        above = place;
    }
    deposit(places, free)
}

/// The last of the places 0, 1, ... below `end` for which `fits` holds, given that it holds for
/// the first and, once it fails, fails for the rest.
#[inline]
pub(super) fn last_place(end: u32, mut fits: impl FnMut(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, end);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

/// The squares of `free` whose places, counted from its lowest square, are in `places`.
fn deposit(places: u32, mut free: u32) -> u32 {
    let mut set = 0;
    let mut rest = places;
    while rest != 0 {
        let lowest = free & free.wrapping_neg();
        if rest & 1 != 0 {
            set |= lowest;
        }
        free ^= lowest;
        rest >>= 1;
    }
    set
}
