//! `crownhead pack`: tables into one compact image.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::anyhow;
use crownhead_index::materials_to;
use crownhead_pack::{Watch, pack};
use crownhead_solver::{Options, Pipeline, Plan};
use crownhead_table::{Check, Metric, Tables};
use serde::Serialize;

use super::TablesArg;
use crate::backends::BackendArgs;
use crate::image::pack_failure;
use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};
use crate::text::{self, grouped};
use crate::{progress, replace, system};

/// Arguments of `pack`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file to write.
    out: PathBuf,
    /// Pack all positions with 2 to this many pieces.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=8))]
    pieces: u32,
    /// What the image says: wld (win, draw or loss) or dtw (also the plies to the end).
    #[arg(long, value_name = "X", default_value = "wld")]
    metric: Metric,
    #[command(flatten)]
    backend: BackendArgs,
    #[command(flatten)]
    tables: TablesArg,
}

#[derive(Serialize)]
pub(super) struct Record {
    pub(super) bytes: u64,
    pub(super) positions: u64,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    if args.metric == Metric::Dtc {
        return Err(Failure::bad_input(anyhow!("an image has metric wld or dtw, not dtc")));
    }
    let start = Instant::now();
    let pool = args.backend.pool()?;
    pool.install(|| solve_missing(args))?;
    let tables = Tables::open(&args.tables.tables, args.metric, Check::Everything);
    let positions = materials_to(args.pieces).filter_map(|m| m.positions::<u64>()).sum();
    let passes = Watch::passes(args.metric);
    let bar = progress::bar(positions * passes, "passes over positions");
    bar.set_message("packing");
    let stop = AtomicBool::new(false);
    let advance = |done| bar.inc(done);
    let watch = Watch::new(&stop, &advance);
    let image = pool.install(|| pack(&tables, args.pieces, args.metric, &watch));
    bar.finish_and_clear();
    let image = image.map_err(|error| pack_failure(error, &args.tables.tables))?;
    replace::write(&args.out, |stream| Ok(stream.write_all(&image)?))
        .map_err(Failure::bad_input)?;
    let bytes = image.len() as u64;
    out.json(&Record { bytes, positions })?;
    out.human(format_args!(
        "{}: {} positions in {} bytes ({:.4} bits a position), {}",
        args.out.display(),
        grouped(positions),
        grouped(bytes),
        bytes as f64 * 8.0 / positions as f64,
        text::seconds(start.elapsed())
    ))?;
    Ok(Status::Done)
}

/// Builds the tables that are not there.
fn solve_missing(args: &Args) -> Result<(), Failure> {
    let plan = Plan::to_pieces(args.pieces);
    let backend = args.backend.kind(None).make(args.metric)?;
    let options = Options {
        directory: Some(&args.tables.tables),
        write: true,
        force: false,
        memory: system::available_memory(),
        disk: system::free_space(&args.tables.tables),
        ..Options::default()
    };
    let stop = AtomicBool::new(false);
    let pipeline = Pipeline {
        backend: backend.as_ref(),
        plan: &plan,
        options,
        stop: &stop,
        observer: &|_| {},
    };
    pipeline.run()?;
    Ok(())
}
