use std::vec::Vec;

use super::Encoding;

/// Packs codes into the bytes of a section, one after the other.
///
/// ```
/// use crownhead_table::{CodePacker, Encoding, Metric};
/// let mut packer = CodePacker::new(Encoding::new(Metric::Wld, 2).unwrap());
/// for code in [1, 2, 0, 1, 2] {
///     packer.push(code);
/// }
/// packer.end_section();
/// assert_eq!(packer.bytes(), [0b01_00_10_01, 0b10]);
/// ```
#[derive(Clone, Debug)]
pub struct CodePacker {
    bits: u8,
    bytes: Vec<u8>,
    /// Codes of 2 bits that do not fill a byte yet, and how many bits they take.
    partial: u8,
    used: u32,
}

impl CodePacker {
    /// Packs codes of this encoding.
    pub const fn new(encoding: Encoding) -> Self {
        Self { bits: encoding.bits(), bytes: Vec::new(), partial: 0, used: 0 }
    }

    /// Adds the next code, which must be one of the encoding.
    #[inline]
    pub fn push(&mut self, code: u16) {
        match self.bits {
            2 => {
                self.partial |= (code as u8) << self.used;
                self.used += 2;
                if self.used == 8 {
                    self.end_section();
                }
            }
            8 => self.bytes.push(code as u8),
            _ => self.bytes.extend_from_slice(&code.to_le_bytes()),
        }
    }

    /// Fills up a last incomplete byte with zeros.
    pub fn end_section(&mut self) {
        if self.used > 0 {
            self.bytes.push(self.partial);
            (self.partial, self.used) = (0, 0);
        }
    }

    /// The whole bytes packed since the last [`clear`](Self::clear).
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets the whole bytes, once they are written.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }
}

/// Packs win/draw/loss bits into the bytes of a `wld` section, 2 bits a position.
///
/// Positions come in perfect-index order, up to 32 at a time: what a set-wise solver has in one
/// word, with the bits of invalid squares squeezed out.
///
/// ```
/// use crownhead_table::WldPacker;
/// let mut packer = WldPacker::default();
/// packer.push(0b001, 0b010, 3); // win, loss, draw
/// packer.push(0b01, 0b10, 2); // win, loss
/// assert_eq!(packer.finish(), [0b01_00_10_01, 0b10]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct WldPacker {
    bytes: Vec<u8>,
    pending: u64,
    /// How many bits of `pending` are used, less than 64.
    used: u32,
}

impl WldPacker {
    /// Adds `count` positions: bit `i` of `wins` and of `losses` is the `i`-th.
    ///
    /// Bits from `count` on must be 0, and no bit may be set in both; checked in debug builds.
    ///
    /// # Panics
    ///
    /// When `count` exceeds 32.
    #[inline]
    pub fn push(&mut self, wins: u32, losses: u32, count: u32) {
        assert!(count <= 32, "a word holds 32 positions");
        debug_assert!(wins & losses == 0 && u64::from(wins | losses) >> count == 0);
        let codes = spread(wins) | spread(losses) << 1;
        self.pending |= codes << self.used;
        let used = self.used + 2 * count;
        if used < 64 {
            self.used = used;
            return;
        }
        self.bytes.extend_from_slice(&self.pending.to_le_bytes());
        // What did not fit: nothing, when the old bits ended at a word.
        self.pending = if self.used == 0 { 0 } else { codes >> (64 - self.used) };
        self.used = used - 64;
    }

    /// Takes the whole bytes packed so far and keeps the rest, so that a long section can be
    /// written piece by piece.
    pub fn drain(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.bytes)
    }

    /// The bytes that are left; a last incomplete byte is filled up with zeros.
    pub fn finish(mut self) -> Vec<u8> {
        let rest = self.used.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.pending.to_le_bytes()[..rest]);
        self.bytes
    }
}

/// Moves bit `i` to bit `2i`.
#[inline]
fn spread(bits: u32) -> u64 {
    let mut x = u64::from(bits);
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333_3333_3333;
    (x | x << 1) & 0x5555_5555_5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;

    /// Both packers' bytes for the same values, in runs of these lengths.
    fn both(runs: &[u32]) -> (Vec<u8>, Vec<u8>) {
        let mut words = WldPacker::default();
        let mut codes = CodePacker::new(Encoding::new(Metric::Wld, 2).unwrap());
        let mut bytes = Vec::new();
        for (nth, &count) in runs.iter().enumerate() {
            let mask = if count == 32 { !0 } else { (1 << count) - 1 };
            let mixed = (nth as u32 + 1).wrapping_mul(0x9e37_79b9);
            let (wins, losses) = (mixed & mask, !mixed & mixed.rotate_left(7) & mask);
            words.push(wins, losses, count);
            if nth % 3 == 0 {
                bytes.extend(words.drain());
            }
            (0..count).for_each(|i| codes.push((wins >> i & 1 | (losses >> i & 1) << 1) as u16));
        }
        bytes.extend(words.finish());
        codes.end_section();
        (bytes, codes.bytes().to_vec())
    }

    #[test]
    fn words_and_codes_pack_to_the_same_bytes() {
        for first in 0..=32 {
            for second in 0..=32 {
                let (words, codes) = both(&[first, second, 32, 0, 1, 31, second, first, 5]);
                assert_eq!(words, codes, "runs of {first} and {second}");
            }
        }
    }
}
