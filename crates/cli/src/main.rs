//! The `crownhead` command: see `crownhead help`.

mod commands;

fn main() -> std::process::ExitCode {
    commands::run()
}
