//! The set-wise backend against the per-position reference, phase by phase, on every position.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crownhead_index::{Material, materials_to};
use crownhead_rules::Color;
use crownhead_solver::{
    Backend, Control, Cpu, Entry, EntrySource, Job, Metric, Phase, Reference, SolveError, Summary,
    VectorPath,
};

fn build(backend: &dyn Backend, material: Material, until: Phase) {
    backend.build(Job { material, until }, &Control::default()).unwrap();
}

/// Compares what is known of every position at these phases of every material.
fn compare_phases(pieces: u32, phases: &[Phase]) {
    let cpu = Cpu::new(Metric::Wld);
    let reference = Reference::new(Metric::Wld);
    for material in materials_to(pieces) {
        for &phase in phases {
            build(&cpu, material, phase);
            build(&reference, material, phase);
            for &side in Summary::sides_of(material) {
                let ours = cpu.snapshot(material, side).unwrap();
                let right = reference.snapshot(material, side).unwrap();
                let differ = ours.iter().zip(&right).position(|(ours, right)| ours != right);
                assert_eq!(differ, None, "{material}, {side:?} to move, at {}", phase.name());
                assert_eq!(ours.len(), right.len());
            }
        }
    }
}

fn export(backend: &dyn Backend, material: Material, side: Color) -> Vec<Entry> {
    let mut all = Vec::new();
    let mut keep = |some: &[Entry]| {
        all.extend_from_slice(some);
        Ok(())
    };
    backend.export(material, side, &mut keep).unwrap();
    all
}

/// Compares every value and distance, and the counts.
fn compare_results(pieces: u32, metric: Metric) {
    let cpu = Cpu::new(metric);
    let reference = Reference::new(metric);
    for material in materials_to(pieces) {
        build(&cpu, material, Phase::Finish);
        build(&reference, material, Phase::Finish);
        for &side in Summary::sides_of(material) {
            let ours = export(&cpu, material, side);
            let right = export(&reference, material, side);
            let differ = ours.iter().zip(&right).position(|(ours, right)| ours != right);
            let at = differ.map(|at| (at, ours[at], right[at]));
            assert_eq!(at, None, "{material}, {side:?} to move, {metric}");
            assert_eq!(ours.len(), right.len());
        }
        assert_eq!(cpu.summary(material).unwrap(), reference.summary(material).unwrap());
    }
}

#[test]
fn every_phase_equals_the_reference_to_three_pieces() {
    compare_phases(3, &Phase::ALL);
}

#[test]
fn every_value_equals_the_reference_to_four_pieces() {
    compare_results(4, Metric::Wld);
}

#[test]
fn every_distance_to_conversion_equals_the_reference_to_four_pieces() {
    compare_results(4, Metric::Dtc);
}

#[test]
fn every_distance_to_the_end_equals_the_reference_to_four_pieces() {
    compare_results(4, Metric::Dtw);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn every_distance_to_the_end_equals_the_reference_to_five_pieces() {
    compare_results(5, Metric::Dtw);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn every_value_equals_the_reference_to_five_pieces() {
    compare_results(5, Metric::Wld);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn every_phase_equals_the_reference_to_four_pieces() {
    compare_phases(4, &Phase::ALL);
}

/// A finished material of one backend as the source for another: by side to move.
struct Finished([Vec<Entry>; 2]);

impl EntrySource for Finished {
    fn read(&self, side: Color, first: u64, entries: &mut [Entry]) -> Result<(), SolveError> {
        entries.copy_from_slice(&self.0[side as usize][first as usize..][..entries.len()]);
        Ok(())
    }
}

#[test]
fn building_goes_on_from_adopted_tables() {
    for metric in [Metric::Wld, Metric::Dtc, Metric::Dtw] {
        let [straight, resumed] = [(); 2].map(|()| Cpu::new(metric));
        for material in materials_to(4) {
            build(&straight, material, Phase::Finish);
            let mut finished = Finished([Vec::new(), Vec::new()]);
            for &side in Summary::sides_of(material) {
                finished.0[side as usize] = export(&straight, material, side);
            }
            if material.pieces() < 4 || material.men() < 2 {
                resumed.adopt(material, &finished).unwrap();
            } else {
                build(&resumed, material, Phase::Finish);
            }
            for &side in Summary::sides_of(material) {
                let ours = export(&resumed, material, side);
                assert!(ours == finished.0[side as usize], "{material}, {metric}");
            }
        }
    }
}

/// All values to so many pieces, as one sequence.
fn all_values(pieces: u32, cpu: &Cpu) -> Vec<Entry> {
    let mut all = Vec::new();
    for material in materials_to(pieces) {
        build(cpu, material, Phase::Finish);
        for &side in Summary::sides_of(material) {
            all.extend(export(cpu, material, side));
        }
    }
    all
}

#[test]
fn every_vector_path_and_number_of_threads_gives_the_same() {
    for metric in [Metric::Dtc, Metric::Dtw] {
        let plain = Cpu::new(metric).with_path(VectorPath::Plain);
        let expected = all_values(4, &plain);
        for path in VectorPath::ALL.into_iter().filter(|path| path.is_available()) {
            for threads in [1, 2, 7] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let cpu = Cpu::new(metric).with_path(path);
                let values = pool.install(|| all_values(4, &cpu));
                let same = values == expected;
                assert!(same, "{metric}, {} on {threads} threads", path.name());
            }
        }
    }
}

#[test]
fn a_stopped_build_goes_on_from_its_working_files() {
    let directory = tempfile::tempdir().unwrap();
    let straight = Cpu::new(Metric::Wld);
    for material in materials_to(4) {
        build(&straight, material, Phase::Finish);
        let positions = material.positions::<u64>().unwrap();
        let done = AtomicU64::new(0);
        // Stops somewhere in the middle, goes on, and takes what is finished as it is.
        for part in [positions / 2, positions, positions] {
            let cpu = Cpu::new(Metric::Wld).with_working_files(directory.path().into());
            for part in material.parts() {
                build(&cpu, part, Phase::Finish);
            }
            let stop = AtomicBool::new(false);
            let advance = |more| {
                let done = done.fetch_add(more, Ordering::Relaxed) + more;
                stop.store(part < positions && done >= part, Ordering::Relaxed);
            };
            let built = cpu.build(Job::finish(material), &Control::new(&stop, &advance));
            // Asked to stop by its very last words, it is finished all the same.
            assert!(built.is_ok() || stop.load(Ordering::Relaxed));
            if built.is_ok() {
                for &side in Summary::sides_of(material) {
                    assert!(export(&cpu, material, side) == export(&straight, material, side));
                }
            }
        }
        // Twice at most the level in which it stopped: it did not begin again.
        let done = done.load(Ordering::Relaxed);
        assert!(done <= positions + positions / 2, "{material}: {done} of {positions}");
    }
}

/// A build for summaries keeps no planes, but says the same of the longest distances.
#[test]
fn summaries_are_the_same_without_the_distances() {
    let full = Cpu::new(Metric::Dtc);
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let cpu = Cpu::new(Metric::Dtc).with_summaries_only();
        for material in materials_to(4) {
            if threads == 1 {
                build(&full, material, Phase::Finish);
            }
            pool.install(|| build(&cpu, material, Phase::Finish));
            assert_eq!(cpu.summary(material).unwrap(), full.summary(material).unwrap());
            assert_eq!(cpu.longest_phase(material), full.longest_phase(material), "{material}");
            let exported = cpu.export(material, Color::Black, &mut |_| Ok(()));
            assert!(matches!(exported, Err(SolveError::NotKept { .. })));
        }
    }
}
