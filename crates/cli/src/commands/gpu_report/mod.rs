//! `crownhead gpu-report`: everything worth knowing of a GPU, in one run of a few minutes.

#[cfg(feature = "gpu")]
mod measure;
#[cfg(feature = "gpu")]
mod render;

use std::path::PathBuf;

use crate::output::Output;
use crate::status::CommandResult;

/// Arguments of `gpu-report`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The GPU to use: its name, a part of it, or its index.
    #[arg(long, value_name = "NAME|INDEX")]
    adapter: Option<String>,
    /// Solve to this many pieces at most, as far as time and memory allow.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=8))]
    pieces: u32,
    /// Compare with the processor bit for bit up to this many pieces.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=6))]
    crosscheck: u32,
    /// Start nothing that would not be done within this many minutes, half of them for comparing,
    /// and stop what still runs then.
    #[arg(long, value_name = "M", default_value_t = 9)]
    minutes: u32,
    /// Where gpu-report.json and gpu-report.md are written.
    #[arg(long, value_name = "DIR", default_value = "target/gpu-report")]
    out: PathBuf,
}

#[cfg(feature = "gpu")]
pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let report = measure::report(args)?;
    render::write(&report, &args.out)?;
    out.json(&report)?;
    out.human(render::markdown(&report))?;
    out.human(format_args!("written to {}", args.out.display()))?;
    Ok(report.status())
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn run(_args: &Args, _out: &mut Output) -> CommandResult {
    crate::gpu::adapters().map(|_| crate::status::Status::Done)
}
