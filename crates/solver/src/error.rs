use core::fmt;
use std::io;
use std::path::PathBuf;

use crownhead_index::Material;
use crownhead_table::{TableError, WriteError};

use crate::Metric;

/// Why a build did not come to its end. What was finished before stays finished.
#[derive(Debug)]
#[non_exhaustive]
pub enum SolveError {
    /// A material was asked for, or needed as a part, before it was solved.
    NotSolved {
        /// What was being built or read.
        material: Material,
        /// What was missing.
        part: Material,
    },
    /// Distances were asked for of which a build has kept the longest only.
    NotKept {
        /// The material.
        material: Material,
    },
    /// A backend cannot build this metric.
    Metric {
        /// The backend's name.
        backend: &'static str,
        /// What was asked for.
        metric: Metric,
    },
    /// Levels of a material cannot be solved or read.
    Levels {
        /// The material.
        material: Material,
        /// Which levels, why, and what would be right.
        reason: String,
    },
    /// Levels of a material were asked for before the one that they need was solved.
    LevelNotSolved {
        /// The material.
        material: Material,
        /// The level that is missing, or of which shares are.
        level: u32,
    },
    /// A material has more positions than this backend can number.
    TooLarge {
        /// The material.
        material: Material,
        /// What is too large, and the limit.
        reason: String,
    },
    /// The build needs more memory than it may use.
    Memory {
        /// The material at which the need is largest.
        material: Material,
        /// What it takes at that point, in bytes.
        needed: u64,
        /// What it may use, in bytes.
        allowed: u64,
    },
    /// The tables need more disk space than there is.
    Disk {
        /// The directory of the tables.
        path: PathBuf,
        /// What the tables to be written take, in bytes.
        needed: u64,
        /// What is free, in bytes.
        free: u64,
    },
    /// The build was asked to stop.
    Interrupted,
    /// A file or directory could not be read or written.
    Io {
        /// Which one.
        path: PathBuf,
        /// What was being done, as in "cannot write".
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A finished table could not be read.
    Table(TableError),
    /// A table could not be written.
    Write(WriteError),
    /// The device that a backend uses failed; the text says how, and how to go on.
    Device(String),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSolved { material, part } if material == part => {
                write!(f, "{material} is not solved")
            }
            Self::NotSolved { material, part } => {
                write!(f, "{material} needs {part}, which is not there; solve it first")
            }
            Self::Metric { backend, metric } => {
                write!(f, "the {backend} backend cannot build {metric} tables")
            }
            Self::LevelNotSolved { material, level } => {
                write!(
                    f,
                    "{material}: its level {level} is not there, or not whole; solve it first"
                )
            }
            Self::NotKept { material } => {
                write!(
                    f,
                    "{material} was built for its summary: only its longest distances were kept"
                )
            }
            Self::Levels { material, reason } => write!(f, "{material}: {reason}"),
            Self::TooLarge { material, reason } => write!(f, "{material} is too large: {reason}"),
            Self::Memory { material, needed, allowed } => write!(
                f,
                "{material} takes {needed} bytes of memory and {allowed} are allowed; \
                 raise --memory, or solve fewer pieces"
            ),
            Self::Disk { path, needed, free } => write!(
                f,
                "the tables take {needed} bytes and {} has {free} free; \
                 choose another --tables directory, or solve fewer pieces",
                path.display()
            ),
            Self::Interrupted => f.write_str("stopped; what was finished is kept"),
            Self::Io { path, action, .. } => write!(f, "{action} {}", path.display()),
            Self::Table(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Device(text) => f.write_str(text),
        }
    }
}

impl core::error::Error for SolveError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Table(error) => error.source(),
            Self::Write(error) => error.source(),
            _ => None,
        }
    }
}
