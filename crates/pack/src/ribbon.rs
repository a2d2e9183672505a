use crownhead_table::compact::hash::Key;
use crownhead_table::compact::ribbon::{
    BAND_WORDS, BLOCK, Equation, MOST_BLOCKS, SEEDS, fingerprint, shard,
};
use rayon::prelude::*;

use crate::{PackError, Watch};

/// Keys that a shard should have: few enough that seeds differ in luck, many enough that the
/// band's ends and the table of shards weigh little.
const SHARD_KEYS: usize = 8000;

/// A key and what the ribbon must give for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) key: Key,
    pub(crate) value: u32,
}

#[derive(Debug)]
struct Shard {
    seed: u32,
    /// The slots' values; a whole number of blocks.
    slots: Vec<u16>,
}

/// A ribbon: for each of its keys the sum (exclusive or) of some slots is the key's value.
#[derive(Debug, Default)]
pub(crate) struct BuiltRibbon {
    class: u32,
    /// Bits of a value.
    width: u32,
    shards: Vec<Shard>,
}

type Band = u64;
const _: () = assert!(Band::BITS == 32 * BAND_WORDS as u32);

fn band(coefficients: [u32; BAND_WORDS]) -> Band {
    coefficients.iter().rev().fold(0, |band, word| band << 32 | Band::from(*word))
}

impl BuiltRibbon {
    /// Solves the equations of these keys; no two may have equal hashes and different values.
    pub(crate) fn new(
        class: u32,
        width: u32,
        items: &[Item],
        watch: &Watch<'_>,
    ) -> Result<Self, PackError> {
        if items.is_empty() {
            return Ok(Self { class, width, shards: Vec::new() });
        }
        let shards = items.len().div_ceil(SHARD_KEYS);
        let number =
            u32::try_from(shards).ok().filter(|n| *n <= 0xffff).ok_or(PackError::TooLarge)?;
        let mut parts = vec![Vec::with_capacity(SHARD_KEYS + SHARD_KEYS / 8); shards];
        for item in items {
            parts[shard(item.key, class, number) as usize].push(*item);
        }
        let shards = parts
            .par_iter()
            .map(|items| watch.check().and_then(|()| solve(items, class)))
            .collect::<Result<_, _>>()?;
        Ok(Self { class, width, shards })
    }

    /// The value for a key.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> u32 {
        let shard = &self.shards[shard(key, self.class, self.shards.len() as u32) as usize];
        let blocks = shard.slots.len() as u32 / BLOCK;
        let equation = Equation::of(key, self.class, shard.seed, blocks);
        let slots = &shard.slots[equation.start as usize..];
        let mut rest = band(equation.coefficients);
        let mut value = 0;
        while rest != 0 {
            value ^= slots[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        value.into()
    }

    /// Whether the key's fingerprint is what the ribbon gives.
    #[inline]
    pub(crate) fn lists(&self, key: Key) -> bool {
        !self.shards.is_empty() && self.get(key) == fingerprint(key, self.class)
    }

    pub(crate) fn shard_count(&self) -> u32 {
        self.shards.len() as u32
    }

    /// The table of shards: for each its first block and seed, then the end of the last.
    pub(crate) fn table(&self) -> Result<Vec<u8>, PackError> {
        let mut bytes = Vec::new();
        let mut block = 0;
        for shard in &self.shards {
            bytes.extend((block | shard.seed << 26).to_le_bytes());
            block += shard.slots.len() as u32 / BLOCK;
        }
        if !self.shards.is_empty() {
            bytes.extend(block.to_le_bytes());
        }
        if block < 1 << 26 { Ok(bytes) } else { Err(PackError::TooLarge) }
    }

    /// The blocks: for each the slots' lowest bits, then their next bits, and so on.
    pub(crate) fn blocks(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for shard in &self.shards {
            for block in shard.slots.chunks(BLOCK as usize) {
                for bit in 0..self.width {
                    let word = block
                        .iter()
                        .rev()
                        .fold(0, |word, slot| word << 1 | u32::from(slot >> bit & 1));
                    bytes.extend(word.to_le_bytes());
                }
            }
        }
        bytes
    }
}

/// The smallest shard that some seed solves, and the first such seed.
fn solve(items: &[Item], class: u32) -> Result<Shard, PackError> {
    // With fewer slots than a few more than keys no seed has a chance worth its time.
    let keys = items.len() as u32;
    let mut blocks = (keys + keys / 256).div_ceil(BLOCK).max(BAND_WORDS as u32);
    let mut order = Vec::with_capacity(items.len());
    while blocks <= MOST_BLOCKS {
        for seed in 0..SEEDS {
            if let Some(slots) = attempt(items, class, seed, blocks, &mut order) {
                return Ok(Shard { seed, slots });
            }
        }
        blocks += 1;
    }
    Err(PackError::TooLarge)
}

/// Solves the equations in order of their first slots, by elimination in a band; `None` when some
/// contradict each other.
fn attempt(
    items: &[Item],
    class: u32,
    seed: u32,
    blocks: u32,
    order: &mut Vec<(u32, u32, Band)>,
) -> Option<Vec<u16>> {
    let slots = (blocks * BLOCK) as usize;
    order.clear();
    order.extend(items.iter().map(|item| {
        let equation = Equation::of(item.key, class, seed, blocks);
        (equation.start, item.value, band(equation.coefficients))
    }));
    order.sort_unstable();
    let mut rows: Vec<(Band, u32)> = vec![(0, 0); slots];
    for &(start, mut value, mut coefficients) in order.iter() {
        let mut at = start as usize;
        // The lowest coefficient is that of slot `at`, and is 1.
        while rows[at].0 != 0 {
            coefficients ^= rows[at].0;
            value ^= rows[at].1;
            if coefficients == 0 {
                break;
            }
            let shift = coefficients.trailing_zeros();
            at += shift as usize;
            coefficients >>= shift;
        }
        if coefficients != 0 {
            rows[at] = (coefficients, value);
        } else if value != 0 {
            return None;
        }
    }
    Some(substitute(&rows))
}

/// Slots from the last to the first; those without an equation are 0.
fn substitute(rows: &[(Band, u32)]) -> Vec<u16> {
    let mut slots = vec![0; rows.len()];
    for (at, &(coefficients, value)) in rows.iter().enumerate().rev() {
        let mut sum = value as u16;
        let mut rest = coefficients & coefficients.wrapping_sub(1);
        while rest != 0 {
            sum ^= slots[at + rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        slots[at] = sum;
    }
    slots
}

#[cfg(test)]
mod tests {
    use crownhead_rules::{Bitboard, Color, Position};

    use super::*;

    fn items(count: u32, width: u32) -> Vec<Item> {
        let item = |i: u32| {
            let mut position = Position::empty(Color::Black);
            position.black_kings = Bitboard(i.wrapping_mul(0x9e37_79b9));
            Item { key: Key::of(&position), value: (i ^ (i >> 7)) & ((1 << width) - 1) }
        };
        (0..count).map(item).collect()
    }

    #[test]
    fn a_ribbon_gives_the_value_of_each_of_its_keys() {
        for (count, width) in [(1, 1), (10, 5), (64, 14), (1000, 1), (20_000, 3)] {
            let items = items(count, width);
            let ribbon = BuiltRibbon::new(2, width, &items, &Watch::default()).expect("it fits");
            for item in &items {
                assert_eq!(ribbon.get(item.key), item.value);
            }
            let slots: usize = ribbon.shards.iter().map(|shard| shard.slots.len()).sum();
            assert!(slots <= count as usize * 103 / 100 + 64, "{slots} slots for {count} keys");
        }
    }
}
