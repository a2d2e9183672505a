//! `crownhead unpack`: a compact image back to plain tables.

use std::path::PathBuf;

use crownhead_index::materials_to;

use super::TablesArg;
use super::pack::Record;
use crate::image::{Image, pack_failure};
use crate::output::Output;
use crate::status::{CommandResult, Status};
use crate::text::grouped;

/// Arguments of `unpack`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The image.
    image: PathBuf,
    #[command(flatten)]
    tables: TablesArg,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let image = Image::open(&args.image)?;
    let decoded = image.decode()?;
    let mut bytes = 0;
    decoded
        .write(&args.tables.tables, |_, size| bytes += size)
        .map_err(|error| pack_failure(error, &args.tables.tables))?;
    let pieces = image.header().pieces.into();
    let positions = materials_to(pieces).filter_map(|m| m.positions::<u64>()).sum();
    out.json(&Record { bytes, positions })?;
    out.human(format_args!(
        "{}: {} positions in {} bytes of tables",
        args.tables.tables.display(),
        grouped(positions),
        grouped(bytes)
    ))?;
    Ok(Status::Done)
}
