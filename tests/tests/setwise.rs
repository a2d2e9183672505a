//! The set-wise backend against the per-position reference, phase by phase, on every position.

use crownhead_index::{Material, materials_to};
use crownhead_rules::Color;
use crownhead_solver::{
    Backend, Control, Cpu, Entry, EntrySource, Job, Metric, Phase, Reference, SolveError, Summary,
};

fn build(backend: &dyn Backend, material: Material, until: Phase) {
    backend.build(Job { material, until }, &Control::default()).unwrap();
}

fn compare_to(pieces: u32, phases: &[Phase]) {
    let cpu = Cpu::new(Metric::Wld).unwrap();
    let reference = Reference::new(Metric::Wld);
    for material in materials_to(pieces) {
        for &phase in phases {
            build(&cpu, material, phase);
            build(&reference, material, phase);
            for &side in Summary::sides_of(material) {
                let (ours, right) = (
                    cpu.snapshot(material, side).unwrap(),
                    reference.snapshot(material, side).unwrap(),
                );
                assert_eq!(ours.len(), right.len());
                let differ = ours.iter().zip(&right).position(|(ours, right)| ours != right);
                assert_eq!(differ, None, "{material}, {side:?} to move, at {}", phase.name());
            }
        }
        assert_eq!(cpu.summary(material).unwrap(), reference.summary(material).unwrap());
    }
}

#[test]
fn every_phase_equals_the_reference_to_three_pieces() {
    compare_to(3, &Phase::ALL);
}

#[test]
fn every_value_equals_the_reference_to_four_pieces() {
    compare_to(4, &[Phase::Finish]);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn every_value_equals_the_reference_to_five_pieces() {
    compare_to(5, &[Phase::Finish]);
}

/// A finished material of one backend as the source for another.
struct From<'a>(&'a Cpu, Material);

impl EntrySource for From<'_> {
    fn read(&self, side: Color, first: u64, entries: &mut [Entry]) -> Result<(), SolveError> {
        let mut all = Vec::new();
        self.0.export(self.1, side, &mut |some| {
            all.extend_from_slice(some);
            Ok(())
        })?;
        entries.copy_from_slice(&all[first as usize..][..entries.len()]);
        Ok(())
    }
}

#[test]
fn building_goes_on_from_adopted_tables() {
    let straight = Cpu::new(Metric::Wld).unwrap();
    let resumed = Cpu::new(Metric::Wld).unwrap();
    for material in materials_to(4) {
        build(&straight, material, Phase::Finish);
        if material.pieces() < 4 || material.men() < 2 {
            resumed.adopt(material, &From(&straight, material)).unwrap();
        } else {
            build(&resumed, material, Phase::Finish);
        }
        for &side in Summary::sides_of(material) {
            assert_eq!(
                straight.snapshot(material, side).unwrap(),
                resumed.snapshot(material, side).unwrap()
            );
        }
    }
}
