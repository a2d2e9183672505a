use core::fmt;

use crownhead_index::Material;
use crownhead_rules::{Color, Outcome, Position};
use crownhead_table::TableError;

/// What is wrong with a table.
#[derive(Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be read, or it is not as it was written.
    Table(TableError),
    /// A table that moves lead to is not there, so that nothing can be compared.
    PartMissing(Material),
    /// A stored outcome is not what follows from the positions after it.
    Wrong {
        /// The position.
        position: Position,
        /// What the table says.
        stored: Outcome,
        /// What follows.
        expected: Outcome,
    },
    /// The header's counts for this side to move are not those of the stored outcomes.
    Counts(Color),
    /// The distances to conversion contradict what is said of the 40-move rule in this material.
    Rule40 {
        /// Whether the rule is said to matter.
        said: bool,
    },
    /// The manifest cannot be read, or says something else than the table.
    Manifest(String),
}

impl From<TableError> for Fault {
    fn from(error: TableError) -> Self {
        Self::Table(error)
    }
}

/// `win in 93`, or the value alone.
struct Words(Outcome);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.value)?;
        match self.0.plies {
            Some(plies) => write!(f, " in {plies}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(error) => error.fmt(f),
            Self::PartMissing(part) => {
                write!(f, "cannot be compared: moves lead to {part}, which is not there")
            }
            Self::Wrong { position, stored, expected } => write!(
                f,
                "wrong at {position}: stored {}, its moves give {}",
                Words(*stored),
                Words(*expected)
            ),
            Self::Counts(side) => write!(
                f,
                "the header's counts for {side} to move are not those of the stored values"
            ),
            Self::Rule40 { said: true } => f.write_str(
                "the 40-move rule is said to matter here, but every phase is short enough",
            ),
            Self::Rule40 { said: false } => f.write_str(
                "the 40-move rule is said not to matter here, but a phase is too long for it",
            ),
            Self::Manifest(what) => write!(f, "manifest.tsv {what}"),
        }
    }
}

impl core::error::Error for Fault {}
