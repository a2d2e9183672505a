//! One file a command.

/// Parses the arguments and runs the command.
pub(crate) fn run() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
