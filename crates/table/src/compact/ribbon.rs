use super::hash::{Key, Use, scale, word};

/// 32-bit words of coefficients: a key's equation spans 32 times as many slots.
pub const BAND_WORDS: usize = 2;
/// Slots that the equation of a key can touch.
pub const BAND: u32 = 32 * BAND_WORDS as u32;
/// The number of ribbons: one for answers, one for each fingerprint length.
pub const CLASSES: usize = 15;
/// The number of the ribbon of distances.
pub const DISTANCES: u32 = CLASSES as u32;
/// Slots of a shard are stored in blocks of this many.
pub const BLOCK: u32 = 32;
/// The number of seeds that a shard can choose from.
pub const SEEDS: u32 = 64;
/// The largest shard, in blocks.
pub const MOST_BLOCKS: u32 = 2047;

/// Where the equation of a key stands and which slots it adds up.
#[derive(Clone, Copy, Debug)]
pub struct Equation {
    /// The first slot, whose coefficient is 1.
    pub start: u32,
    /// Coefficients of the slots from there on, lowest bit first.
    pub coefficients: [u32; BAND_WORDS],
}

impl Equation {
    /// The equation of a key in a shard of so many blocks (at least [`BAND_WORDS`]).
    pub const fn of(key: Key, class: u32, seed: u32, blocks: u32) -> Self {
        let start = scale(key.draw(word(class, seed, Use::Start)), blocks * BLOCK - BAND + 1);
        let mut coefficients = [0; BAND_WORDS];
        let mut i = 0;
        while i < BAND_WORDS {
            coefficients[i] = key.draw(word(class, seed, Use::Coefficients) + i as u32);
            i += 1;
        }
        coefficients[0] |= 1;
        Self { start, coefficients }
    }
}

/// The shard of a key among so many.
pub const fn shard(key: Key, class: u32, shards: u32) -> u32 {
    scale(key.draw(word(class, 0, Use::Shard)), shards)
}

/// The fingerprint of a key in a class: as many bits as the class's number.
pub const fn fingerprint(key: Key, class: u32) -> u32 {
    key.draw(word(class, 0, Use::Fingerprint)) & ((1 << class) - 1)
}
