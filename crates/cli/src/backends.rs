//! The backends that this binary has, by name.

use anyhow::anyhow;
use crownhead_solver::{Backend, Metric, Reference};

use crate::status::Failure;

/// A backend that the user can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The per-position reference.
    Reference,
}

impl Kind {
    /// The backend used where none is asked for.
    pub(crate) const DEFAULT: Self = Self::Reference;

    /// The backends that `crosscheck` compares, the reference first.
    pub(crate) fn to_compare() -> Vec<Self> {
        vec![Self::Reference]
    }

    /// Makes the backend, with an empty store.
    pub(crate) fn make(self, metric: Metric) -> Result<Box<dyn Backend>, Failure> {
        match self {
            Self::Reference => Ok(Box::new(Reference::new(metric))),
        }
    }
}

/// The options that choose a backend.
#[derive(clap::Args)]
pub(crate) struct BackendArgs {
    /// Solve with the per-position reference: slow, plain, what the others are compared with.
    #[arg(long, group = "backend")]
    reference: bool,
    /// Threads to use [default: all]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl BackendArgs {
    /// The backend that was asked for.
    pub(crate) fn kind(&self) -> Kind {
        if self.reference { Kind::Reference } else { Kind::DEFAULT }
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
