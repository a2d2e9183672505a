//! What the tests of the GPU backend share.

#![allow(dead_code, reason = "each test file uses a part")]

use std::sync::{Arc, OnceLock};

use crownhead_gpu::{Choice, Gpu, GpuBackend, Settings};
use crownhead_index::{Material, materials_to};
use crownhead_rules::Color;
use crownhead_solver::{Backend, Control, Cpu, Job, Metric, Phase, SolveError, Summary};

/// The adapter under test, named in the log.
///
/// # Panics
///
/// Without an adapter: the tests of this crate need one (`cargo xtask setup gpu` installs the
/// software one), and say so instead of passing.
pub(crate) fn gpu() -> Arc<Gpu> {
    static GPU: OnceLock<Arc<Gpu>> = OnceLock::new();
    let open = || {
        let gpu = Gpu::open(&Choice::Best).unwrap_or_else(|error| panic!("{error}"));
        eprintln!("adapter: {}", gpu.summary());
        Arc::new(gpu)
    };
    GPU.get_or_init(open).clone()
}

pub(crate) fn on_device(settings: Settings) -> GpuBackend {
    GpuBackend::new(gpu(), settings).unwrap()
}

pub(crate) fn cpu() -> Cpu {
    Cpu::new(Metric::Wld)
}

pub(crate) fn finish(backend: &dyn Backend, material: Material) -> Result<Summary, SolveError> {
    backend.build(Job::finish(material), &Control::default())?;
    backend.summary(material)
}

/// Builds everything to some pieces on both and compares every position after the phase.
///
/// # Panics
///
/// At the first material that differs.
pub(crate) fn compare(tested: &dyn Backend, expected: &dyn Backend, pieces: u32, until: &[Phase]) {
    for material in materials_to(pieces) {
        for &until in until {
            let job = Job { material, until };
            for backend in [tested, expected] {
                backend
                    .build(job, &Control::default())
                    .unwrap_or_else(|e| panic!("{material}: {e}"));
            }
            assert_same_snapshots(tested, expected, job);
        }
        assert_eq!(tested.summary(material).unwrap(), expected.summary(material).unwrap());
    }
}

/// Compares every position after a job that both have done.
///
/// # Panics
///
/// Where one differs.
pub(crate) fn assert_same_snapshots(tested: &dyn Backend, expected: &dyn Backend, job: Job) {
    for &side in Summary::sides_of(job.material) {
        assert_same_snapshot(tested, expected, job, side);
    }
}

fn assert_same_snapshot(tested: &dyn Backend, expected: &dyn Backend, job: Job, side: Color) {
    let [found, right] =
        [tested, expected].map(|backend| backend.snapshot(job.material, side).unwrap());
    if found != right {
        let at = found.iter().zip(&right).position(|(a, b)| a != b);
        panic!(
            "{} after {}, {side:?} to move: first difference at {at:?}: {:?} for {:?}",
            job.material,
            job.until.name(),
            at.map(|at| found[at]),
            at.map(|at| right[at]),
        );
    }
}
