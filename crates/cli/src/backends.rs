//! The backends that this binary has, by name.

use anyhow::anyhow;
use crownhead_solver::{Backend, Cpu, Metric, Reference, SolveError};

use crate::gpu;
use crate::status::Failure;

/// A backend that the user can ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The per-position reference.
    Reference,
    /// The set-wise solver on the processor.
    Cpu,
    /// The set-wise solver on a GPU.
    Gpu(gpu::Choice),
}

impl Kind {
    /// The backends that `crosscheck` compares, the reference first.
    pub(crate) fn to_compare(gpu: Option<gpu::Choice>) -> Vec<Self> {
        [Self::Reference, Self::Cpu].into_iter().chain(gpu.map(Self::Gpu)).collect()
    }

    /// Makes the backend, with an empty store.
    pub(crate) fn make(self, metric: Metric) -> Result<Box<dyn Backend>, Failure> {
        match self {
            Self::Reference => Ok(Box::new(Reference::new(metric))),
            Self::Cpu => Ok(Box::new(Cpu::new(metric))),
            Self::Gpu(_) if metric != Metric::Wld => {
                Err(SolveError::Metric { backend: "gpu", metric }.into())
            }
            Self::Gpu(choice) => gpu::backend(&choice),
        }
    }
}

/// The options that choose a backend.
#[derive(clap::Args)]
pub(crate) struct BackendArgs {
    /// Solve with the set-wise solver on the processor (the default).
    #[arg(long, group = "backend")]
    cpu: bool,
    /// Solve with the per-position reference: slow, plain, what the others are compared with.
    #[arg(long, group = "backend")]
    reference: bool,
    /// Solve on a GPU (win, draw or loss only).
    #[arg(long, group = "backend")]
    gpu: bool,
    /// The GPU to use: its name, a part of it, or its number in the list that --gpu prints
    /// [default: the first of the list, or WGPU_ADAPTER_NAME]
    #[arg(long, value_name = "NAME|INDEX", requires = "gpu")]
    adapter: Option<String>,
    /// Threads to use [default: all]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl BackendArgs {
    /// Whether the GPU was asked for.
    pub(crate) fn is_gpu(&self) -> bool {
        self.gpu
    }

    /// The backend that was asked for, the set-wise one unless another was.
    pub(crate) fn kind(&self, memory: Option<u64>) -> Kind {
        if self.gpu {
            Kind::Gpu(gpu::Choice { adapter: self.adapter.clone(), memory })
        } else if self.reference {
            Kind::Reference
        } else {
            Kind::Cpu
        }
    }

    /// A pool of as many threads as were asked for.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        let threads = self.threads.map_or(0, usize::from);
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| Failure::missing(anyhow!(error).context("cannot start threads")))
    }
}
