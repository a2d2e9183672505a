//! Solves two kings against one on a GPU, through Vulkan, Metal or DirectX 12.
//!
//! > KKvK on the gpu: 29760 positions, 15258 wins

use std::sync::Arc;

use anyhow::Result;
use crownhead_gpu::{Choice, Gpu, GpuBackend, Settings};
use crownhead_solver::{Backend, Options, Pipeline, Plan};

fn main() -> Result<()> {
    // The best adapter; a software one if there is no other.
    let gpu = Arc::new(Gpu::open(&Choice::Best)?);
    let backend = GpuBackend::new(gpu, Settings::default())?;
    let material = "KKvK".parse()?;
    let pipeline = Pipeline {
        backend: &backend,
        plan: &Plan::with_parts(&[material]),
        options: Options::default(),
        stop: &false.into(),
        observer: &|_| {},
    };
    let finished = pipeline.run()?;
    let [.., last] = &finished[..] else { anyhow::bail!("nothing was built") };
    let wins: u64 = last.summary.sides.iter().map(|side| side.wins).sum();
    let positions = last.summary.positions();
    println!("{material} on the {}: {positions} positions, {wins} wins", backend.name());
    Ok(())
}
