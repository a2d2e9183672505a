//! The `crownhead` command: see `crownhead help`.
//!
//! Each command is a file in `commands/`; see there how to add one.

mod commands;
mod output;
mod progress;
mod status;

fn main() -> std::process::ExitCode {
    commands::run()
}
