//! `man --out DIR`: manual pages.

use std::path::PathBuf;

use anyhow::Context;

use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The directory to write into; made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    write_pages(args).map_err(Failure::bad_input)?;
    out.human(format_args!("manual pages are in {}", args.out.display()))?;
    Ok(Status::Done)
}

fn write_pages(args: &Args) -> anyhow::Result<()> {
    let name = || format!("cannot write manual pages into {}", args.out.display());
    std::fs::create_dir_all(&args.out).with_context(name)?;
    clap_mangen::generate_to(super::command_line(), &args.out).with_context(name)?;
    Ok(())
}
