use core::ops::ControlFlow;

use crownhead_rules::{Bitboard, Value};

use super::buffers::Buffers;
use crate::kernel::{Params, counter};

/// Checks positions of a finished slice one at a time against all their successors.
pub(super) fn audit(buffers: &mut Buffers, params: &Params) {
    for side in 0..2 {
        for word in (params.first..params.end).step_by(params.sample as usize) {
            buffers.counters.0[counter::AUDITED] += 1;
            let sets = buffers.slice_sets(params, word);
            for square in Bitboard(buffers.valid_squares_of(params, sets)) {
                if !is_consistent(buffers, params, word, square.index(), side) {
                    let counters = &mut buffers.counters.0;
                    counters[counter::AUDIT_OFFENDING] += 1;
                    counters[counter::AUDIT_FIRST] = counters[counter::AUDIT_FIRST].min(word);
                }
            }
        }
    }
}

fn is_consistent(buffers: &mut Buffers, params: &Params, word: u32, bit: u32, side: usize) -> bool {
    let sets = buffers.slice_sets(params, word);
    let position = buffers.position_of(params, sets, bit, side);
    let mut best = Value::Loss;
    let _ = position.visit_moves(|m| -> ControlFlow<()> {
        best = best.max(match buffers.value(&position.after(&m)) {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        });
        ControlFlow::Continue(())
    });
    let entry = buffers.own_entry(params, side, u64::from(word));
    let [win, loss] = buffers.read(entry);
    [win >> bit & 1 != 0, loss >> bit & 1 != 0] == [best == Value::Win, best == Value::Loss]
}
