use super::buffers::Buffers;
use crate::kernel::{Params, counter};

/// Checks a batch before it is packed.
pub(super) fn verify(buffers: &mut Buffers, params: &Params) {
    if buffers.batch_stalled(params) {
        return;
    }
    for side in 0..2 {
        for word in params.first..params.end {
            let at = side * params.side_words as usize + word as usize;
            let valid = buffers.valid_squares(params, word);
            let [win, loss] = [buffers.wins[at], buffers.losses[at]];
            let offending = (!win & !valid)
                | (loss & !valid)
                | (win & loss & valid)
                | (buffers.quiet[at] & !valid)
                | (buffers.lossable[at] & !buffers.quiet[at])
                | buffers.new_bits(params, word, side, false)
                | buffers.new_bits(params, word, side, true);
            buffers.counters.0[counter::OFFENDING] += u32::from(offending != 0);
        }
    }
}
