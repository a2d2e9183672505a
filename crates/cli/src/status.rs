//! Exit statuses, and errors that know theirs.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use crownhead_solver::SolveError;
use crownhead_table::{TableError, TableErrorKind, WriteError, WriteErrorKind};

/// What the process ends with. The order is that of severity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Status {
    /// Done, also when a position has no legal move.
    Done = 0,
    /// The answer to a check is negative.
    Negative = 1,
    /// Bad arguments or bad input.
    BadInput = 2,
    /// Something needed is missing: an adapter, a table, an emulator, memory.
    Missing = 3,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Printed to standard error; ends with this status.
    Error(Status, anyhow::Error),
    /// Nobody reads standard output any more: ends quietly.
    BrokenPipe,
}

impl Failure {
    /// Bad arguments or bad input: status 2.
    pub(crate) fn bad_input(error: impl Into<anyhow::Error>) -> Self {
        Self::Error(Status::BadInput, error.into())
    }

    /// Something needed is missing: status 3.
    pub(crate) fn missing(error: impl Into<anyhow::Error>) -> Self {
        Self::Error(Status::Missing, error.into())
    }

    /// What the process ends with if nothing worse happens.
    pub(crate) fn status(&self) -> Status {
        match self {
            Self::Error(status, _) => *status,
            Self::BrokenPipe => Status::Done,
        }
    }

    /// Prints the message, with its causes, and gives the status.
    pub(crate) fn report(&self) -> Status {
        match self {
            Self::Error(status, error) => {
                // Where standard error is closed there is nobody to tell.
                let _ = writeln!(io::stderr(), "error: {error:#}");
                *status
            }
            Self::BrokenPipe => Status::Done,
        }
    }
}

/// The message with its causes.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(_, error) => write!(f, "{error:#}"),
            Self::BrokenPipe => f.write_str("standard output was closed"),
        }
    }
}

/// Errors of writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::BrokenPipe
        } else {
            Self::bad_input(anyhow::Error::new(error).context("cannot write to standard output"))
        }
    }
}

/// Errors of building tables.
impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        let status = match &error {
            SolveError::NotSolved { .. }
            | SolveError::LevelNotSolved { .. }
            | SolveError::Memory { .. }
            | SolveError::Disk { .. }
            | SolveError::Device(_) => Status::Missing,
            SolveError::Io { source, .. }
            | SolveError::Write(WriteError { kind: WriteErrorKind::Io(source), .. })
                if source.kind() == io::ErrorKind::StorageFull =>
            {
                Status::Missing
            }
            SolveError::Table(error) => status_of_table(error),
            _ => Status::BadInput,
        };
        Self::Error(status, error.into())
    }
}

/// Errors of reading tables.
impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        Self::Error(status_of_table(&error), error.into())
    }
}

/// No table is something missing; a table that cannot be read is bad input.
pub(crate) fn status_of_table(error: &TableError) -> Status {
    match error.kind {
        TableErrorKind::Missing => Status::Missing,
        _ => Status::BadInput,
    }
}

/// What every command returns.
pub(crate) type CommandResult = Result<Status, Failure>;
