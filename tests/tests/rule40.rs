//! The 40-move rule, with small numbers of moves so that it matters, against a search that counts
//! the moves of each side and lets the side to move claim the draw.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crownhead_index::materials_to;
use crownhead_rules::{Position, Value};
use crownhead_solver::{
    Backend, Control, Cpu, Entry, Job, Metric, RULE40_MATTERS, RULE40_PIECES, Summary,
};

/// Plays every move of every position, counting plies since the last man move or capture.
struct Counting {
    /// Moves of each side after which the side to move may claim a draw.
    moves: u32,
    known: HashMap<(Position, u32), Value>,
}

impl Counting {
    fn value(&mut self, position: &Position, plies: u32) -> Value {
        if let Some(&value) = self.known.get(&(*position, plies)) {
            return value;
        }
        let mut best = Value::Loss;
        let mut successors = Vec::new();
        let _: ControlFlow<()> = position.visit_moves(|m| {
            let quiet_king = !m.is_capture() && m.kind() == crownhead_rules::PieceKind::King;
            successors.push((position.after(&m), quiet_king));
            ControlFlow::Continue(())
        });
        let may_claim = plies >= 2 * self.moves && !successors.is_empty();
        if may_claim {
            best = Value::Draw;
        }
        for (after, quiet_king) in successors {
            let value = if !quiet_king {
                self.value(&after, 0).negate()
            } else if may_claim {
                // The opponent can claim too.
                Value::Draw
            } else {
                self.value(&after, plies + 1).negate()
            };
            best = best.max(value);
        }
        self.known.insert((*position, plies), best);
        best
    }
}

fn compare(pieces: u32, moves: u32) -> u64 {
    let (ruled, free) = (Cpu::new(Metric::Wld).with_move_limit(moves), Cpu::new(Metric::Wld));
    let mut counting = Counting { moves, known: HashMap::new() };
    let mut cursed = 0;
    for material in materials_to(pieces) {
        for cpu in [&ruled, &free] {
            cpu.build(Job::finish(material), &Control::default()).unwrap();
        }
        let index = crownhead_index::PerfectIndex::<u32>::new(material).unwrap();
        for &side in Summary::sides_of(material) {
            let export = |cpu: &Cpu| {
                let mut all: Vec<Entry> = Vec::new();
                let mut keep = |some: &[Entry]| {
                    all.extend_from_slice(some);
                    Ok(())
                };
                cpu.export(material, side, &mut keep).unwrap();
                all
            };
            for (rank, (ruled, free)) in export(&ruled).iter().zip(export(&free)).enumerate() {
                let position = index.unrank(rank as u32, side).unwrap();
                assert_eq!(ruled.value(), counting.value(&position, 0), "{position} by {moves}");
                cursed += u64::from(ruled.value() != free.value());
            }
        }
    }
    cursed
}

#[test]
fn values_by_the_rule_equal_those_of_counted_play() {
    for moves in [1, 2, 4] {
        assert!(compare(3, moves) > 1000, "the rule should matter at {moves} moves");
    }
}

#[test]
fn forty_moves_are_enough_to_three_pieces() {
    let ruled = Cpu::new(Metric::Wld).with_move_limit(40);
    let free = Cpu::new(Metric::Wld);
    for material in materials_to(3) {
        for cpu in [&ruled, &free] {
            cpu.build(Job::finish(material), &Control::default()).unwrap();
        }
        assert_eq!(ruled.summary(material).unwrap(), free.summary(material).unwrap());
    }
}

/// The rule matters in the listed materials to 6 pieces and in no other.
#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn the_rule_matters_where_it_is_said_to() {
    let ruled = Cpu::new(Metric::Wld).with_move_limit(40);
    let free = Cpu::new(Metric::Wld);
    let mut matters = Vec::new();
    for material in materials_to(RULE40_PIECES) {
        for cpu in [&ruled, &free] {
            cpu.build(Job::finish(material), &Control::default()).unwrap();
        }
        if ruled.summary(material).unwrap() != free.summary(material).unwrap() {
            matters.push(material.to_string());
        }
    }
    assert_eq!(matters, RULE40_MATTERS);
}
