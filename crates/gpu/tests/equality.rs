//! The device and the CPU twins against the set-wise CPU backend and the reference, bit for bit.

mod common;

use std::fs::DirEntry;
use std::sync::atomic::AtomicBool;

use common::{compare, cpu, finish, on_device};
use crownhead_gpu::kernel::Kernel;
use crownhead_gpu::{Checks, GpuBackend, Settings};
use crownhead_index::materials_to;
use crownhead_index::product::ProductIndex;
use crownhead_rules::Color;
use crownhead_solver::{
    Backend, Entry, EntrySource, Metric, Options, Phase, Pipeline, Plan, Reference, SolveError,
    Summary,
};

#[test]
fn the_device_equals_the_cpu_in_every_phase() {
    let gpu = on_device(Settings::default());
    compare(&gpu, &cpu(), 4, &Phase::ALL);
    let log = gpu.log();
    for kernel in Kernel::ALL {
        assert!(log.kernels[&kernel].dispatches > 0, "{} ran on the device", kernel.name());
    }
}

#[test]
fn the_device_equals_the_reference() {
    let reference = Reference::new(Metric::Wld);
    compare(&on_device(Settings::default()), &reference, 3, &Phase::ALL);
}

#[test]
fn tiny_chunks_batches_and_rounds_change_nothing() {
    let gpu = on_device(Settings::tiny(3));
    compare(&gpu, &cpu(), 3, &Phase::ALL);
    let log = gpu.log();
    assert!(log.bytes_up > 20 << 10, "parts were moved out of the arena and back in");
    let [wins, losses] =
        [Kernel::SweepWins, Kernel::SweepLosses].map(|kernel| log.kernels[&kernel].dispatches);
    // With two rounds at a time, equal results need batches that stall and go on.
    assert!(wins == losses && wins > 100, "{wins} half rounds");
}

#[test]
fn tiny_sizes_change_nothing_at_4_pieces() {
    compare(&on_device(Settings::tiny(4)), &cpu(), 4, &[Phase::Finish]);
}

#[test]
fn the_twins_equal_the_cpu_in_every_phase() {
    compare(&GpuBackend::twins(Settings::default()), &cpu(), 3, &Phase::ALL);
    compare(&GpuBackend::twins(Settings::tiny(3)), &cpu(), 3, &Phase::ALL);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn the_device_equals_the_cpu_to_5_pieces() {
    compare(&on_device(Settings::default()), &cpu(), 5, &[Phase::Finish]);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn tiny_sizes_change_nothing_at_5_pieces() {
    compare(&on_device(Settings::tiny(5)), &cpu(), 5, &[Phase::Finish]);
}

#[test]
fn checks_and_subgroups_change_nothing() {
    let variants = [
        ("without checks", Settings::default()),
        ("with bounds and loop checks", Settings { checks: Checks::All, ..Settings::default() }),
        ("without subgroups", Settings { subgroups: false, ..Settings::default() }),
    ];
    let right = cpu();
    for (name, settings) in variants {
        let gpu = on_device(settings);
        let started = std::time::Instant::now();
        for material in materials_to(3) {
            assert_eq!(finish(&gpu, material).unwrap(), finish(&right, material).unwrap());
        }
        eprintln!("{name}: {:.0?} to 3 pieces", started.elapsed());
    }
}

#[test]
fn every_word_is_classified_on_the_device() {
    let gpu = on_device(Settings::default());
    let mut words = 0;
    for material in materials_to(3) {
        finish(&gpu, material).unwrap();
        words += 2 * ProductIndex::new(material).unwrap().words();
    }
    let log = gpu.log();
    let of = |kernel| log.kernels[&kernel].words;
    // Components in which two men share a square are never built.
    let overlapping = words - of(Kernel::Classify);
    assert!(overlapping > 0 && overlapping < words / 50, "{overlapping} of {words}");
    assert_eq!(of(Kernel::Verify), of(Kernel::Classify));
    assert_eq!(2 * of(Kernel::Finish), of(Kernel::Classify));
    assert_eq!(2 * of(Kernel::Fill), words);
}

#[test]
fn table_files_equal_those_of_the_cpu() {
    let files = |backend: &dyn Backend| {
        let directory = tempfile::tempdir().unwrap();
        let (plan, stop) = (Plan::to_pieces(3), AtomicBool::new(false));
        let options =
            Options { directory: Some(directory.path()), write: true, ..Options::default() };
        let pipeline = Pipeline { backend, plan: &plan, options, stop: &stop, observer: &|_| {} };
        pipeline.run().unwrap();
        let read = |entry: std::io::Result<DirEntry>| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_owned(), std::fs::read(path).unwrap())
        };
        let mut files: Vec<_> = std::fs::read_dir(directory.path()).unwrap().map(read).collect();
        files.retain(|(name, _)| name.to_string_lossy().ends_with(".wld"));
        files.sort();
        files
    };
    let (found, right) = (files(&on_device(Settings::default())), files(&cpu()));
    assert_eq!(found.len(), materials_to(3).count());
    assert!(found == right, "files differ");
}

/// What another backend exports.
struct Exported<'a>(&'a dyn Backend, crownhead_index::Material);

impl EntrySource for Exported<'_> {
    fn read(&self, side: Color, first: u64, entries: &mut [Entry]) -> Result<(), SolveError> {
        let mut all = Vec::new();
        self.0.export(self.1, side, &mut |run| {
            all.extend_from_slice(run);
            Ok(())
        })?;
        entries.copy_from_slice(&all[first as usize..][..entries.len()]);
        Ok(())
    }
}

#[test]
fn what_is_exported_can_be_adopted_and_built_upon() {
    let (first, second, right) =
        (on_device(Settings::default()), on_device(Settings::default()), cpu());
    for material in materials_to(3) {
        let built = finish(&right, material).unwrap();
        if material.pieces() == 2 || material.men() == 3 {
            finish(&first, material).unwrap();
            second.adopt(material, &Exported(&first, material)).unwrap();
            assert_eq!(second.summary(material).unwrap(), built);
        } else {
            // From parts of which some were adopted.
            first.adopt(material, &Exported(&right, material)).unwrap();
            assert_eq!(finish(&second, material).unwrap(), built);
        }
        for &side in Summary::sides_of(material) {
            let exported = |backend: &dyn Backend| {
                let mut all = Vec::new();
                let mut take = |run: &[Entry]| {
                    all.extend_from_slice(run);
                    Ok(())
                };
                backend.export(material, side, &mut take).unwrap();
                all
            };
            assert_eq!(exported(&second), exported(&right), "{material}");
        }
    }
}
