use super::buffers::Buffers;
use crate::kernel::{Params, counter};

/// Half a round of propagation over large components.
pub(super) fn sweep(buffers: &mut Buffers, params: &Params, loss: bool) {
    let flag = (params.round_flags + params.round) as usize;
    let before_changed = params.round == 0 || buffers.counters.0[flag - 1] != 0;
    if buffers.earlier_batch_stalled(params) || !before_changed {
        return;
    }
    let mut changed = false;
    for side in 0..2 {
        for word in params.first..params.end {
            changed |= buffers.advance(params, word, side, loss);
        }
    }
    if changed {
        let counters = &mut buffers.counters.0;
        counters[flag] = 1;
        counters[counter::ROUNDS] = counters[counter::ROUNDS].max(params.round + 1);
        if params.round + 1 == params.rounds {
            counters[counter::STALLED] = counters[counter::STALLED].min(params.batch);
        }
    }
}
