use crownhead_rules::Position;

/// Mixes a word so that every bit of the result depends on every bit of it (the last steps of
/// MurmurHash3).
const fn mix(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x85eb_ca6b);
    x ^= x >> 13;
    x = x.wrapping_mul(0xc2b2_ae35);
    x ^ (x >> 16)
}

/// `x * n / 2^32`, rounded down, for `n` up to 65,535, in 32-bit arithmetic.
pub(crate) const fn scale(x: u32, n: u32) -> u32 {
    ((x >> 16) * n + (((x & 0xffff) * n) >> 16)) >> 16
}

/// The hash of a position with Black to move: 64 bits, from which [`draw`](Self::draw) makes as
/// many words as are needed.
#[derive(Clone, Copy, Debug)]
pub struct Key(u32, u32);

impl Key {
    /// Two lanes with different multipliers take in the four sets of pieces.
    pub const fn of(position: &Position) -> Self {
        let sets = [
            position.black_men.0,
            position.black_kings.0,
            position.white_men.0,
            position.white_kings.0,
        ];
        let (mut a, mut b) = (0x243f_6a88, 0x1319_8a2e);
        let mut i = 0;
        while i < 4 {
            a = (a ^ sets[i]).wrapping_mul(0x9e37_79b1);
            a ^= a >> 15;
            b = (b ^ sets[i]).wrapping_mul(0x85eb_ca77);
            b ^= b >> 13;
            i += 1;
        }
        Self(a, b)
    }

    /// The `i`-th word drawn from the hash.
    pub const fn draw(self, i: u32) -> u32 {
        mix(self.0 ^ mix(self.1.wrapping_add(i.wrapping_mul(0x9e37_79b9))))
    }
}

/// Which word of a key serves for what, in one ribbon (and, but for the first two, with one seed).
#[derive(Clone, Copy, Debug)]
pub enum Use {
    /// Chooses the shard.
    Shard = 0,
    /// The fingerprint.
    Fingerprint = 1,
    /// Chooses the first slot.
    Start = 2,
    /// Coefficients of slots 0 to 31; further words follow.
    Coefficients = 3,
}

/// The number of the word for a use.
pub const fn word(class: u32, seed: u32, purpose: Use) -> u32 {
    (((class << 6) | seed) << 3) | purpose as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_rounds_down_exactly() {
        for n in [1, 2, 3, 1000, 65_535] {
            for x in [0, 1, 0xffff, 0x1_0000, 0x8000_0000, 0xffff_0000, u32::MAX, 0x1234_5678] {
                assert_eq!(u64::from(scale(x, n)), (u64::from(x) * u64::from(n)) >> 32);
            }
        }
    }
}
