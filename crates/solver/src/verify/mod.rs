//! Checks finished tables through the public reader, with none of the solver's code.
//!
//! Every stored number is compared with what follows from the numbers of the positions after each
//! move. For distances this is a proof: a win names a move to a loss that is one ply nearer to
//! its end, and so on down to an end that the rules give. For values alone it is not quite one:
//! wins that rest on each other in a circle would pass. So a set of values is proved by building
//! the distances, or by comparing two independent builds.

mod expected;
mod fault;
mod manifest;

use crownhead_index::Material;
use crownhead_rules::{Color, Outcome, Position, Prober, Value};
use crownhead_table::{
    Check, MappedFile, PlainTable, ProbeError, SideSummary, TableError, TableErrorKind, Tables,
    TablesError, open_table, table_path,
};
use rayon::prelude::*;

use self::expected::expected;
pub use self::fault::Fault;
pub use self::manifest::Listed;

/// Positions that one thread checks at a time.
const STRIDE: u64 = 1 << 16;

/// Checks a table's header and checksums; returns the number of positions that they cover.
///
/// # Errors
///
/// [`Fault::Table`] with what is wrong.
pub fn verify_checksums(tables: &Tables, material: Material) -> Result<u64, Fault> {
    let table = open_table(tables.directory(), material, tables.metric(), Check::Everything)?;
    Ok(table.header().positions * table.header().stored_sides().len() as u64)
}

/// Checks a table's checksums, every number in it against those of the positions that follow,
/// and the header's counts; returns the number of positions.
///
/// Runs on the threads of the current rayon pool. Calls `advance` with numbers of positions done.
///
/// # Errors
///
/// The first [`Fault`] in the order of the table.
pub fn verify_table(
    tables: &Tables,
    material: Material,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<u64, Fault> {
    let positions = verify_checksums(tables, material)?;
    let table = tables.table(material)?;
    for part in material.parts() {
        tables.table(part).map_err(|error| match error.kind {
            TableErrorKind::Missing => Fault::PartMissing(part),
            _ => Fault::Table(error),
        })?;
    }
    for &side in table.header().stored_sides() {
        verify_side(tables, table, side, advance)?;
    }
    Ok(positions)
}

fn verify_side(
    tables: &Tables,
    table: &PlainTable<MappedFile>,
    side: Color,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<(), Fault> {
    let len = table.header().positions;
    let chunks = (0..len.div_ceil(STRIDE)).into_par_iter().map(|chunk| {
        let ranks = chunk * STRIDE..((chunk + 1) * STRIDE).min(len);
        let positions = ranks.end - ranks.start;
        let mut counted = Counted::default();
        let result = ranks.clone().try_for_each(|rank| {
            let outcome = verify_position(tables, table, side, rank)?;
            counted.add(outcome, rank);
            Ok(())
        });
        advance(positions);
        (counted, result.err())
    });
    let mut counted = Counted::default();
    for (chunk, fault) in chunks.collect::<Vec<_>>() {
        if let Some(fault) = fault {
            return Err(fault);
        }
        counted.append(&chunk);
    }
    let summary = &table.header().sides[side as usize];
    if counted.is(summary) { Ok(()) } else { Err(Fault::Counts(side)) }
}

/// Compares one stored outcome with what follows from the positions after it.
fn verify_position(
    tables: &Tables,
    table: &PlainTable<MappedFile>,
    side: Color,
    rank: u64,
) -> Result<Outcome, Fault> {
    let damaged = |error: ProbeError<_>| {
        let path = table_path(tables.directory(), table.header().material, tables.metric());
        Fault::Table(TableError { path, kind: TableErrorKind::Probe(error) })
    };
    let stored = table.outcome_at(side, rank).map_err(damaged)?;
    let position: Position =
        table.index().unrank(rank, side).ok_or_else(|| damaged(ProbeError::Rank { side, rank }))?;
    let expected =
        expected(&position, tables.metric(), |after| tables.probe(after)).map_err(|error| {
            match error {
                TablesError::Table(error) => Fault::Table(error),
                // Moves of legal positions lead to legal positions, so this one cannot have been.
                _ => damaged(ProbeError::Illegal),
            }
        })?;
    if stored == expected { Ok(stored) } else { Err(Fault::Wrong { position, stored, expected }) }
}

/// What the numbers of one side to move say, for comparison with the header.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Counted {
    wins: u64,
    losses: u64,
    draws: u64,
    longest_win: Option<Longest>,
    longest_loss: Option<Longest>,
}

/// The largest distance, how often it occurs, and where first.
type Longest = (u16, u64, u64);

impl Counted {
    fn add(&mut self, outcome: Outcome, rank: u64) {
        let longest = outcome.plies.map(|plies| (plies, 1, rank));
        match outcome.value {
            Value::Win => {
                self.wins += 1;
                self.longest_win = longer(self.longest_win, longest);
            }
            Value::Draw => self.draws += 1,
            Value::Loss => {
                self.losses += 1;
                self.longest_loss = longer(self.longest_loss, longest);
            }
        }
    }

    /// Adds what comes later in the table.
    fn append(&mut self, later: &Self) {
        self.wins += later.wins;
        self.losses += later.losses;
        self.draws += later.draws;
        self.longest_win = longer(self.longest_win, later.longest_win);
        self.longest_loss = longer(self.longest_loss, later.longest_loss);
    }

    fn is(&self, header: &SideSummary) -> bool {
        let longest = |longest: Option<crownhead_table::Longest>| {
            longest.map(|longest| (longest.plies, longest.count, longest.first))
        };
        *self
            == Self {
                wins: header.wins,
                losses: header.losses,
                draws: header.draws,
                longest_win: longest(header.longest_win),
                longest_loss: longest(header.longest_loss),
            }
    }
}

/// The longer of two, the second being later in the table; together if equally long.
fn longer(first: Option<Longest>, second: Option<Longest>) -> Option<Longest> {
    match (first, second) {
        (Some(a), Some(b)) if a.0 == b.0 => Some((a.0, a.1 + b.1, a.2)),
        (Some(a), Some(b)) => Some(if b.0 > a.0 { b } else { a }),
        (a, b) => a.or(b),
    }
}
