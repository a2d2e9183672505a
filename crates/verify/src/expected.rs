use core::ops::ControlFlow;

use crownhead_rules::{Move, Outcome, Position, Value};
use crownhead_table::Metric;

use crate::Fault;
use crate::neighbours::Neighbours;

/// What a position is worth by the outcomes of the positions after each move.
#[inline]
pub(super) fn expected(
    position: &Position,
    metric: Metric,
    neighbours: &Neighbours<'_>,
) -> Result<Outcome, Fault> {
    let mut best = Best::default();
    let looked = position.visit_moves(|m| {
        let after = match neighbours.outcome(&position.after(&m)) {
            Ok(after) => after,
            Err(error) => return ControlFlow::Break(Err(error)),
        };
        best.offer(after.value.negate(), plies_before(&m, after, metric));
        let settled = metric == Metric::Wld && best.value == Some(Value::Win);
        if settled { ControlFlow::Break(Ok(())) } else { ControlFlow::Continue(()) }
    });
    if let ControlFlow::Break(Err(error)) = looked {
        return Err(error);
    }
    Ok(best.outcome(metric))
}

/// The distance that a move gives, counted from before it.
#[inline]
fn plies_before(m: &Move, after: Outcome, metric: Metric) -> u32 {
    match metric {
        Metric::Wld => 0,
        Metric::Dtc if m.is_conversion() => 1,
        Metric::Dtc | Metric::Dtw => u32::from(after.plies.unwrap_or(0)) + 1,
    }
}

/// The best of the moves seen so far: the shortest win, else a draw, else the longest loss.
#[derive(Default)]
struct Best {
    value: Option<Value>,
    plies: u32,
}

impl Best {
    #[inline]
    fn offer(&mut self, value: Value, plies: u32) {
        let better = match self.value {
            None => true,
            Some(so_far) if so_far != value => value > so_far,
            Some(Value::Win) => plies < self.plies,
            Some(Value::Draw) => false,
            Some(Value::Loss) => plies > self.plies,
        };
        if better {
            self.value = Some(value);
            self.plies = plies;
        }
    }

    /// Without any move, the side to move has lost.
    #[inline]
    fn outcome(self, metric: Metric) -> Outcome {
        let value = self.value.unwrap_or(Value::Loss);
        let has_plies = metric.has_plies() && value != Value::Draw;
        // A distance beyond 16 bits equals none that a table holds.
        let plies = has_plies.then(|| u16::try_from(self.plies).unwrap_or(u16::MAX));
        Outcome { value, plies }
    }
}
