use crownhead_index::{Material, materials};
use crownhead_rules::{Outcome, Position, Prober};

use super::table::outcome_without_table;
use super::{PlainTable, ProbeError};
use crate::ReadAt;

/// Several plain tables as one [`Prober`], without allocation; tables should be of one metric.
///
/// For a directory of files see [`Tables`](crate::Tables) (feature `std`).
#[derive(Clone, Copy, Debug)]
pub struct PlainSet<'a, R> {
    tables: &'a [PlainTable<R>],
    max_pieces: u32,
}

impl<'a, R: ReadAt> PlainSet<'a, R> {
    /// A prober over these tables.
    pub fn new(tables: &'a [PlainTable<R>]) -> Self {
        let has = |material| tables.iter().any(|table| table.header().material == material);
        let most = 2 * Material::MAX_SIDE;
        let max_pieces =
            (2..=most).take_while(|&pieces| materials(pieces).all(has)).last().unwrap_or(1);
        Self { tables, max_pieces }
    }
}

impl<R: ReadAt> Prober for PlainSet<'_, R> {
    type Error = ProbeError<R::Error>;

    fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    fn probe(&self, position: &Position) -> Result<Outcome, Self::Error> {
        if !position.is_legal() {
            return Err(ProbeError::Illegal);
        }
        let has_plies = self.tables.iter().all(|t| t.header().encoding.metric().has_plies());
        if let Some(outcome) = outcome_without_table(position, has_plies) {
            return Ok(outcome);
        }
        let material = Material::of(position).canonical();
        let table = self.tables.iter().find(|table| table.header().material == material);
        table.ok_or(ProbeError::NoTable(material))?.probe(position)
    }
}
