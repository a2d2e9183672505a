//! `crownhead bench`: the engine's signature and speed.

use std::time::Instant;

use crownhead_engine::{SIGNATURE_SLOTS, Slot, signature};
use serde::Serialize;

use crate::output::Output;
use crate::status::{CommandResult, Status};
use crate::text::grouped;

/// Arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Args {}

#[derive(Serialize)]
struct Record {
    nodes: u64,
    seconds: f64,
    nps: u64,
}

pub(crate) fn run(_args: &Args, out: &mut Output) -> CommandResult {
    let slots: Vec<Slot> = std::iter::repeat_with(Slot::default).take(SIGNATURE_SLOTS).collect();
    let start = Instant::now();
    let nodes = signature(&slots);
    let seconds = start.elapsed().as_secs_f64();
    let nps = (nodes as f64 / seconds) as u64;
    out.human(format_args!("{nodes} nodes, {} nodes/s", grouped(nps)))?;
    out.json(&Record { nodes, seconds, nps })?;
    Ok(Status::Done)
}
