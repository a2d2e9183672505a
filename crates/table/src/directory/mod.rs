//! Tables as files in a directory.

mod error;
mod map;

use std::boxed::Box;
use std::format;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::vec::Vec;

use crownhead_index::{Material, materials, materials_to};
use crownhead_rules::{Outcome, Position, Prober};

pub use error::{TableError, TableErrorKind, TablesError};
pub use map::MappedFile;

use crate::plain::outcome_without_table;
use crate::{Metric, OpenError, PastEnd, PlainTable, ProbeError};

/// The file of a material's table: `KKvK.wld` in the directory, by its canonical name.
pub fn table_path(directory: &Path, material: Material, metric: Metric) -> PathBuf {
    directory.join(format!("{}.{}", material.canonical(), metric))
}

/// What is checked of a table before its first probe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// The header, its checksum and the size of the file. A byte changed later in the file goes
    /// unseen until [`PlainTable::verify`].
    Header,
    /// The sections' checksums too: reads the whole file once.
    Everything,
}

/// Opens and maps one table file.
///
/// # Errors
///
/// When there is none, it cannot be read, or it is not the whole table that its name says.
pub fn open_table(
    directory: &Path,
    material: Material,
    metric: Metric,
    check: Check,
) -> Result<PlainTable<MappedFile>, TableError> {
    let path = table_path(directory, material, metric);
    let fail = |kind| TableError { path: path.clone(), kind };
    let file = File::open(&path).map_err(|error| {
        fail(if error.kind() == ErrorKind::NotFound {
            TableErrorKind::Missing
        } else {
            TableErrorKind::Io(error)
        })
    })?;
    let map = MappedFile::new(&file).map_err(|error| fail(TableErrorKind::Io(error)))?;
    let table = PlainTable::open(map).map_err(|error| match error {
        OpenError::Header(error) => fail(TableErrorKind::Header(error)),
        OpenError::Read(PastEnd) => fail(TableErrorKind::Io(ErrorKind::UnexpectedEof.into())),
    })?;
    let header = table.header();
    if header.material != material.canonical() {
        return Err(fail(TableErrorKind::Material(header.material)));
    }
    if header.encoding.metric() != metric {
        return Err(fail(TableErrorKind::Metric(header.encoding.metric())));
    }
    if check == Check::Everything {
        table.verify().map_err(|error| fail(TableErrorKind::Verify(error)))?;
    }
    Ok(table)
}

/// A directory of plain tables of one metric as a [`Prober`]: any legal position, either colour.
///
/// Files are mapped when first needed and stay so. Threads share it.
#[derive(Debug)]
pub struct Tables {
    directory: PathBuf,
    metric: Metric,
    check: Check,
    /// By [`slot`], so that a table is found without a search.
    slots: Vec<OnceLock<Box<PlainTable<MappedFile>>>>,
    max_pieces: u32,
}

/// The men and kings of both sides as four digits from 0 to 12.
fn slot(material: Material) -> usize {
    let Material { black, white } = material;
    [black.men, black.kings, white.men, white.kings]
        .into_iter()
        .fold(0, |slot, digit| slot * 13 + usize::from(digit))
}

impl Tables {
    /// The tables of this metric in the directory, which need not be complete: a probe that needs
    /// a missing one says so.
    pub fn open(directory: impl Into<PathBuf>, metric: Metric, check: Check) -> Self {
        let directory = directory.into();
        let exists = |material| table_path(&directory, material, metric).is_file();
        let most = 2 * Material::MAX_SIDE;
        let max_pieces =
            (2..=most).take_while(|&pieces| materials(pieces).all(exists)).last().unwrap_or(1);
        let slots = (0..13 * 13 * 13 * 13).map(|_| OnceLock::new()).collect();
        Self { directory, metric, check, slots, max_pieces }
    }

    /// What the tables say.
    pub const fn metric(&self) -> Metric {
        self.metric
    }

    /// Where they are.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The materials that have a table, in solve order, up to this many pieces.
    pub fn materials(&self, pieces: u32) -> impl Iterator<Item = Material> + '_ {
        materials_to(pieces).filter(|&m| table_path(&self.directory, m, self.metric).is_file())
    }

    /// The table of a material or its mirror.
    ///
    /// # Errors
    ///
    /// As for [`open_table`].
    #[inline]
    pub fn table(&self, material: Material) -> Result<&PlainTable<MappedFile>, TableError> {
        let slot = self.slots.get(slot(material.canonical()));
        match slot.and_then(OnceLock::get) {
            Some(table) => Ok(table),
            None => self.open_slot(material),
        }
    }

    #[cold]
    fn open_slot(&self, material: Material) -> Result<&PlainTable<MappedFile>, TableError> {
        let table = open_table(&self.directory, material, self.metric, self.check)?;
        // Should another thread be faster, its table is the same.
        Ok(self.slots[slot(material.canonical())].get_or_init(|| Box::new(table)))
    }
}

impl Prober for Tables {
    type Error = TablesError;

    fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    #[inline]
    fn probe(&self, position: &Position) -> Result<Outcome, TablesError> {
        let material = Material::of(position);
        if material.black.pieces() == 0 || material.white.pieces() == 0 {
            return if position.is_legal() {
                outcome_without_table(position, self.metric.has_plies()).ok_or(TablesError::Illegal)
            } else {
                Err(TablesError::Illegal)
            };
        }
        if !material.is_possible() {
            let path = table_path(&self.directory, material, self.metric);
            return Err(TableError { path, kind: TableErrorKind::Missing }.into());
        }
        let table = self.table(material)?;
        table.probe(position).map_err(|error| match error {
            ProbeError::Illegal => TablesError::Illegal,
            error => {
                let path = table_path(&self.directory, material, self.metric);
                TableError { path, kind: TableErrorKind::Probe(error) }.into()
            }
        })
    }
}
