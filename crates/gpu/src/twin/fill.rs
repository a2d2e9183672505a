use super::buffers::Buffers;
use crate::kernel::Params;

/// Marks every entry of a new slice as invalid.
pub(super) fn fill(buffers: &mut Buffers, params: &Params) {
    for side in 0..2 {
        for word in params.first..params.end {
            let entry = buffers.own_entry(params, side, u64::from(word));
            buffers.write(entry, [!0, 0]);
        }
    }
}
