//! From words to the order of table files.
//!
//! Word after word, the counted bits in ascending order are the perfect index.

use crownhead_rules::Color;

use super::count::counted_words;
use super::plies::Distances;
use super::scores::pairs;
use super::store::Solved;
use crownhead_table::WldPacker;

use crate::{ByteSink, Entry, Sink, SolveError};

/// Entries handed on at a time.
const CHUNK: usize = 1 << 14;

/// Hands out one side's values in perfect-index order.
pub(super) fn export(
    solved: &Solved,
    distances: Option<&Distances>,
    side: Color,
    sink: &mut Sink<'_>,
) -> Result<(), SolveError> {
    let words = &solved.sides[side as usize];
    let mut entries = Vec::with_capacity(CHUNK + 32);
    let mut error = Ok(());
    counted_words(&solved.index, |word, mut counted| {
        while counted != 0 {
            let bit = counted & counted.wrapping_neg();
            counted ^= bit;
            let at = bit.trailing_zeros();
            let plies = |win: u16| match distances {
                Some(distances) => distances.get(side, word, at),
                None if words.scores.is_nothing() => 0,
                None => 2 * pairs(words.scores.at(word, at)) + win,
            };
            entries.push(if words.wins[word] & bit != 0 {
                Entry::win(plies(1))
            } else if words.losses[word] & bit != 0 {
                Entry::loss(plies(0))
            } else {
                Entry::DRAW
            });
        }
        if entries.len() >= CHUNK && error.is_ok() {
            error = sink(&entries);
            entries.clear();
        }
    });
    error?;
    sink(&entries)
}

/// Hands out the bytes of one side's section of a win/draw/loss table.
pub(super) fn export_values(
    solved: &Solved,
    side: Color,
    sink: &mut ByteSink<'_>,
) -> Result<(), SolveError> {
    let words = &solved.sides[side as usize];
    let mut packer = WldPacker::default();
    let mut since = 0;
    let mut result = Ok(());
    counted_words(&solved.index, |word, counted| {
        let wins = squeeze(words.wins[word] & counted, counted);
        let losses = squeeze(words.losses[word] & counted, counted);
        packer.push(wins, losses, counted.count_ones());
        since += 1;
        if since == CHUNK && result.is_ok() {
            result = sink(&packer.drain());
            since = 0;
        }
    });
    result?;
    sink(&packer.finish())
}

/// Moves the bits of `word` that are in `mask` together, from the lowest bit on.
#[inline]
fn squeeze(word: u32, mask: u32) -> u32 {
    let mut word = word;
    let mut holes = !mask & u32::MAX.checked_shr(mask.leading_zeros()).unwrap_or(0);
    while holes != 0 {
        let hole = 31 - holes.leading_zeros();
        holes ^= 1 << hole;
        let below = (1 << hole) - 1;
        word = word & below | word >> 1 & !below;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squeezing_takes_the_bits_of_the_mask_in_order() {
        let mut word = 1u32;
        for step in 0..1000u32 {
            word = word.wrapping_mul(0x9e37_79b9).rotate_left(7) ^ step;
            let mask = word.wrapping_mul(step | 1) >> (step % 32);
            let mut expected = 0;
            for (to, from) in super::super::geometry::squares(mask).enumerate() {
                expected |= (word >> from & 1) << to;
            }
            assert_eq!(squeeze(word & mask, mask), expected, "{word:b} {mask:b}");
        }
        assert_eq!(squeeze(0, 0), 0);
    }
}
