//! What `gpu-report` measures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use crownhead_gpu::{Gpu, GpuBackend, GpuError, Settings, measure};
use crownhead_index::Material;
use crownhead_solver::{
    Backend, Control, Cpu, Event, Finished, Job, Metric, Options, Pipeline, Plan, SolveError,
    Summary,
};
use serde::Serialize;

use super::Args;
use crate::gpu;
use crate::status::{Failure, Status};

/// The whole report.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) adapter: Adapter,
    pub(super) cpu_threads: usize,
    /// All canaries passed: otherwise there is no report.
    pub(super) canaries: &'static str,
    /// To build all pipelines.
    pub(super) pipelines_seconds: f64,
    pub(super) crosscheck: Crosscheck,
    /// Read and written together by a copy kernel.
    pub(super) copy_bytes_per_second: f64,
    pub(super) solves: Vec<Solve>,
    /// Why it was not solved to more pieces.
    pub(super) ended: String,
    pub(super) seconds: f64,
}

impl Report {
    pub(super) fn status(&self) -> Status {
        let equal = self.crosscheck.equal && self.solves.iter().all(|solve| solve.equal);
        if equal { Status::Done } else { Status::Negative }
    }
}

#[derive(Serialize)]
pub(super) struct Adapter {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) backend: String,
    pub(super) driver: String,
    pub(super) max_binding_bytes: u64,
    pub(super) subgroups: bool,
    pub(super) timestamps: bool,
}

#[derive(Serialize)]
pub(super) struct Crosscheck {
    pub(super) pieces: u32,
    /// Of these, so many were compared before the time for it was over.
    pub(super) materials: usize,
    pub(super) compared: usize,
    pub(super) equal: bool,
    pub(super) first_difference: Option<String>,
    pub(super) seconds: f64,
}

/// All materials to some pieces, solved from nothing.
#[derive(Serialize)]
pub(super) struct Solve {
    pub(super) pieces: u32,
    /// Both sides to move.
    pub(super) positions: u64,
    pub(super) gpu_seconds: f64,
    pub(super) gpu_positions_per_second: f64,
    /// The CPU backend with all threads of this machine, when time allowed.
    pub(super) cpu_seconds: Option<f64>,
    /// How many times faster the GPU is.
    pub(super) ratio: Option<f64>,
    /// Whether both count the same wins, losses and draws.
    pub(super) equal: bool,
    pub(super) submissions: u64,
    pub(super) bytes_to_device: u64,
    pub(super) bytes_from_device: u64,
    /// By kernel, from a second run in which each dispatch is timed alone.
    pub(super) kernels: Vec<Kernel>,
    /// Of the copy kernel's bandwidth, over the time of all kernels.
    pub(super) least_share_of_bandwidth: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct Kernel {
    pub(super) name: &'static str,
    pub(super) dispatches: u64,
    pub(super) words: u64,
    pub(super) seconds: f64,
}

/// Time that is left, and what a next step would take.
struct Budget {
    begun: Instant,
    limit: Duration,
}

impl Budget {
    /// Positions grow by about 18 times with each piece.
    const GROWTH: f64 = 20.0;

    fn allows(&self, seconds: f64) -> bool {
        self.begun.elapsed().as_secs_f64() + seconds < self.limit.as_secs_f64()
    }

