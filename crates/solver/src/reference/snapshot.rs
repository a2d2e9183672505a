use core::convert::Infallible;
use core::ops::ControlFlow;

use crownhead_rules::{Color, PieceKind, Position, Value};

use super::solved::{Parts, Solved};
use crate::{Flags, Phase};

/// The flags of every position with this side to move at the end of a phase, by their definition
/// from the final values.
pub(super) fn flags(phase: Phase, side: Color, solved: &Solved, parts: &Parts) -> Vec<Flags> {
    let entries = solved.side(side).iter();
    if phase >= Phase::Sweep {
        return entries
            .map(|entry| match entry.value() {
                Value::Win => Flags(Flags::WIN),
                Value::Draw => Flags(0),
                Value::Loss => Flags(Flags::LOSS),
            })
            .collect();
    }
    let with_men = phase == Phase::Men && !has_no_king(solved);
    (0..entries.len() as u64)
        .map(|rank| early_flags(&solved.position(rank, side), with_men, solved, parts))
        .collect()
}

fn has_no_king(solved: &Solved) -> bool {
    let material = solved.material();
    material.black.kings == 0 && material.white.kings == 0
}

/// The flags before any king has moved.
fn early_flags(position: &Position, with_men: bool, solved: &Solved, parts: &Parts) -> Flags {
    let quiet = !position.has_capture(position.side_to_move);
    let (mut wins, mut escapes) = (false, false);
    let _: ControlFlow<Infallible> = position.visit_moves(|m| {
        let after = position.after(&m);
        let entry = if m.is_capture() || m.crowns() {
            parts.entry(&after)
        } else if m.kind() == PieceKind::Man && with_men {
            solved.entry(&after)
        } else {
            return ControlFlow::Continue(());
        };
        wins |= entry.value() == Value::Loss;
        escapes |= entry.value() != Value::Win;
        ControlFlow::Continue(())
    });
    let mut flags = 0;
    if wins {
        flags |= Flags::WIN;
    }
    if !quiet && !escapes {
        flags |= Flags::LOSS;
    }
    if quiet {
        flags |= Flags::QUIET;
    }
    if quiet && !escapes {
        flags |= Flags::LOSSABLE;
    }
    Flags(flags)
}
