/// Which positions are compared with those that follow: runs of neighbours chosen at random.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// From 0, none, to 1, all.
    part: f64,
    seed: u64,
}

impl Share {
    /// Every position.
    pub const ALL: Self = Self { part: 1.0, seed: 0 };

    /// Positions in a run: a few in a row are much cheaper than as many here and there.
    pub(super) const RUN: u64 = 64;

    /// This part of all positions, from 0 to 1; another seed chooses others.
    pub fn new(part: f64, seed: u64) -> Self {
        Self { part: part.clamp(0.0, 1.0), seed }
    }

    /// Whether the run with this number in the table of so many men and kings is chosen.
    pub(super) fn has(self, table: u64, run: u64) -> bool {
        if self.part >= 1.0 {
            return true;
        }
        let random = mix(mix(self.seed ^ table.rotate_left(32)) ^ run);
        ((random >> 11) as f64) < self.part * (1u64 << 53) as f64
    }
}

/// The finaliser of SplitMix64: each bit of the result depends on all of the number.
const fn mix(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_as_large_as_it_says_and_follows_its_seed() {
        for part in [0.0, 0.01, 0.5, 1.0] {
            let chosen = |seed| -> Vec<bool> {
                (0..20_000).map(|run| Share::new(part, seed).has(7, run)).collect()
            };
            let found = chosen(1).iter().filter(|has| **has).count() as f64 / 20_000.0;
            assert!((found - part).abs() < 0.015, "{part}: {found}");
            assert_eq!(chosen(1), chosen(1));
            assert_eq!(chosen(1) == chosen(2), part == 0.0 || part == 1.0);
        }
    }
}