    /// Whether comparing may go on: half of the time is for the rest.
    fn allows_comparing(&self) -> bool {
        self.begun.elapsed() < self.limit / 2
    }
}

pub(super) fn report(args: &Args) -> Result<Report, Failure> {
    let budget =
        Budget { begun: Instant::now(), limit: Duration::from_secs(60 * u64::from(args.minutes)) };
    let gpu = gpu::open(&gpu::Choice { adapter: args.adapter.clone(), memory: None })?;
    let pipelines = backend(&gpu, false)?.pipelines_ready_in().unwrap_or_default();
    let copy_bytes_per_second = measure::copy_bandwidth(&gpu).map_err(device)?;
    eprintln!("comparing with the processor to {} pieces", args.crosscheck);
    let crosscheck = crosscheck(&gpu, args.crosscheck, &budget)?;
    let (solves, ended) = solve_all(&gpu, args, &budget, copy_bytes_per_second)?;
    let adapter = gpu.summary();
    Ok(Report {
        adapter: Adapter {
            name: adapter.name.clone(),
            kind: adapter.kind,
            backend: adapter.backend.clone(),
            driver: adapter.driver.clone(),
            max_binding_bytes: adapter.max_binding,
            subgroups: adapter.subgroups,
            timestamps: adapter.timestamps,
        },
        cpu_threads: std::thread::available_parallelism().map_or(1, usize::from),
        canaries: "passed",
        pipelines_seconds: pipelines.as_secs_f64(),
        crosscheck,
        copy_bytes_per_second,
        solves,
        ended,
        seconds: budget.begun.elapsed().as_secs_f64(),
    })
}

fn device(error: GpuError) -> Failure {
    Failure::missing(anyhow!(error))
}

fn backend(gpu: &Arc<Gpu>, profile: bool) -> Result<GpuBackend, Failure> {
    let settings = Settings { profile, ..Settings::default() };
    GpuBackend::new(gpu.clone(), settings).map_err(device)
}

/// Compares every position of every material, as far as its time allows.
fn crosscheck(gpu: &Arc<Gpu>, pieces: u32, budget: &Budget) -> Result<Crosscheck, Failure> {
    let begun = Instant::now();
    let (gpu, cpu) = (backend(gpu, false)?, Cpu::new(Metric::Wld));
    let plan = Plan::to_pieces(pieces);
    let (mut first_difference, mut compared) = (None, 0);
    for step in plan.steps().iter().take_while(|_| budget.allows_comparing()) {
        compared += 1;
        if !is_equal(&gpu, &cpu, step.material)? {
            first_difference = Some(step.material.to_string());
            break;
        }
    }
    Ok(Crosscheck {
        pieces,
        materials: plan.steps().len(),
        compared,
        equal: first_difference.is_none(),
        first_difference,
        seconds: begun.elapsed().as_secs_f64(),
    })
}

fn is_equal(gpu: &GpuBackend, cpu: &Cpu, material: Material) -> Result<bool, SolveError> {
    for backend in [gpu as &dyn Backend, cpu] {
        backend.build(Job::finish(material), &Control::default())?;
    }
    for &side in Summary::sides_of(material) {
        if gpu.snapshot(material, side)? != cpu.snapshot(material, side)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Solves to ever more pieces while time and memory allow; also why it ended.
fn solve_all(
    gpu: &Arc<Gpu>,
    args: &Args,
    budget: &Budget,
    bandwidth: f64,
) -> Result<(Vec<Solve>, String), Failure> {
    let mut solves: Vec<Solve> = Vec::new();
    let (mut cpu_next, mut gpu_next) = (0.0, 0.0);
    for pieces in 4.min(args.pieces)..=args.pieces {
        if !budget.allows(gpu_next) {
            let ended = format!("{pieces} pieces would take about {gpu_next:.0} s more");
            return Ok((solves, ended));
        }
        eprintln!("solving to {pieces} pieces");
        let on_gpu = backend(gpu, false)?;
        let (found, gpu_seconds) = match timed(&on_gpu, pieces, budget) {
            Ok(done) => done,
            Err(SolveError::Interrupted) => {
                return Ok((solves, format!("the time was over during {pieces} pieces")));
            }
            Err(error) => return Ok((solves, format!("at {pieces} pieces: {error}"))),
        };
        gpu_next = gpu_seconds * Budget::GROWTH;
        let log = on_gpu.log();
        drop(on_gpu);
        let cpu = if budget.allows(cpu_next) {
            in_time(timed(&Cpu::new(Metric::Wld), pieces, budget))?
        } else {
            None
        };
        cpu_next = cpu.as_ref().map_or(f64::INFINITY, |(_, seconds)| seconds * Budget::GROWTH);
        // Timing each dispatch alone takes up to three times as long.
        let profiled = budget.allows(3.0 * gpu_seconds) && pieces <= 6;
        let kernels = if profiled { profile(gpu, pieces, budget)? } else { None };
        let cpu_seconds = cpu.as_ref().map(|(_, seconds)| *seconds);
        let positions = found.iter().map(|done| done.summary.positions()).sum::<u64>();
        solves.push(Solve {
            pieces,
            positions,
            gpu_seconds,
            gpu_positions_per_second: positions as f64 / gpu_seconds,
            cpu_seconds,
            ratio: cpu_seconds.map(|cpu| cpu / gpu_seconds),
            equal: cpu.is_none_or(|(counted, _)| summaries(&counted) == summaries(&found)),
            submissions: log.submissions,
            bytes_to_device: log.bytes_up,
            bytes_from_device: log.bytes_down,
            least_share_of_bandwidth: kernels.as_ref().map(|(_, traffic, seconds)| {
                *traffic as f64 / seconds.max(f64::MIN_POSITIVE) / bandwidth
            }),
            kernels: kernels.map_or_else(Vec::new, |(kernels, _, _)| kernels),
        });
    }
    Ok((solves, "all that was asked for is solved".to_owned()))
}

fn summaries(finished: &[Finished]) -> Vec<Summary> {
    finished.iter().map(|done| done.summary).collect()
}

/// What was done in time.
fn in_time<T>(done: Result<T, SolveError>) -> Result<Option<T>, SolveError> {
    match done {
        Err(SolveError::Interrupted) => Ok(None),
        done => done.map(Some),
    }
}

/// Solves all materials to some pieces from nothing, writing nothing; with the seconds it took.
///
/// # Errors
///
/// [`SolveError::Interrupted`] when the time is over.
fn timed(
    backend: &dyn Backend,
    pieces: u32,
    budget: &Budget,
) -> Result<(Vec<Finished>, f64), SolveError> {
    let (plan, stop) = (Plan::to_pieces(pieces), AtomicBool::new(false));
    let observer = |_: Event<'_>| {
        if !budget.allows(0.0) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let options = Options { memory: crate::system::available_memory(), ..Options::default() };
    let pipeline = Pipeline { backend, plan: &plan, options, stop: &stop, observer: &observer };
    let begun = Instant::now();
    let finished = pipeline.run()?;
    Ok((finished, begun.elapsed().as_secs_f64()))
}

/// Every kernel's time, the bytes that all must have moved at least, and the time of all.
type Profile = (Vec<Kernel>, u64, f64);

/// A second run, in which each dispatch is timed alone; none when the time is over before its end.
fn profile(gpu: &Arc<Gpu>, pieces: u32, budget: &Budget) -> Result<Option<Profile>, Failure> {
    let backend = backend(gpu, true)?;
    if in_time(timed(&backend, pieces, budget))?.is_none() {
        return Ok(None);
    }
    let log = backend.log();
    let kernels = log.kernels.iter().map(|(kernel, ran)| Kernel {
        name: kernel.name(),
        dispatches: ran.dispatches,
        words: ran.words,
        seconds: ran.time.as_secs_f64(),
    });
    let kernels = kernels.collect();
    Ok(Some((kernels, measure::least_traffic(&log), backend.device_time().as_secs_f64())))
}
