//! Counts of finished words.

use crownhead_index::product::{Group, ProductIndex};
use rayon::prelude::*;

use super::groups::Groups;
use super::store::Solved;
use super::vector::{VectorPath, dispatch};

/// Bits of the fast piece's square that are counted: valid, and below the rest of its group.
#[inline(always)]
pub(super) fn counted(fast: Group, sets: [u32; 4]) -> u32 {
    let occupied = sets[0] | sets[1] | sets[2] | sets[3];
    let [a, b, c, d] = sets;
    if a & b | (a | b) & c | (a | b | c) & d != 0 {
        return 0;
    }
    let rest = sets[fast as usize];
    let below = (rest & rest.wrapping_neg()).wrapping_sub(1);
    fast.squares().0 & !occupied & below
}

/// The sets of all groups by rank.
pub(super) fn sets(index: &ProductIndex) -> [&'static [u32]; 4] {
    Group::ALL.map(|g| Groups::shared().table(g, index.counts()[g as usize]).sets())
}

/// The men of a component, numbered in order.
#[inline(always)]
pub(super) fn men(sets: &[&[u32]; 4], component: u64) -> [u32; 2] {
    let white = sets[Group::WhiteMen as usize];
    let black = sets[Group::BlackMen as usize][(component / white.len() as u64) as usize];
    [black, white[(component % white.len() as u64) as usize]]
}

/// Calls `with` for every word, in order, with its counted bits.
pub(super) fn counted_words(index: &ProductIndex, mut with: impl FnMut(usize, u32)) {
    let sets = sets(index);
    let mut word = 0;
    for component in 0..index.words() / index.component_words() {
        let [black_men, white_men] = men(&sets, component);
        for &black_kings in sets[Group::BlackKings as usize] {
            for &white_kings in sets[Group::WhiteKings as usize] {
                let sets = [black_men, black_kings, white_men, white_kings];
                with(word, counted(index.fast(), sets));
                word += 1;
            }
        }
    }
}

/// Wins, losses and draws of both sides to move.
pub(super) fn count(solved: &Solved, path: VectorPath) -> [[u64; 3]; 2] {
    let components = solved.index.words() / solved.index.component_words();
    let each = (1 << 16) / solved.index.component_words() + 1;
    let parts = (0..components.div_ceil(each)).into_par_iter().map(|part| {
        let mut counts = [[0; 3]; 2];
        let part = part * each..((part + 1) * each).min(components);
        count_part(path, solved, part, &mut counts);
        counts
    });
    let add = |a: [[u64; 3]; 2], b: [[u64; 3]; 2]| {
        core::array::from_fn(|side| core::array::from_fn(|i| a[side][i] + b[side][i]))
    };
    parts.reduce(|| [[0; 3]; 2], add)
}

dispatch! {
    fn count_part(
        solved: &Solved,
        components: core::ops::Range<u64>,
        counts: &mut [[u64; 3]; 2],
    ) = count_words;
}

#[inline(always)]
fn count_words(solved: &Solved, components: core::ops::Range<u64>, counts: &mut [[u64; 3]; 2]) {
    let (index, sets) = (&solved.index, sets(&solved.index));
    let fast = index.fast();
    let kings = sets[Group::WhiteKings as usize];
    let [mut black, mut white] = [[0; 3]; 2];
    for component in components {
        let [black_men, white_men] = men(&sets, component);
        let mut first = (component * index.component_words()) as usize;
        for &black_kings in sets[Group::BlackKings as usize] {
            let words = first..first + kings.len();
            first = words.end;
            let planes = |side: usize| {
                let words = words.clone();
                (&solved.sides[side].wins[words.clone()], &solved.sides[side].losses[words])
            };
            let ((wins, losses), (white_wins, white_losses)) = (planes(0), planes(1));
            for lane in 0..kings.len() {
                let bits = counted(fast, [black_men, black_kings, white_men, kings[lane]]);
                add_word(&mut black, bits, wins[lane], losses[lane]);
                add_word(&mut white, bits, white_wins[lane], white_losses[lane]);
            }
        }
    }
    *counts = [black, white];
}

#[inline(always)]
fn add_word(counts: &mut [u64; 3], counted: u32, wins: u32, losses: u32) {
    let (wins, losses) = (wins & counted, losses & counted);
    counts[0] += u64::from(wins.count_ones());
    counts[1] += u64::from(losses.count_ones());
    counts[2] += u64::from((counted & !(wins | losses)).count_ones());
}
