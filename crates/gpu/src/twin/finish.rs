use super::buffers::Buffers;
use crate::kernel::{Params, counter};

/// Packs a batch into the arena, counts its positions, and poisons the scratch behind it.
pub(super) fn finish(buffers: &mut Buffers, params: &Params) {
    if buffers.batch_stalled(params) {
        return;
    }
    for word in params.first..params.end {
        let squares = distinct_squares(buffers, params, word);
        buffers.add_wide(counter::COUNTS, squares.count_ones());
        for side in 0..2 {
            let at = side * params.side_words as usize + word as usize;
            let entry = [buffers.wins[at], buffers.losses[at]];
            let to = buffers.own_entry(params, side, buffers.slice_word(params, word));
            buffers.write(to, entry);
            for (i, bits) in entry.into_iter().enumerate() {
                let counter = counter::COUNTS + 2 + 4 * side + 2 * i;
                buffers.add_wide(counter, (bits & squares).count_ones());
            }
            buffers.add_wide(counter::FINISHED, 1);
            buffers.poison(at);
        }
    }
}

/// The valid squares below all other pieces of the fast piece's group: each position once.
fn distinct_squares(buffers: &Buffers, params: &Params, word: u32) -> u32 {
    let others = buffers.indexed_sets(params, word)[params.fast as usize];
    let lower = |square: u32| u64::from(others) & ((1 << (square + 1)) - 1) == 0;
    let valid = buffers.valid_squares(params, word);
    (0..32)
        .filter(|&square| valid >> square & 1 != 0 && lower(square))
        .map(|square| 1 << square)
        .sum()
}
