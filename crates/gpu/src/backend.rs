use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crownhead_index::Material;
use crownhead_index::product::ProductIndex;
use crownhead_rules::{Color, Value};
use crownhead_solver::{
    Backend, Control, Counts, EntrySource, Flags, Job, Metric, Needs, Phase, Sink, SolveError,
    Summary,
};

use crate::GpuError;
use crate::builder::{Builder, Built, Snapshot, bytes_of};
use crate::device::Gpu;
use crate::executor::{DispatchLog, Settings, WgpuExecutor};
use crate::twin::TwinExecutor;
use crate::walk::{Walk, entries_from, value};

/// Builds win, loss and draw tables on a GPU.
pub struct GpuBackend {
    adapter: Option<String>,
    settings: Settings,
    pipelines_ready_in: Option<Duration>,
    state: Mutex<State>,
}

struct State {
    builder: Builder,
    summaries: BTreeMap<Material, Summary>,
    snapshot: Option<Snapshot>,
}

impl GpuBackend {
    /// A backend on an open device.
    ///
    /// # Errors
    ///
    /// [`GpuError::OutOfMemory`], and [`GpuError::Validation`] when a shader is rejected.
    pub fn new(gpu: Arc<Gpu>, settings: Settings) -> Result<Self, GpuError> {
        let mut executor = WgpuExecutor::new(gpu, settings.clone())?;
        let pipelines_ready_in = Some(executor.warm_up()?);
        Ok(Self { pipelines_ready_in, ..Self::on(Box::new(executor), settings) })
    }

    /// The same build with every kernel replaced by its CPU twin: slow, and without any device.
    pub fn twins(settings: Settings) -> Self {
        Self::on(Box::new(TwinExecutor::new(&settings)), settings)
    }

    fn on(executor: Box<dyn crate::executor::Executor>, settings: Settings) -> Self {
        let adapter = executor.adapter();
        let builder = Builder::new(executor, settings.clone());
        let state = State { builder, summaries: BTreeMap::new(), snapshot: None };
        Self { adapter, settings, pipelines_ready_in: None, state: Mutex::new(state) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long it took to build all pipelines; none for the CPU twins, which have none.
    pub const fn pipelines_ready_in(&self) -> Option<Duration> {
        self.pipelines_ready_in
    }

    /// What it takes of the device, in one line.
    pub fn uses(&self) -> String {
        let state = self.lock();
        let executor = &state.builder.executor;
        let (bits, most) = (executor.chunk_bits(), 8 * executor.max_entries(0));
        let limit = match self.settings.memory {
            u64::MAX => String::new(),
            memory => format!(", and at most {} KiB with scratch, as asked for", memory >> 10),
        };
        format!(
            "solved materials take up to {} MiB in chunks of {} MiB{limit}; each batch's results \
             are checked, every position of one word in {} by all its moves",
            most >> 20,
            (8u64 << bits) >> 20,
            self.settings.audit_every,
        )
    }

    /// What ran on the device so far.
    pub fn log(&self) -> DispatchLog {
        self.lock().builder.executor.log().clone()
    }

    /// How long all kernels ran on the device so far, when [`Settings::profile`] is set.
    pub fn device_time(&self) -> Duration {
        self.log().kernels.values().map(|kernel| kernel.time).sum()
    }
}

impl From<GpuError> for SolveError {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::MissingPart { material, part } => Self::NotSolved { material, part },
            GpuError::TooLarge { material, detail } => Self::TooLarge { material, reason: detail },
            other => Self::Device(other.to_string()),
        }
    }
}

fn summary_of(material: Material, built: &Built) -> Summary {
    let counts = |side: usize| Counts {
        wins: built.wins[side],
        losses: built.losses[side],
        draws: built.positions - built.wins[side] - built.losses[side],
        ..Counts::default()
    };
    let white = if material.is_symmetric() { Counts::default() } else { counts(1) };
    Summary { material, sides: [counts(0), white] }
}

fn index_of(material: Material) -> Result<ProductIndex, SolveError> {
    let reason = "it has too many words".to_owned();
    ProductIndex::new(material).ok_or(SolveError::TooLarge { material, reason })
}

impl Backend for GpuBackend {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn adapter(&self) -> Option<String> {
        self.adapter.clone()
    }

    fn metric(&self) -> Metric {
        Metric::Wld
    }

    fn needs(&self, material: Material) -> Needs {
        let scratch = ProductIndex::new(material).map_or(0, |index| {
            index.words().min(self.settings.batch_words).max(index.component_words())
        });
        Needs { stored: bytes_of(material), working: 32 * scratch }
    }

    fn check(&self, materials: &[Material]) -> Result<(), SolveError> {
        Ok(self.lock().builder.check(materials)?)
    }

