//! From the order of table files to words.

use crownhead_index::product::ProductIndex;
use crownhead_rules::{Color, Value};

use super::count::counted_words;
use super::groups::{Groups, rank};
use super::plies::Distances;
use super::scores::Width;
use super::store::{Solved, Words};
use super::sweep::Plies;
use crate::{Entry, EntrySource, SolveError, Summary};

/// Entries taken at a time.
const CHUNK: usize = 1 << 14;

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
        if width.is_none() && distances.is_none() && read_packed(&index, side, source, words)? {
            continue;
        }
        if !read_side(&index, side, source, words, distances.as_deref_mut())? {
            return Ok(None);
        }
    }
    for words in &mut sides {
        copy_equivalent(&index, words);
    }
    if index.material().is_symmetric() {
        sides[1] = super::views::turned(&index, &sides[0])?;
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

/// Reads one side from the bytes of a table of values, word after word; `false` where the source has
/// no such bytes.
fn read_packed(
    index: &ProductIndex,
    side: Color,
    source: &dyn EntrySource,
    words: &mut Words,
) -> Result<bool, SolveError> {
    let positions = index.material().placements::<u64>().expect("fits, as its words do");
    let mut packed = Packed::new(source, side, positions);
    if !packed.fill()? {
        return Ok(false);
    }
    let (mut done, mut result) = (0, Ok(()));
    counted_words(index, |word, counted| {
        if result.is_err() || counted == 0 {
            return;
        }
        let count = counted.count_ones();
        match packed.take(count) {
            Ok((wins, losses)) if wins & losses == 0 => {
                words.wins[word] = words.wins[word] & !counted | spread(wins, counted);
                words.losses[word] |= spread(losses, counted);
            }
            // Which position it is the source says.
            Ok(_) => {
                result = source.read(side, done, &mut [Entry::DRAW; 32][..count as usize]);
            }
            Err(error) => result = Err(error),
        }
        done += u64::from(count);
    });
    result.map(|()| true)
}

/// The values of a side of a table, two bits each, in order.
struct Packed<'a> {
    source: &'a dyn EntrySource,
    side: Color,
    /// Bytes that have not been read.
    first: u64,
    end: u64,
    bytes: Vec<u8>,
    /// How many of the bytes have been used.
    used: usize,
    bits: u128,
    held: u32,
}

impl<'a> Packed<'a> {
    fn new(source: &'a dyn EntrySource, side: Color, positions: u64) -> Self {
        let end = positions.div_ceil(4);
        Self { source, side, first: 0, end, bytes: Vec::new(), used: 0, bits: 0, held: 0 }
    }

    /// Reads on; `false` where the source has no bytes.
    fn fill(&mut self) -> Result<bool, SolveError> {
        let len = (self.end - self.first).min(CHUNK as u64) as usize;
        self.bytes.resize(len, 0);
        self.used = 0;
        let has_bytes = self.source.read_values(self.side, self.first, &mut self.bytes)?;
        self.first += len as u64;
        Ok(has_bytes)
    }

    /// The next so many values, at most 32: which are wins, and which are losses.
    #[inline]
    fn take(&mut self, count: u32) -> Result<(u32, u32), SolveError> {
        while self.held < 2 * count {
            if self.used == self.bytes.len() {
                self.fill()?;
            }
            self.bits |= u128::from(self.bytes[self.used]) << self.held;
            self.used += 1;
            self.held += 8;
        }
        let codes = self.bits as u64 & u64::MAX >> (64 - 2 * count);
        self.bits >>= 2 * count;
        self.held -= 2 * count;
        Ok((even_bits(codes), even_bits(codes >> 1)))
    }
}

/// Bits 0, 2, 4 and so on, put together.
#[inline]
const fn even_bits(bits: u64) -> u32 {
    let mut bits = bits & 0x5555_5555_5555_5555;
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
    bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff;
    (bits | bits >> 16) as u32
}

/// Moves the lowest bits of `word` to the bits of the mask.
#[inline]
fn spread(word: u32, mask: u32) -> u32 {
    let mut word = word;
    let mut holes = !mask & u32::MAX.checked_shr(mask.leading_zeros()).unwrap_or(0);
    while holes != 0 {
        let hole = holes & holes.wrapping_neg();
        holes ^= hole;
        word = word & (hole - 1) | (word & !(hole - 1)) << 1;
    }
    word & mask
}

#[cfg(test)]
mod tests {
    use super::super::geometry::squares;
    use super::*;

    #[test]
    fn bits_are_spread_over_the_mask_in_order() {
        let mut word = 1u32;
        for step in 0..1000u32 {
            word = word.wrapping_mul(0x9e37_79b9).rotate_left(7) ^ step;
            let mask = word.wrapping_mul(step | 1) >> (step % 32);
            let mut expected = 0;
            for (from, to) in squares(mask).enumerate() {
                expected |= (word >> from & 1) << to;
            }
            assert_eq!(spread(word, mask), expected, "{word:b} {mask:b}");
        }
        assert_eq!(spread(!0, 0), 0);
    }

    #[test]
    fn even_bits_are_put_together() {
        assert_eq!(even_bits(0b01_00_11_10_01), 0b10101);
        assert_eq!(even_bits(u64::MAX), u32::MAX);
    }
}
