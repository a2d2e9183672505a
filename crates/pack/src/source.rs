use std::collections::BTreeMap;

use crownhead_index::Material;
use crownhead_rules::Color;
use crownhead_table::{Encoding, Metric, Tables};

use crate::PackError;

/// Finished tables: the values of all positions of a canonical material in perfect-index order.
pub trait Source: Sync {
    /// Fills `codes` with the codes of plain tables ([`Encoding::code`], of 16 bits where there are
    /// distances) for the positions from `first` on.
    ///
    /// # Errors
    ///
    /// When a table is missing, cannot be read or is damaged.
    fn read(
        &self,
        material: Material,
        side: Color,
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), PackError>;
}

/// Any error of tables as one of packing.
pub(crate) fn failed(error: impl std::error::Error + Send + Sync + 'static) -> PackError {
    PackError::Tables(Box::new(error))
}

impl Source for Tables {
    fn read(
        &self,
        material: Material,
        side: Color,
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), PackError> {
        let table = self.table(material).map_err(failed)?;
        let bits = if self.metric() == Metric::Wld { 2 } else { 16 };
        let encoding = Encoding::new(self.metric(), bits).ok_or(PackError::TooLarge)?;
        for (rank, code) in (first..).zip(codes) {
            let outcome = table.outcome_at(side, rank).map_err(failed)?;
            *code = encoding.code(outcome).ok_or(PackError::TooLarge)?;
        }
        Ok(())
    }
}

/// Tables in memory: by material and side to move, the codes of all positions.
#[derive(Clone, Default, Debug)]
pub struct MemoryTables(pub BTreeMap<(Material, Color), Vec<u16>>);

impl Source for MemoryTables {
    fn read(
        &self,
        material: Material,
        side: Color,
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), PackError> {
        let missing = || format!("{material}: no values with {side:?} to move from {first} on");
        let table =
            self.0.get(&(material, side)).ok_or_else(|| PackError::Tables(missing().into()))?;
        let start = first as usize;
        let part = table.get(start..start + codes.len());
        codes.copy_from_slice(part.ok_or_else(|| PackError::Tables(missing().into()))?);
        Ok(())
    }
}
