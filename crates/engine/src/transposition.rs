use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::Score;

/// One place of a [`TranspositionTable`], 16 bytes; all zero is empty.
///
/// Threads read and write slots without locks. The first two words are the key, each combined
/// with the data, so that an entry of which two threads wrote parts does not fit its key (Hyatt's
/// and Mann's check word). Loads and stores of 32 bits are all it takes, which the smallest
/// microcontrollers have.
#[derive(Debug, Default)]
pub struct Slot([AtomicU32; 4]);

impl Slot {
    /// An empty slot, for `[Slot::EMPTY; N]`.
    #[expect(clippy::declare_interior_mutable_const, reason = "a value to make arrays from")]
    pub const EMPTY: Self = Self([const { AtomicU32::new(0) }; 4]);

    fn load(&self) -> [u32; 4] {
        [0, 1, 2, 3].map(|i| self.0[i].load(Relaxed))
    }

    fn store(&self, words: [u32; 4]) {
        for (place, word) in self.0.iter().zip(words) {
            place.store(word, Relaxed);
        }
    }
}

/// What a score in the table says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// It is this at least: the search stopped at a move that was good enough.
    Lower = 1,
    /// It is this at most: no move was good enough.
    Upper = 2,
    /// It is this.
    Exact = 3,
}

/// What the table keeps of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Wins and losses are counted from this position.
    pub(crate) score: Score,
    /// To how many plies it was searched.
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// The number of the best move in the order of generation, if there was one.
    pub(crate) best: Option<u8>,
}

const NO_MOVE: u8 = u8::MAX;

impl Entry {
    fn pack(self, age: u8) -> [u32; 2] {
        let score = u32::from(self.score.0 as u16);
        let first = score | u32::from(self.depth) << 16 | (self.bound as u32) << 24;
        [first, u32::from(self.best.unwrap_or(NO_MOVE)) | u32::from(age) << 8]
    }

    fn unpack([first, second]: [u32; 2]) -> Option<Self> {
        let bound = match first >> 24 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        let best = second as u8;
        Some(Self {
            score: Score(first as u16 as i16),
            depth: (first >> 16) as u8,
            bound,
            best: (best != NO_MOVE).then_some(best),
        })
    }
}

fn age_of(words: &[u32; 4]) -> u8 {
    (words[3] >> 8) as u8
}

/// Neighbouring slots among which an entry may lie.
const BUCKET: usize = 4;

/// A hash table of searched positions in slots that the caller owns; threads share it.
#[derive(Clone, Copy, Debug)]
pub struct TranspositionTable<'a> {
    slots: &'a [Slot],
}

impl<'a> TranspositionTable<'a> {
    /// A table in these slots. Any number will do, none too.
    pub const fn new(slots: &'a [Slot]) -> Self {
        Self { slots }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.slots.iter().for_each(|slot| slot.store([0; 4]));
    }

    /// How many of the first thousand slots (or of all, if fewer) are in use, in thousandths.
    pub fn permille_used(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample.iter().filter(|slot| slot.load() != [0; 4]).count();
        if sample.is_empty() { 0 } else { (used * 1000 / sample.len()) as u32 }
    }

    fn bucket(&self, key: u64) -> &'a [Slot] {
        let buckets = self.slots.len().div_ceil(BUCKET) as u64;
        // The share of the low half that the buckets are of 2^32: no division.
        let start = (((key & 0xffff_ffff) * buckets) >> 32) as usize * BUCKET;
        let end = (start + BUCKET).min(self.slots.len());
        &self.slots[start..end]
    }

    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().map(Slot::load).find_map(|words| {
            if key_of(&words) == key { Entry::unpack([words[2], words[3]]) } else { None }
        })
    }

    /// Keeps an entry in the place of the same position, or else of the least valuable: one of an
    /// earlier search before one of this (`age`), then the less deep.
    pub(crate) fn store(&self, key: u64, mut entry: Entry, age: u8) {
        let mut least = None;
        for slot in self.bucket(key) {
            let words = slot.load();
            let old = Entry::unpack([words[2], words[3]]);
            if let Some(old) = old
                && key_of(&words) == key
            {
                entry.best = entry.best.or(old.best);
                least = Some((0, slot));
                break;
            }
            let worth = old
                .map_or(0, |old| 1 + u32::from(old.depth) + 256 * u32::from(age_of(&words) == age));
            if least.is_none_or(|(most, _)| worth < most) {
                least = Some((worth, slot));
            }
        }
        if let Some((_, slot)) = least {
            let [first, second] = entry.pack(age);
            slot.store([key as u32 ^ first, (key >> 32) as u32 ^ second, first, second]);
        }
    }
}

fn key_of(words: &[u32; 4]) -> u64 {
    u64::from(words[0] ^ words[2]) | u64::from(words[1] ^ words[3]) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> Entry {
        Entry { score: Score(-123), depth, bound: Bound::Upper, best: Some(7) }
    }

    #[test]
    fn entries_come_back_and_only_for_their_key() {
        let slots = [Slot::EMPTY; 10];
        let table = TranspositionTable::new(&slots);
        let best = Entry { best: None, bound: Bound::Exact, score: Score::win_in(3), depth: 255 };
        table.store(1 << 40, entry(3), 1);
        table.store(u64::MAX, best, 2);
        assert_eq!(table.probe(1 << 40), Some(entry(3)));
        assert_eq!(table.probe(u64::MAX), Some(best));
        assert_eq!(table.probe(1 << 41), None);
        table.clear();
        assert_eq!(table.probe(1 << 40), None);
    }

    #[test]
    fn a_mixed_entry_fits_no_key() {
        let slots = [Slot::EMPTY; 4];
        let table = TranspositionTable::new(&slots);
        table.store(77, entry(3), 1);
        let torn = slots.iter().find(|slot| slot.load() != [0; 4]).unwrap();
        torn.0[2].store(entry(9).pack(1)[0], Relaxed);
        assert_eq!(table.probe(77), None);
    }

    #[test]
    fn deep_and_new_entries_stay() {
        let slots = [Slot::EMPTY; 4];
        let table = TranspositionTable::new(&slots);
        for (key, depth, age) in [(1, 9, 1), (2, 5, 2), (3, 7, 2), (4, 4, 2), (5, 2, 2), (6, 3, 2)]
        {
            table.store(key, entry(depth), age);
        }
        let kept = [1, 2, 3, 4, 5, 6].map(|key| table.probe(key).is_some());
        assert_eq!(kept, [false, true, true, true, false, true], "old first, then shallow");
    }

    #[test]
    fn no_slots_are_a_table_that_forgets() {
        let table = TranspositionTable::new(&[]);
        table.store(1, entry(1), 1);
        assert_eq!((table.probe(1), table.permille_used()), (None, 0));
    }
}
