use crownhead_index::Material;
use crownhead_index::product::{Group, Place, ProductIndex, rank_set};
use crownhead_rules::{Bitboard, Color, Position, Value};

use crate::arena::Entry;
use crate::kernel::{Counters, Params, counter};
use crate::tables::SLICE_WORDS;

/// Bits of a word that was never written: they break the verifier's rules.
const POISON: [u32; 4] = [0, !0, !0, !0];

/// What the kernels see on a device.
pub(super) struct Buffers {
    pub(super) chunk_bits: u32,
    pub(super) tables: Vec<u32>,
    pub(super) components: Vec<[u32; 2]>,
    pub(super) slices: Vec<u32>,
    pub(super) counters: Counters,
    pub(super) wins: Vec<u32>,
    pub(super) losses: Vec<u32>,
    pub(super) quiet: Vec<u32>,
    pub(super) lossable: Vec<u32>,
    chunks: Vec<Vec<Entry>>,
}

impl Buffers {
    pub(super) fn new(chunk_bits: u32) -> Self {
        Self {
            chunk_bits,
            tables: Vec::new(),
            components: Vec::new(),
            slices: Vec::new(),
            counters: Counters::initial(),
            wins: Vec::new(),
            losses: Vec::new(),
            quiet: Vec::new(),
            lossable: Vec::new(),
            chunks: Vec::new(),
        }
    }

    /// Chunks are as long as what they hold, up to 2^`chunk_bits` entries.
    pub(super) fn reserve_arena(&mut self, entries: u64) {
        let capacity = 1u64 << self.chunk_bits;
        let chunks = entries.div_ceil(capacity) as usize;
        self.chunks.resize(self.chunks.len().max(chunks), Vec::new());
        for (i, chunk) in self.chunks[..chunks].iter_mut().enumerate() {
            let wanted = (entries - i as u64 * capacity).min(capacity) as usize;
            chunk.resize(chunk.len().max(wanted), [0, 0]);
        }
    }

    pub(super) fn reserve_scratch(&mut self, words: usize, components: usize) {
        let lists = [&mut self.wins, &mut self.losses, &mut self.quiet, &mut self.lossable];
        for (list, poison) in lists.into_iter().zip(POISON) {
            list.clear();
            list.resize(2 * words, poison);
        }
        self.components.resize(components, [0, 0]);
    }

    pub(super) fn poison(&mut self, at: usize) {
        self.wins[at] = POISON[0];
        self.losses[at] = POISON[1];
        self.quiet[at] = POISON[2];
        self.lossable[at] = POISON[3];
    }

    fn split(&self, entry: u64) -> (usize, usize) {
        ((entry >> self.chunk_bits) as usize, (entry & ((1 << self.chunk_bits) - 1)) as usize)
    }

    pub(super) fn read(&self, entry: u64) -> Entry {
        let (chunk, offset) = self.split(entry);
        self.chunks[chunk][offset]
    }

    pub(super) fn write(&mut self, entry: u64, value: Entry) {
        let (chunk, offset) = self.split(entry);
        self.chunks[chunk][offset] = value;
    }

    /// The entry at which a slice begins, from its chunk and offset.
    pub(super) fn start(&self, chunk: u32, offset: u32) -> u64 {
        (u64::from(chunk) << self.chunk_bits) + u64::from(offset)
    }

    /// The entry of this slice's word with one side to move.
    pub(super) fn own_entry(&self, params: &Params, side: usize, word: u64) -> u64 {
        self.start(params.base[2 * side], params.base[2 * side + 1]) + word
    }

    /// Whether an earlier batch stalled, so that this one must wait.
    pub(super) fn earlier_batch_stalled(&self, params: &Params) -> bool {
        self.counters.0[counter::STALLED] < params.batch
    }

    /// Whether this batch or an earlier one stalled.
    pub(super) fn batch_stalled(&self, params: &Params) -> bool {
        self.counters.0[counter::STALLED] <= params.batch
    }

    pub(super) fn add_wide(&mut self, at: usize, amount: u32) {
        let sum = self.counters.wide(at) + u64::from(amount);
        self.counters.0[at] = sum as u32;
        self.counters.0[at + 1] = (sum >> 32) as u32;
    }

