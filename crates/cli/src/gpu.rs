//! The GPU, where this build has code for it.

use crownhead_graph::{GameGraph, Solution};
use crownhead_solver::Backend;

use crate::status::Failure;

/// Which adapter to use, and how much of its memory.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Choice {
    /// A name, part of one, or an index.
    pub(crate) adapter: Option<String>,
    /// Bytes for solved materials; the others wait in the memory of the host.
    pub(crate) memory: Option<u64>,
}

#[cfg(feature = "gpu")]
pub(crate) use self::present::{adapters, backend, open, solve_graph};

#[cfg(not(feature = "gpu"))]
pub(crate) use self::absent::{adapters, backend, solve_graph};

#[cfg(feature = "gpu")]
mod present {
    use std::sync::Arc;

    use anyhow::anyhow;
    use crownhead_gpu::{Gpu, GpuBackend, GpuError, GraphOutcome, Settings};

    use super::{Backend, Choice, Failure, GameGraph, Solution};

    /// One line for each adapter, the preferred ones first.
    pub(crate) fn adapters() -> Result<Vec<String>, Failure> {
        match crownhead_gpu::adapters() {
            found if found.is_empty() => Err(failure(GpuError::NoAdapter)),
            found => Ok(found.iter().map(ToString::to_string).collect()),
        }
    }

    /// Opens the chosen adapter, and says on standard error which there are and which it is.
    pub(crate) fn open(choice: &Choice) -> Result<Arc<Gpu>, Failure> {
        for adapter in crownhead_gpu::adapters() {
            eprintln!("adapter {adapter}");
        }
        let wanted = choice
            .adapter
            .clone()
            .map_or(crownhead_gpu::Choice::Best, crownhead_gpu::Choice::Named);
        let gpu = Gpu::open(&wanted).map_err(failure)?;
        let adapter = gpu.summary();
        eprintln!("using adapter {} {}", adapter.index, adapter.name);
        if adapter.is_software() {
            eprintln!(
                "warning: {} runs the kernels on the processor: right, but slower than --cpu",
                adapter.name
            );
        }
        Ok(Arc::new(gpu))
    }

    /// The GPU backend on the chosen adapter.
    pub(crate) fn backend(choice: &Choice) -> Result<Box<dyn Backend>, Failure> {
        let gpu = open(choice)?;
        let memory = choice.memory.unwrap_or(u64::MAX);
        let settings = Settings { memory, ..Settings::default() };
        let backend = GpuBackend::new(gpu, settings).map_err(failure)?;
        if let Some(time) = backend.pipelines_ready_in() {
            eprintln!("pipelines ready in {:.2} s", time.as_secs_f64());
        }
        eprintln!("{}", backend.uses());
        Ok(Box::new(backend))
    }

    /// Solves a graph on the chosen adapter, or says why the processor should.
    pub(crate) fn solve_graph(
        choice: &Choice,
        graph: &GameGraph<'_>,
    ) -> Result<Result<Solution, String>, Failure> {
        let gpu = open(choice)?;
        Ok(match crownhead_gpu::solve_graph(&gpu, graph).map_err(failure)? {
            GraphOutcome::Solved(solution) => Ok(solution),
            GraphOutcome::HandedBack(reason) => Err(reason),
        })
    }

    /// An adapter that there is not, where one was asked for by name, is a bad argument.
    fn failure(error: GpuError) -> Failure {
        match error {
            GpuError::UnknownAdapter { .. } => Failure::bad_input(anyhow!(error)),
            _ => Failure::missing(anyhow!(error)),
        }
    }
}

#[cfg(not(feature = "gpu"))]
mod absent {
    use anyhow::anyhow;

    use super::{Backend, Choice, Failure, GameGraph, Solution};

    fn failure() -> Failure {
        Failure::missing(anyhow!(
            "this build has no GPU code\n\
             run it through `cargo xtask`, or build it with `--features gpu`"
        ))
    }

    pub(crate) fn adapters() -> Result<Vec<String>, Failure> {
        Err(failure())
    }

    pub(crate) fn backend(_choice: &Choice) -> Result<Box<dyn Backend>, Failure> {
        Err(failure())
    }

    pub(crate) fn solve_graph(
        _choice: &Choice,
        _graph: &GameGraph<'_>,
    ) -> Result<Result<Solution, String>, Failure> {
        Err(failure())
    }
}
