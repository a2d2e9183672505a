use super::buffers::Buffers;
use crate::kernel::Params;

/// Adds man moves inside the slice.
pub(super) fn men(buffers: &mut Buffers, params: &Params) {
    if buffers.earlier_batch_stalled(params) {
        return;
    }
    for side in 0..2 {
        for word in params.first..params.end {
            let at = side * params.side_words as usize + word as usize;
            let ([black, white], within) = buffers.component(params, word);
            let strides = [params.black_men_stride, params.white_men_stride].map(u64::from);
            let (rank, steps) =
                if side == 0 { (black, params.steps[0]) } else { (white, params.steps[2]) };
            let list = buffers.tables[(steps + rank) as usize]
                ..buffers.tables[(steps + rank) as usize + 1];
            for step in list {
                let to = buffers.tables[step as usize];
                let men = if side == 0 { [to, white] } else { [black, to] };
                let word = u64::from(men[0]) * strides[0]
                    + u64::from(men[1]) * strides[1]
                    + u64::from(within);
                let [win, loss] = buffers.read(buffers.own_entry(params, 1 - side, word));
                buffers.wins[at] |= loss & buffers.quiet[at];
                buffers.lossable[at] &= win;
            }
        }
    }
}