    fn build(&self, job: Job, control: &Control<'_>) -> Result<(), SolveError> {
        let mut state = self.lock();
        control.check()?;
        state.snapshot = None;
        let material = job.material;
        let words = index_of(material)?.words();
        let positions = material.positions::<u64>().unwrap_or(0);
        let (mut done, mut told) = (0, 0);
        let mut progress = |finished: u64| {
            done += finished;
            let now = (u128::from(positions) * u128::from(done) / u128::from(2 * words)) as u64;
            control.advance(now.min(positions) - told);
            told = now.min(positions);
            control.check()
        };
        let (built, snapshot) = state.builder.build(material, job.until, &mut progress)?;
        if job.until == Phase::Finish {
            control.advance(positions - told);
            state.summaries.insert(material, summary_of(material, &built));
        }
        state.snapshot = snapshot;
        Ok(())
    }

    fn adopt(&self, material: Material, source: &dyn EntrySource) -> Result<(), SolveError> {
        let (entries, summary) = entries_from(index_of(material)?, source)?;
        let mut state = self.lock();
        state.builder.adopt(material, entries);
        state.summaries.insert(material, summary);
        Ok(())
    }

    fn export(
        &self,
        material: Material,
        side: Color,
        sink: &mut Sink<'_>,
    ) -> Result<(), SolveError> {
        const RUN: usize = 1 << 16;
        let entries = self.lock().builder.entries_of_side(material, side)?;
        let mut run = Vec::with_capacity(RUN);
        Walk::new(index_of(material)?).positions(|word, bit| {
            run.push(value(entries[word as usize], bit));
            if run.len() == RUN {
                sink(&run)?;
                run.clear();
            }
            Ok::<_, SolveError>(())
        })?;
        if run.is_empty() { Ok(()) } else { sink(&run) }
    }

    fn summary(&self, material: Material) -> Result<Summary, SolveError> {
        let found = self.lock().summaries.get(&material).copied();
        found.ok_or(SolveError::NotSolved { material, part: material })
    }

    fn snapshot(&self, material: Material, side: Color) -> Result<Vec<Flags>, SolveError> {
        let mut flags = Vec::new();
        let walk = Walk::new(index_of(material)?);
        let mut state = self.lock();
        if let Some(snapshot) = state.snapshot.as_ref().filter(|kept| kept.material == material) {
            walk.positions(|word, bit| {
                flags.push(snapshot.flags(side as usize, word, bit));
                Ok::<_, SolveError>(())
            })?;
            return Ok(flags);
        }
        let entries = state.builder.entries_of_side(material, side)?;
        walk.positions(|word, bit| {
            let found = value(entries[word as usize], bit);
            flags.push(Flags(match found.value() {
                Value::Draw => 0,
                Value::Win => Flags::WIN,
                Value::Loss => Flags::LOSS,
            }));
            Ok::<_, SolveError>(())
        })?;
        Ok(flags)
    }

    fn release(&self, material: Material) {
        let mut state = self.lock();
        state.builder.release(material);
        state.summaries.remove(&material);
        state.snapshot.take_if(|kept| kept.material == material);
    }
}

impl core::fmt::Debug for GpuBackend {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("GpuBackend").field("adapter", &self.adapter).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use crownhead_solver::Entry as TableEntry;

    use super::*;

    struct Draws;

    impl EntrySource for Draws {
        fn read(&self, _: Color, _: u64, values: &mut [TableEntry]) -> Result<(), SolveError> {
            values.fill(TableEntry::DRAW);
            Ok(())
        }
    }

    /// wgpu's noop backend checks every call as a driver would, and computes nothing: usage errors
    /// show as validation errors, and what is not computed must not pass for a result.
    #[test]
    fn every_call_is_valid_and_nothing_computed_is_no_result() {
        for settings in [Settings::default(), Settings::tiny(3)] {
            let gpu = GpuBackend::new(Arc::new(Gpu::noop()), settings).unwrap();
            let material = |name: &str| name.parse::<Material>().unwrap();
            let build = |name: &str, until| {
                let job = Job { material: material(name), until };
                gpu.build(job, &Control::default())
            };
            for part in ["KvK", "KvM", "MvM"] {
                gpu.adopt(material(part), &Draws).unwrap();
            }
            for name in ["KKvK", "KMvK", "KKvM", "MMvK"] {
                build(name, Phase::Classify).unwrap();
                let error = build(name, Phase::Finish).unwrap_err().to_string();
                assert!(error.contains("the device finished 0 of"), "{name}: {error}");
                assert!(gpu.summary(material(name)).is_err());
                gpu.adopt(material(name), &Draws).unwrap();
            }
        }
    }
}
