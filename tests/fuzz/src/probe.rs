//! Random positions: every reader says what the reference says.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use crownhead_index::{Material, PerfectIndex, materials_to};
use crownhead_rules::{Bitboard, Color, Outcome, Position, Value};
use crownhead_solver::{Backend, Control, Entry, Job, Metric, Reference, Summary};
use crownhead_table::compact::CompactTable;
use crownhead_table::embedded::{IMAGE_3, IMAGE_4};

/// The reference's entries of a material, by side to move.
type Entries = (PerfectIndex<u64>, [Vec<Entry>; 2]);

/// The reference's outcomes to 3 pieces.
static REFERENCE: LazyLock<HashMap<Material, Entries>> = LazyLock::new(|| {
    let reference = Reference::new(Metric::Dtw);
    materials_to(3)
        .map(|material| {
            reference.build(Job::finish(material), &Control::default()).expect("builds");
            let mut entries = [Vec::new(), Vec::new()];
            for &side in Summary::sides_of(material) {
                let mut keep = |some: &[Entry]| {
                    entries[side as usize].extend_from_slice(some);
                    Ok(())
                };
                reference.export(material, side, &mut keep).expect("is there");
            }
            (material, (PerfectIndex::new(material).expect("small"), entries))
        })
        .collect()
});

static THREE: LazyLock<CompactTable<&[u8]>> =
    LazyLock::new(|| CompactTable::open(IMAGE_3).expect("a sound image"));
static FOUR: LazyLock<CompactTable<&[u8]>> =
    LazyLock::new(|| CompactTable::open(IMAGE_4).expect("a sound image"));

/// Builds the reference's tables, which takes seconds under a sanitizer.
pub fn prepare() {
    LazyLock::force(&REFERENCE);
}

/// Five bytes a position: the side to move with the kinds of the pieces, then their squares.
pub fn probe(bytes: &[u8]) {
    for chunk in bytes.chunks_exact(5).take(32) {
        if let Some(position) = position(chunk) {
            check(&position);
        }
    }
}

fn position(bytes: &[u8]) -> Option<Position> {
    let kinds = bytes[0];
    let mut position = Position::empty(if kinds & 1 == 0 { Color::Black } else { Color::White });
    let pieces = 2 + usize::from(kinds >> 1 & 3).min(2);
    for byte in &bytes[1..=pieces] {
        let bit = 1u32 << (byte & 31);
        let set = match byte >> 5 & 3 {
            0 => &mut position.black_men,
            1 => &mut position.black_kings,
            2 => &mut position.white_men,
            _ => &mut position.white_kings,
        };
        if set.0 & bit != 0 {
            return None;
        }
        *set = Bitboard(set.0 | bit);
    }
    let both = Color::BOTH.iter().all(|side| !position.side(*side).is_empty());
    (both && position.is_legal()).then_some(position)
}

fn check(position: &Position) {
    let stored = FOUR.value(position).unwrap_or_else(|error| panic!("{position}: {error}"));
    let mirrored = FOUR.value(&position.mirror()).expect("its mirror");
    assert_eq!(stored, mirrored, "{position}");
    if position.occupied().len() > 3 {
        assert_eq!(stored, from_successors(position), "{position}");
        return;
    }
    let (index, entries) = &REFERENCE[&Material::of(position).canonical()];
    let (side, rank) = index.locate(position).expect("is numbered");
    let right = entries[side as usize][rank as usize].outcome(true);
    assert_eq!(stored, right.value, "{position}");
    let (outcome, _) = THREE.outcome_within(position, u32::MAX).expect("a probe");
    assert_eq!(outcome, Outcome { value: right.value, plies: right.plies }, "{position}");
}

/// The value that the positions after each move give.
fn from_successors(position: &Position) -> Value {
    let mut best = Value::Loss;
    let _: ControlFlow<()> = position.visit_moves(|m| {
        let after = position.after(&m);
        let value = if after.side(after.side_to_move).is_empty() {
            Value::Loss
        } else {
            FOUR.value(&after).unwrap_or_else(|error| panic!("{after}: {error}"))
        };
        best = best.max(value.negate());
        ControlFlow::Continue(())
    });
    best
}
