//! Between words and the order of table files.
//!
//! Word after word, the counted bits in ascending order are the perfect index.

use crownhead_index::product::ProductIndex;
use crownhead_rules::{Color, Value};

use super::count::counted_words;
use super::groups::{Groups, rank};
use super::plies::Distances;
use super::scores::{Width, pairs};
use super::store::{Solved, Words};
use super::sweep::Plies;
use crownhead_table::WldPacker;

use crate::{ByteSink, Entry, EntrySource, Sink, SolveError, Summary};

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

/// Takes the words of a finished table, with distances to the end in so many bytes if they are
/// wanted; nothing if these do not fit.
pub(super) fn adopt(
    index: ProductIndex,
    source: &dyn EntrySource,
    width: Option<Width>,
    mut distances: Option<&mut Distances>,
) -> Result<Option<Solved>, SolveError> {
    let len = index.words() as usize;
    let words = || width.map_or_else(|| Words::new(len), |width| Words::with_scores(len, width));
    let mut sides = [words(), words()];
    for &side in Summary::sides_of(index.material()) {
        let words = &mut sides[side as usize];
        if !read_side(&index, side, source, words, distances.as_deref_mut())? {
            return Ok(None);
        }
    }
    for words in &mut sides {
        copy_equivalent(&index, words);
    }
    if index.material().is_symmetric() {
        sides[1] = super::views::turned(&index, &sides[0]);
    }
    Ok(Some(Solved { index, sides: sides.map(|words| words.into()) }))
}

/// Reads one side; says whether its distances fit.
fn read_side(
    index: &ProductIndex,
    side: Color,
    source: &dyn EntrySource,
    words: &mut Words,
    mut distances: Option<&mut Distances>,
) -> Result<bool, SolveError> {
    let mut fits = true;
    let mut buffer = Vec::new();
    let (mut at, mut first) = (0, 0);
    let total = index.material().placements::<u64>().expect("fits, as its words do");
    let mut result = Ok(());
    counted_words(index, |word, mut counted| {
        if result.is_err() || counted == 0 {
            return;
        }
        while counted != 0 {
            let bit = counted & counted.wrapping_neg();
            counted ^= bit;
            if at == buffer.len() {
                at = 0;
                buffer.resize((total - first).min(CHUNK as u64) as usize, Entry::DRAW);
                result = source.read(side, first, &mut buffer);
                if result.is_err() {
                    return;
                }
                first += buffer.len() as u64;
            }
            let value = buffer[at].value();
            if let Some(distances) = distances.as_deref_mut() {
                distances.note(buffer[at].plies().into(), side, word, bit);
            }
            let pairs = buffer[at].plies() / 2;
            at += 1;
            words.wins[word] &= !bit;
            match value {
                Value::Win => {
                    words.wins[word] |= bit;
                    fits &= words.scores.set(word, bit.trailing_zeros(), !pairs);
                }
                Value::Loss => {
                    words.losses[word] |= bit;
                    fits &= words.scores.set(word, bit.trailing_zeros(), pairs);
                }
                Value::Draw => {}
            }
        }
    });
    result.map(|()| fits)
}

/// Fills the places of each position that are not counted: another piece of the fast group than
/// the lowest is the fast one.
fn copy_equivalent(index: &ProductIndex, words: &mut Words) {
    let fast = index.fast();
    let count = index.counts()[fast as usize];
    if count == 0 {
        return;
    }
    let table = Groups::shared().table(fast, count);
    let stride = index.strides()[fast as usize] as usize;
    let dim = table.len() as usize;
    for word in 0..words.wins.len() {
        let rest = table.sets()[word / stride % dim];
        let base = word - (word / stride % dim) * stride;
        let lowest = rest & rest.wrapping_neg();
        let above = fast.squares().0 & !rest & !(lowest - 1);
        for square in super::geometry::squares(above) {
            // The same set with its lowest piece as the fast one.
            let bit = 1 << square;
            let from = base + stride * rank(fast, rest & !lowest | bit) as usize;
            let (win, loss) = (words.wins[from] & lowest, words.losses[from] & lowest);
            words.wins[word] = words.wins[word] & !bit | if win != 0 { bit } else { 0 };
            words.losses[word] |= if loss != 0 { bit } else { 0 };
            let code = words.scores.at(from, lowest.trailing_zeros());
            words.scores.set(word, square as u32, code);
        }
    }
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
