//! Counts of finished words.

use crownhead_index::product::{Group, ProductIndex};
use crownhead_rules::Color;

use super::groups::Groups;
use super::store::Solved;

/// Bits of the fast piece's square that are counted: valid, and below the rest of its group.
fn counted(fast: Group, sets: [u32; 4]) -> u32 {
    let occupied = sets[0] | sets[1] | sets[2] | sets[3];
    let pieces: u32 = sets.iter().map(|set| set.count_ones()).sum();
    if occupied.count_ones() != pieces {
        return 0;
    }
    let rest = sets[fast as usize];
    let below = (rest & rest.wrapping_neg()).wrapping_sub(1);
    fast.squares().0 & !occupied & below
}

/// Calls `with` for every word, in order, with its counted bits.
#[inline]
pub(super) fn counted_words(index: &ProductIndex, mut with: impl FnMut(usize, u32)) {
    let tables = Group::ALL.map(|g| Groups::shared().table(g, index.counts()[g as usize]));
    let fast = index.fast();
    let mut word = 0;
    for &black_men in tables[0].sets() {
        for &white_men in tables[2].sets() {
            for &black_kings in tables[1].sets() {
                for &white_kings in tables[3].sets() {
                    with(word, counted(fast, [black_men, black_kings, white_men, white_kings]));
                    word += 1;
                }
            }
        }
    }
}

/// Wins, losses and draws.
pub(super) fn count(solved: &Solved, side: Color) -> [u64; 3] {
    let words = &solved.sides[side as usize];
    let mut counts = [0; 3];
    counted_words(&solved.index, |word, counted| {
        let (wins, losses) = (words.wins[word] & counted, words.losses[word] & counted);
        counts[0] += u64::from(wins.count_ones());
        counts[1] += u64::from(losses.count_ones());
        counts[2] += u64::from((counted & !(wins | losses)).count_ones());
    });
    counts
}
