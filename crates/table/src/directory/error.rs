use core::fmt;
use std::io;
use std::path::PathBuf;

use crownhead_index::Material;

use crate::{HeaderError, Metric, PastEnd, ProbeError, VerifyError};

/// What is wrong with one table file.
#[derive(Debug)]
pub struct TableError {
    /// The file.
    pub path: PathBuf,
    /// What happened.
    pub kind: TableErrorKind,
}

/// What stopped the reading of a table file.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableErrorKind {
    /// There is no such file.
    Missing,
    /// The file system refused.
    Io(io::Error),
    /// The header, or the size, is wrong.
    Header(HeaderError),
    /// The file holds another material than its name says.
    Material(Material),
    /// The file holds another metric than its name says.
    Metric(Metric),
    /// A section does not give its checksum.
    Verify(VerifyError<PastEnd>),
    /// The position could not be looked up.
    Probe(ProbeError<PastEnd>),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.kind {
            TableErrorKind::Missing => f.write_str("no such table; build it first"),
            TableErrorKind::Io(error) => write!(f, "cannot be read: {error}"),
            TableErrorKind::Header(error) => write!(f, "{error}"),
            TableErrorKind::Material(found) => {
                write!(f, "holds {found}, not the material of its name")
            }
            TableErrorKind::Metric(found) => write!(f, "holds {found}, not the metric of its name"),
            TableErrorKind::Verify(error) => write!(f, "{error}"),
            TableErrorKind::Probe(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for TableError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            TableErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// Why a directory of tables could not answer for a position.
#[derive(Debug)]
#[non_exhaustive]
pub enum TablesError {
    /// The position is not legal.
    Illegal,
    /// The table of the position's material is missing or wrong.
    Table(TableError),
}

impl fmt::Display for TablesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal => ProbeError::<PastEnd>::Illegal.fmt(f),
            Self::Table(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for TablesError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Illegal => None,
            Self::Table(error) => Some(error),
        }
    }
}

impl From<TableError> for TablesError {
    fn from(error: TableError) -> Self {
        Self::Table(error)
    }
}
