use core::ops::ControlFlow;

use crownhead_rules::{Bitboard, Color, Move, Position, Value};

use super::buffers::Buffers;
use crate::kernel::{Params, counter};

/// Checks positions of a packed batch one at a time against all their successors.
pub(super) fn audit(buffers: &mut Buffers, params: &Params) {
    if buffers.batch_stalled(params) {
        return;
    }
    for side in Color::BOTH {
        for word in (params.first..params.end).step_by(params.sample as usize) {
            buffers.counters.0[counter::AUDITED] += 1;
            for square in Bitboard(buffers.valid_squares(params, word)) {
                let bit = square.index();
                let position = buffers.position(params, word, bit, side as usize);
                if buffers.value_here(params, &position, bit)
                    != Some(best(buffers, params, &position, bit))
                {
                    let counters = &mut buffers.counters.0;
                    counters[counter::AUDIT_OFFENDING] += 1;
                    counters[counter::AUDIT_FIRST] = counters[counter::AUDIT_FIRST].min(word);
                }
            }
        }
    }
}

/// The value of a position by all its moves; `fast` is the square of its fast piece.
fn best(buffers: &mut Buffers, params: &Params, position: &Position, fast: u32) -> Value {
    let mut best = Value::Loss;
    let _ = position.visit_moves(|m| -> ControlFlow<()> {
        best = best.max(match successor(buffers, params, position, &m, fast) {
            Some(Value::Loss) => Value::Win,
            Some(Value::Win) => Value::Loss,
            _ => Value::Draw,
        });
        ControlFlow::Continue(())
    });
    best
}

/// The value of the position after a move: of a conversion by its own slice, else by this one with
/// the same fast piece.
fn successor(
    buffers: &mut Buffers,
    params: &Params,
    position: &Position,
    m: &Move,
    fast: u32,
) -> Option<Value> {
    let after = position.after(m);
    if m.is_capture() || m.crowns() {
        return Some(buffers.value(&after));
    }
    let fast = if m.from().index() == fast { m.to().index() } else { fast };
    buffers.value_here(params, &after, fast)
}
