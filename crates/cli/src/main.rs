//! The `crownhead` command: see `crownhead help`.
//!
//! Each command is a file in `commands/`; see there how to add one.

mod backends;
mod commands;
mod engine;
mod gpu;
mod image;
mod kill;
mod memo;
mod output;
mod pdn;
mod progress;
mod replace;
mod status;
mod system;
mod text;

fn main() -> std::process::ExitCode {
    commands::run()
}
