//! Builds draughts endgame tables on the GPU through wgpu.
//!
//! All phases run on the device: classification of captures and promotions, man moves, propagation
//! to the fixed point, checking, packing and counting. The host plans, submits, and reads back a
//! few counters; bitsets come back when a table is exported.
//!
//! Each kernel under `shaders/` has a CPU twin of the same name that works on the same buffers.

mod arena;
mod backend;
mod builder;
mod device;
mod error;
mod executor;
mod graph;
pub mod kernel;
pub mod measure;
mod shader;
mod tables;
mod twin;
mod walk;

pub use backend::GpuBackend;
pub use device::{AdapterSummary, Choice, Gpu, adapters};
pub use error::GpuError;
pub use executor::{Checks, DispatchLog, KernelLog, Settings};
pub use graph::{GraphOutcome, solve_graph, solve_graph_with_twins};
pub use shader::Shaders;

#[cfg(test)]
mod shader_tests;
