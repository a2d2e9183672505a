use std::vec::Vec;

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
