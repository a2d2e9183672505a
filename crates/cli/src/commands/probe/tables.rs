//! The tables of a directory, the richest metric first.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use crownhead_rules::Position;
use crownhead_table::{Check, Metric, TableError, TableErrorKind, Tables, TablesError};

use super::answer::Answer;
use crate::commands::invoked_as;
use crate::image::ImageProber;
use crate::status::{Failure, Status, status_of_table};

/// What answers: tables, or an image.
pub(super) enum Answers {
    Tables(Richest),
    Image(ImageProber),
}

impl Answers {
    /// What is known of a position and its moves.
    pub(super) fn answer(&self, position: &Position) -> Result<Answer, Failure> {
        match self {
            Self::Tables(tables) => tables.answer(position),
            Self::Image(image) => {
                Answer::new(position, image, image.metric()).map_err(Failure::bad_input)
            }
        }
    }
}

/// Tables of one or all metrics.
pub(super) struct Richest {
    directory: PathBuf,
    /// The richest first.
    tables: Vec<Tables>,
}

impl Richest {
    /// The tables of this metric, or of all.
    pub(super) fn open(directory: &Path, metric: Option<Metric>) -> Self {
        let metrics = Metric::ALL.into_iter().rev();
        let tables = metrics
            .filter(|found| metric.is_none_or(|asked| asked == *found))
            .map(|metric| Tables::open(directory, metric, Check::Everything))
            .collect();
        Self { directory: directory.to_owned(), tables }
    }

    /// What the richest metric says that has all tables which the position and its moves need.
    pub(super) fn answer(&self, position: &Position) -> Result<Answer, Failure> {
        let mut first_missing = None;
        for tables in &self.tables {
            match Answer::new(position, tables, tables.metric()) {
                Ok(answer) => return Ok(answer),
                Err(TablesError::Table(error)) if is_missing(&error) => {
                    first_missing.get_or_insert(error);
                }
                Err(TablesError::Table(error)) => {
                    return Err(Failure::Error(status_of_table(&error), error.into()));
                }
                Err(error) => return Err(Failure::Error(Status::BadInput, error.into())),
            }
        }
        let name = first_missing
            .and_then(|error| Some(error.path.file_stem()?.to_string_lossy().into_owned()));
        Err(self.missing(&name.unwrap_or_else(|| "this material".to_owned())))
    }

    fn missing(&self, material: &str) -> Failure {
        let me = invoked_as();
        let metric = match self.tables.as_slice() {
            [one] => format!(" --metric {}", one.metric()),
            _ => String::new(),
        };
        Failure::missing(anyhow!(
            "no table of {material} in {}; `{me} solve --material {material}{metric}` builds it",
            self.directory.display()
        ))
    }
}

fn is_missing(error: &TableError) -> bool {
    matches!(error.kind, TableErrorKind::Missing)
}
