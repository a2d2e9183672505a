//! Table files as what a build reads and writes.

use std::io;
use std::path::Path;

use crownhead_index::Material;
use crownhead_rules::{Color, Position};
use crownhead_table::{
    Check, Encoding, Header, MappedFile, Metric, PastEnd, PlainTable, PlainWriter, ProbeError,
    TableError, TableErrorKind, open_table, table_path,
};

use crate::{Backend, Counts, Entry, EntrySource, Longest, SolveError, Stage, Stages, Summary};

/// A finished table, for a backend to adopt.
pub(super) struct TableSource<'a> {
    directory: &'a Path,
    table: PlainTable<MappedFile>,
}

impl<'a> TableSource<'a> {
    /// Opens a table whose sections have been checked before.
    pub(super) fn open(
        directory: &'a Path,
        material: Material,
        metric: Metric,
    ) -> Result<Self, TableError> {
        let table = open_table(directory, material, metric, Check::Header)?;
        Ok(Self { directory, table })
    }

    fn failed(&self, error: ProbeError<PastEnd>) -> SolveError {
        let Header { material, encoding, .. } = *self.table.header();
        let path = table_path(self.directory, material, encoding.metric());
        SolveError::Table(TableError { path, kind: TableErrorKind::Probe(error) })
    }
}

impl EntrySource for TableSource<'_> {
    fn read(&self, side: Color, first: u64, entries: &mut [Entry]) -> Result<(), SolveError> {
        for (rank, entry) in (first..).zip(entries) {
            let outcome = self.table.outcome_at(side, rank).map_err(|error| self.failed(error))?;
            *entry = Entry::from(outcome);
        }
        Ok(())
    }

    fn read_values(&self, side: Color, first: u64, bytes: &mut [u8]) -> Result<bool, SolveError> {
        if self.table.header().encoding.metric() != Metric::Wld {
            return Ok(false);
        }
        let read = self.table.read_section(side, first, bytes);
        read.map(|()| true).map_err(|error| self.failed(error))
    }
}

/// The counts in a table's header.
pub(super) fn summary_of(table: &PlainTable<MappedFile>) -> Summary {
    let header = table.header();
    let sides = Color::BOTH.map(|side| {
        let counted = &header.sides[side as usize];
        let longest = |longest: Option<crownhead_table::Longest>| {
            longest.and_then(|longest| {
                let position: Position = table.index().unrank(longest.first, side)?;
                Some(Longest { plies: longest.plies, position })
            })
        };
        Counts {
            wins: counted.wins,
            losses: counted.losses,
            draws: counted.draws,
            longest_win: longest(counted.longest_win),
            longest_loss: longest(counted.longest_loss),
        }
    });
    Summary { material: header.material, sides }
}

/// The bytes of a table's file, as it will most likely be: distances beyond a byte are known from
/// 8 pieces on only.
pub fn expected_bytes(material: Material, metric: Metric) -> u64 {
    let bits = match metric {
        Metric::Wld => 2,
        Metric::Dtc | Metric::Dtw if material.pieces() < 8 => 8,
        Metric::Dtc | Metric::Dtw => 16,
    };
    let bytes = || {
        let encoding = Encoding::new(metric, bits)?;
        let positions = material.placements::<u64>()?;
        Header { material, encoding, positions, sides: Default::default() }.file_bytes()
    };
    bytes().unwrap_or(u64::MAX)
}

/// Writes the table of a material in the backend's store.
pub(super) fn write_table(
    backend: &dyn Backend,
    directory: &Path,
    summary: &Summary,
    stages: Stages<'_>,
) -> Result<Header, SolveError> {
    stages.reach(Stage::Write);
    if !directory.is_dir() {
        // The writer would make it anew, and leave what was finished wherever that is now.
        let source = io::ErrorKind::NotFound.into();
        let (path, action) = (directory.to_owned(), "the directory has gone away:");
        return Err(SolveError::Io { path, action, source });
    }
    let material = summary.material;
    let mut writer = PlainWriter::create(directory, material, encoding_for(backend, summary)?)
        .map_err(SolveError::Write)?;
    let encoding = writer.encoding();
    for &side in Summary::sides_of(material) {
        backend.export_section(material, side, encoding, &mut |bytes| {
            stages.reach(Stage::Write);
            writer.write(bytes).map_err(SolveError::Write)
        })?;
    }
    stages.reach(Stage::Write);
    let sealed = writer.seal().map_err(SolveError::Write)?;
    stages.reach(Stage::Rename);
    let header = sealed.publish().map_err(SolveError::Write)?;
    stages.reach(Stage::Rename);
    Ok(header)
}

/// The narrowest encoding for the longest distances that were counted.
fn encoding_for(backend: &dyn Backend, summary: &Summary) -> Result<Encoding, SolveError> {
    let wins =
        summary.sides.iter().filter_map(|side| side.longest_win).map(|l| Entry::win(l.plies));
    let losses =
        summary.sides.iter().filter_map(|side| side.longest_loss).map(|l| Entry::loss(l.plies));
    let outcomes = wins.chain(losses).map(|entry| entry.outcome(backend.metric().has_plies()));
    Encoding::narrowest(backend.metric(), outcomes).ok_or_else(|| SolveError::TooLarge {
        material: summary.material,
        reason: "its longest distance does not fit the table format".to_owned(),
    })
}
