//! The device and the CPU twins against the set-wise CPU backend and the reference, bit for bit.

mod common;

use std::ffi::OsString;
use std::fs::DirEntry;
use std::sync::atomic::AtomicBool;

use common::{compare, cpu, finish, on_device};
use crownhead_gpu::kernel::Kernel;
use crownhead_gpu::{Checks, DispatchLog, GpuBackend, Settings};
use crownhead_index::product::{Group, ProductIndex, unrank_set};
use crownhead_index::{Material, materials_to};
use crownhead_rules::{Bitboard, Color};
use crownhead_solver::{
    Backend, Control, Entry, EntrySource, Job, Metric, Options, Phase, Pipeline, Plan, Reference,
    SolveError, Summary,
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

/// Each phase runs on the device, on every word of every component, and nothing stands in for it.
#[test]
fn every_word_of_every_phase_is_done_on_the_device() {
    let gpu = on_device(Settings { audit_every: 1, ..Settings::default() });
    let mut before = gpu.log();
    for material in materials_to(3) {
        finish(&gpu, material).unwrap();
        let log = gpu.log();
        let words = |kernel| {
            let of = |log: &DispatchLog| log.kernels.get(&kernel).map_or(0, |ran| ran.words);
            of(&log) - of(&before)
        };
        let index = ProductIndex::new(material).unwrap();
        let all = built_words(&index);
        assert_eq!(words(Kernel::Fill), index.words(), "{material}");
        assert_eq!(words(Kernel::Classify), 2 * all, "{material}");
        assert_eq!(words(Kernel::Men), if material.men() > 0 { 2 * all } else { 0 }, "{material}");
        let solved = 2 * words(Kernel::Solve);
        let swept = [Kernel::SweepWins, Kernel::SweepLosses].map(words);
        assert!(solved >= 2 * all || swept.iter().all(|&swept| swept >= 2 * all), "{material}");
        assert_eq!(words(Kernel::Verify), 2 * all, "{material}");
        assert_eq!(words(Kernel::Finish), all, "{material}");
        assert_eq!(words(Kernel::Audit), 2 * all, "{material}");
        before = log;
    }
}

/// The words of all components in which no two men share a square.
fn built_words(index: &ProductIndex) -> u64 {
    let [black, white] = [Group::BlackMen, Group::WhiteMen].map(|group| {
        let len = index.dims()[group as usize];
        (0..len).map(move |rank| unrank_set(group, index.counts()[group as usize], rank))
    });
    let apart = |&(black, white): &(Bitboard, Bitboard)| (black & white).is_empty();
    let pairs = black.flat_map(|black| white.clone().map(move |white| (black, white)));
    index.component_words() * pairs.filter(apart).count() as u64
}

/// The phases up to which a build goes dispatch the kernels of those phases, and no others.
#[test]
fn the_log_names_the_kernels_of_each_phase() {
    let material: Material = "KMvK".parse().unwrap();
    for (swept, solve_words) in [(false, 1 << 10), (true, 16)] {
        let gpu = on_device(Settings { solve_words, ..Settings::default() });
        for part in Plan::with_parts(&[material]).steps().iter().map(|step| step.material) {
            if part != material {
                finish(&gpu, part).unwrap();
            }
        }
        let mut before = gpu.log();
        let mut ran = |until| {
            gpu.build(Job { material, until }, &Control::default()).unwrap();
            let log = gpu.log();
            let dispatches = |log: &DispatchLog, kernel| {
                log.kernels.get(&kernel).map_or(0, |ran| ran.dispatches)
            };
            let more = |kernel: &Kernel| dispatches(&log, *kernel) > dispatches(&before, *kernel);
            let found: Vec<_> = Kernel::ALL.into_iter().filter(more).collect();
            before = log;
            found
        };
        assert_eq!(ran(Phase::Classify), [Kernel::Fill, Kernel::Classify]);
        let rounds: &[Kernel] =
            if swept { &[Kernel::SweepWins, Kernel::SweepLosses] } else { &[Kernel::Solve] };
        let after = [Kernel::Verify, Kernel::Finish, Kernel::Audit];
        let all = [&[Kernel::Fill, Kernel::Classify, Kernel::Men], rounds, &after].concat();
        assert_eq!(ran(Phase::Finish), all);
    }
}

/// The table files of everything to 3 pieces, by name.
fn files(backend: &dyn Backend) -> Vec<(OsString, Vec<u8>)> {
    let directory = tempfile::tempdir().unwrap();
    let (plan, stop) = (Plan::to_pieces(3), AtomicBool::new(false));
    let options = Options { directory: Some(directory.path()), write: true, ..Options::default() };
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
}

#[test]
fn table_files_equal_those_of_the_cpu() {
    let (found, right) = (files(&on_device(Settings::default())), files(&cpu()));
    assert_eq!(found.len(), materials_to(3).count());
    assert!(found == right, "files differ");
}

/// The least memory with which everything to 3 pieces can be built: what it takes altogether waits
/// on the host in turn.
#[test]
fn with_the_least_memory_the_files_are_the_same() {
    let plan = Plan::to_pieces(3);
    let materials: Vec<_> = plan.steps().iter().map(|step| step.material).collect();
    let settings = |memory| Settings { memory, ..Settings::default() };
    let fits = |memory: &u64| GpuBackend::twins(settings(*memory)).check(&materials).is_ok();
    let least = (1..).map(|i| i << 10).find(fits).unwrap();
    let all: u64 = materials.iter().map(|&material| words(material)).sum();
    assert!(least < 16 * all, "{least} bytes would hold everything");
    let right = files(&cpu());
    assert!(files(&GpuBackend::twins(settings(least))) == right, "twins: files differ");
    let moved_in = [settings(least), Settings::default()].map(|settings| {
        let gpu = on_device(settings);
        assert!(files(&gpu) == right, "files differ with {least} bytes");
        gpu.log().bytes_up
    });
    assert!(moved_in[0] > moved_in[1], "slices were brought in again: {moved_in:?} bytes");
    let error = GpuBackend::twins(settings(least - 1024)).check(&materials).unwrap_err();
    assert!(matches!(error, SolveError::TooLarge { .. }), "{error}");
}

fn words(material: Material) -> u64 {
    ProductIndex::new(material).unwrap().words()
}

/// Components that take several chunks of scratch and of the arena each.
#[test]
fn a_component_larger_than_a_chunk_changes_nothing() {
    let index = ProductIndex::new("KKvK".parse().unwrap()).unwrap();
    let settings =
        Settings { scratch_bits: 8, chunk_bits: 7, audit_every: 1, ..Settings::default() };
    assert!(index.component_words() > 1 << settings.scratch_bits);
    let (gpu, right) = (on_device(settings), cpu());
    for material in ["KvK", "KKvK"].map(|name| name.parse().unwrap()) {
        for until in Phase::ALL {
            for backend in [&gpu as &dyn Backend, &right] {
                backend.build(Job { material, until }, &Control::default()).unwrap();
            }
            common::assert_same_snapshots(&gpu, &right, Job { material, until });
        }
        assert_eq!(gpu.summary(material).unwrap(), right.summary(material).unwrap());
    }
}

/// The largest component to 6 pieces, in as many chunks as a device of 32 bindings has.
#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn the_largest_component_of_6_pieces_in_many_chunks_changes_nothing() {
    let material: Material = "KKKvKKK".parse().unwrap();
    let index = ProductIndex::new(material).unwrap();
    let settings = Settings { scratch_bits: 20, chunk_bits: 20, ..Settings::default() };
    let chunks = (2 * index.component_words()).div_ceil(1 << settings.scratch_bits);
    assert!(chunks == 5 && index.words() == index.component_words(), "{chunks} chunks");
    let (gpu, right) = (on_device(settings), cpu());
    for material in Plan::with_parts(&[material]).steps().iter().map(|step| step.material) {
        assert_eq!(finish(&gpu, material).unwrap(), finish(&right, material).unwrap());
    }
    common::assert_same_snapshots(&gpu, &right, Job::finish(material));
}

/// What another backend exports.
struct Exported<'a>(&'a dyn Backend, Material);

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
