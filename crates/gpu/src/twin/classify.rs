use core::ops::ControlFlow;

use crownhead_rules::{Bitboard, Position, Value};

use super::buffers::Buffers;
use crate::kernel::Params;

/// Decides captures and promotions, one position at a time.
pub(super) fn classify(buffers: &mut Buffers, params: &Params) {
    if buffers.earlier_batch_stalled(params) {
        return;
    }
    for side in 0..2 {
        for word in params.first..params.end {
            let at = side * params.side_words as usize + word as usize;
            let valid = buffers.valid_squares(params, word);
            let [mut wins, mut losses, mut quiet, mut lossable] = [!valid, 0, 0, 0];
            for bit in Bitboard(valid).into_iter().map(|square| square.index()) {
                let position = buffers.position(params, word, bit, side);
                let captures = position.has_capture(position.side_to_move);
                let best = conversions(buffers, &position);
                wins |= u32::from(best.wins) << bit;
                losses |= u32::from(captures && best.loses) << bit;
                quiet |= u32::from(!captures) << bit;
                lossable |= u32::from(!captures && best.loses) << bit;
            }
            buffers.wins[at] = wins;
            buffers.losses[at] = losses;
            buffers.quiet[at] = quiet;
            buffers.lossable[at] = lossable;
        }
    }
}

/// What is known of some moves of a position.
struct Best {
    /// One of them reaches a loss of the opponent.
    wins: bool,
    /// All of them reach a win of the opponent.
    loses: bool,
}

/// The captures and promotions of a position.
fn conversions(buffers: &mut Buffers, position: &Position) -> Best {
    let mut best = Best { wins: false, loses: true };
    let _ = position.visit_moves(|m| -> ControlFlow<()> {
        if m.is_capture() || m.crowns() {
            let value = buffers.value(&position.after(&m));
            best.wins |= value == Value::Loss;
            best.loses &= value == Value::Win;
        }
        ControlFlow::Continue(())
    });
    best
}
