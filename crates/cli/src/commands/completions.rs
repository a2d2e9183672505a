//! `completions SHELL`: a completion script.

use clap_complete::Shell;

use crate::output::Output;
use crate::status::{CommandResult, Status};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell whose completion script is printed.
    shell: Shell,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command_line(), "crownhead", &mut script);
    out.raw(&script)?;
    Ok(Status::Done)
}