    /// The component of a word of the batch, and the word's place in it.
    pub(super) fn component(&self, params: &Params, word: u32) -> ([u32; 2], u32) {
        let component = word / params.component_words;
        let men = self.components[(params.components + component) as usize];
        (men, word % params.component_words)
    }

    /// The word of the slice that a word of the batch is.
    pub(super) fn slice_word(&self, params: &Params, word: u32) -> u64 {
        let ([black, white], within) = self.component(params, word);
        u64::from(black) * u64::from(params.black_men_stride)
            + u64::from(white) * u64::from(params.white_men_stride)
            + u64::from(within)
    }

    /// The sets of the indexed pieces of a word, by group.
    pub(super) fn indexed_sets(&self, params: &Params, word: u32) -> [u32; 4] {
        let ([black, white], within) = self.component(params, word);
        let ranks = [black, within / params.inner_words, white, within % params.inner_words];
        core::array::from_fn(|g| self.tables[(params.sets[g] + ranks[g]) as usize])
    }

    /// The squares on which the fast piece gives a position.
    pub(super) fn valid_squares(&self, params: &Params, word: u32) -> u32 {
        let sets = self.indexed_sets(params, word);
        let taken = sets[0] | sets[1] | sets[2] | sets[3];
        let pieces: u32 = sets.iter().map(|set| set.count_ones()).sum();
        if taken.count_ones() != pieces {
            return 0;
        }
        Group::ALL[params.fast as usize].squares().0 & !taken
    }

    /// The position of one bit of a word.
    pub(super) fn position(&self, params: &Params, word: u32, bit: u32, side: usize) -> Position {
        let mut sets = self.indexed_sets(params, word);
        sets[params.fast as usize] |= 1 << bit;
        let [black_men, black_kings, white_men, white_kings] = sets.map(Bitboard);
        let side_to_move = Color::BOTH[side];
        Position { black_men, black_kings, white_men, white_kings, side_to_move }
    }

    /// The value of a position for its side to move, from the slices in the arena.
    pub(super) fn value(&mut self, position: &Position) -> Value {
        if position.side(position.side_to_move).is_empty() {
            return Value::Loss;
        }
        let material = Material::of(position);
        let position = if material.is_canonical() { *position } else { position.mirror() };
        let found = ProductIndex::new(material.canonical()).and_then(|index| {
            Some((self.slice_start(&index, position.side_to_move)?, index.place(&position)?))
        });
        let Some((start, Place { word, bit })) = found else {
            self.counters.0[counter::MISSED_READS] += 1;
            return Value::Draw;
        };
        let [win, loss] = self.read(start + word);
        match (win >> bit & 1, loss >> bit & 1) {
            (0, 0) => Value::Draw,
            (0, _) => Value::Loss,
            _ => Value::Win,
        }
    }

    /// The value of a position of this slice with the fast piece on a square, for its side to move;
    /// `None` when both bits are set.
    pub(super) fn value_here(
        &self,
        params: &Params,
        position: &Position,
        fast: u32,
    ) -> Option<Value> {
        let groups =
            [position.black_men, position.black_kings, position.white_men, position.white_kings];
        let strides = [params.black_men_stride, params.inner_words, params.white_men_stride, 1]
            .map(u64::from);
        let word = (0..4).map(|g| {
            let indexed = Bitboard(groups[g].0 & !(1 << fast));
            strides[g] * u64::from(rank_set(Group::ALL[g], indexed))
        });
        let entry = self.own_entry(params, position.side_to_move as usize, word.sum());
        match self.read(entry).map(|bits| bits >> fast & 1) {
            [0, 0] => Some(Value::Draw),
            [1, 0] => Some(Value::Win),
            [0, 1] => Some(Value::Loss),
            _ => None,
        }
    }

    fn slice_start(&self, index: &ProductIndex, side: Color) -> Option<u64> {
        let counts = Group::ALL.map(|group| group.count(index.material()) as usize);
        let key = (counts[0] << 9 | counts[1] << 6 | counts[2] << 3 | counts[3]) * SLICE_WORDS;
        let record = &self.slices[key..][..SLICE_WORDS];
        let at = 7 + 2 * side as usize;
        (record[0] == 1).then(|| self.start(record[at], record[at + 1]))
    }
}
