use super::buffers::Buffers;
use crate::kernel::{Params, counter};

/// Whole fixed points of small components.
pub(super) fn solve(buffers: &mut Buffers, params: &Params) {
    if buffers.earlier_batch_stalled(params) {
        return;
    }
    let group = params.group_components * params.component_words;
    let mut first = params.first;
    while first < params.end {
        let end = params.end.min(first + group);
        let (rounds, finished) = fixed_point(buffers, params, first, end);
        let counters = &mut buffers.counters.0;
        counters[counter::ROUNDS] = counters[counter::ROUNDS].max(rounds);
        if !finished {
            counters[counter::STALLED] = counters[counter::STALLED].min(params.batch);
        }
        first = end;
    }
}

/// How many rounds changed something, and whether one more would not.
fn fixed_point(buffers: &mut Buffers, params: &Params, first: u32, end: u32) -> (u32, bool) {
    for round in 0..params.rounds {
        let mut changed = false;
        for loss in [false, true] {
            for side in 0..2 {
                for word in first..end {
                    changed |= buffers.advance(params, word, side, loss);
                }
            }
        }
        if !changed {
            return (round, true);
        }
    }
    (params.rounds, false)
}
