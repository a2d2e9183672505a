//! True distances to the next conversion.

use std::collections::HashMap;
use std::convert::Infallible;

use crownhead_index::{Material, PerfectIndex, materials_to};
use crownhead_rules::{Outcome, Position, Prober};
use crownhead_solver::{Backend, Control, Cpu, Entry, Job, Metric};

/// Distances to the conversion of everything to 5 pieces.
pub(crate) struct Distances(HashMap<Material, (PerfectIndex<u32>, [Vec<Entry>; 2])>);

impl Distances {
    pub(crate) fn new() -> Self {
        let cpu = Cpu::new(Metric::Dtc);
        let mut all = HashMap::new();
        for material in materials_to(5) {
            cpu.build(Job::finish(material), &Control::default()).expect("it builds");
            let index = PerfectIndex::new(material).expect("an index");
            let mut sides = [Vec::new(), Vec::new()];
            for &side in index.sides() {
                let mut keep = |some: &[Entry]| {
                    sides[side as usize].extend_from_slice(some);
                    Ok(())
                };
                cpu.export(material, side, &mut keep).expect("it is built");
            }
            all.insert(material, (index, sides));
        }
        Self(all)
    }

    pub(crate) fn of(&self, position: &Position) -> Entry {
        if let Some(winner) = position.winner() {
            return if winner == position.side_to_move { Entry::win(0) } else { Entry::loss(0) };
        }
        let (index, sides) = &self.0[&Material::of(position).canonical()];
        let (side, rank) = index.locate(position).expect("a legal position");
        sides[side as usize][rank as usize]
    }
}

/// Gives values alone, as the player's tables do.
impl Prober for Distances {
    type Error = Infallible;

    fn max_pieces(&self) -> u32 {
        5
    }

    fn probe(&self, position: &Position) -> Result<Outcome, Infallible> {
        Ok(self.of(position).outcome(false))
    }
}
