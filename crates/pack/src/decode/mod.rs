//! All positions of an image at once, back to plain tables.

mod store;
mod work;

use std::path::Path;

use crownhead_index::{Material, materials_to};
use crownhead_rules::{Color, Outcome, Position, Prober, Value};
use crownhead_table::compact::CompactTable;
use crownhead_table::{Encoding, Metric, PlainWriter};

use self::store::Store;
use crate::distance::Unpacked;
use crate::source::failed;
use crate::{PackError, Watch};

/// The decoded positions of an image, in memory: a byte a position, three where there are
/// distances.
#[derive(Debug)]
pub struct Decoded {
    store: Store,
    metric: Metric,
    pieces: u32,
}

impl Decoded {
    /// Decodes a whole image.
    ///
    /// # Errors
    ///
    /// When the image is damaged, or the watch says stop.
    pub fn new(image: &[u8], watch: &Watch<'_>) -> Result<Self, PackError> {
        let table = CompactTable::open(image).map_err(failed)?;
        let header = *table.header();
        let pieces = u32::from(header.pieces);
        let mut distances = match header.metric {
            Metric::Dtw => Some(Unpacked::open(image, &table)?),
            _ => None,
        };
        let mut store = Store::default();
        for material in materials_to(pieces) {
            let slot = store.add(material, header.metric == Metric::Dtw)?;
            work::values(&table, &store, slot, watch)?;
            if let Some(distances) = &mut distances {
                work::distances(distances, &store, slot, watch)?;
            }
            watch.advance(material, 1);
        }
        if let Some(distances) = distances {
            distances.finish()?;
        }
        Ok(Self { store, metric: header.metric, pieces })
    }

    /// The memory that so many positions take, in bytes.
    pub const fn bytes_of(positions: u64, metric: Metric) -> u64 {
        positions.saturating_mul(if matches!(metric, Metric::Wld) { 1 } else { 3 })
    }

    /// What is known of each position.
    pub const fn metric(&self) -> Metric {
        self.metric
    }

    /// The outcomes of a canonical material with this side to move, in perfect-index order.
    fn outcomes(&self, material: Material, side: Color) -> impl Iterator<Item = Outcome> + '_ {
        let table = self.store.find(material).map(|slot| self.store.table(slot));
        // Of a colour-symmetric material only Black to move is kept.
        let table = table.filter(|table| table.index.sides().contains(&side));
        let len = table.map_or(0, |table| table.len());
        (0..len).filter_map(move |rank| Some(table?.outcome(side, rank)))
    }

    /// Draws, wins and losses of a canonical material with this side to move.
    pub fn counts(&self, material: Material, side: Color) -> [u64; 3] {
        let mut counts = [0; 3];
        for outcome in self.outcomes(material, side) {
            let place = match outcome.value {
                Value::Draw => 0,
                Value::Win => 1,
                Value::Loss => 2,
            };
            counts[place] += 1;
        }
        counts
    }

    /// The longest win and the longest loss of a canonical material with this side to move, each
    /// with the first position that has it; `None` without distances or where there is none.
    pub fn longest(&self, material: Material, side: Color) -> [Option<(u16, Position)>; 2] {
        let table = self.store.find(material).map(|slot| self.store.table(slot));
        [Value::Win, Value::Loss].map(|value| {
            let mut longest: Option<(u16, usize)> = None;
            for (rank, outcome) in self.outcomes(material, side).enumerate() {
                let plies = outcome.plies.filter(|_| outcome.value == value);
                if plies > longest.map(|(plies, _)| plies) {
                    longest = plies.map(|plies| (plies, rank));
                }
            }
            let (plies, rank) = longest?;
            Some((plies, table?.index.unrank(rank as u64, side)?))
        })
    }

    /// Compares every outcome of a canonical material with those of the positions that follow;
    /// the first position that contradicts them.
    ///
    /// # Errors
    ///
    /// When the watch says stop.
    pub fn contradiction(
        &self,
        material: Material,
        watch: &Watch<'_>,
    ) -> Result<Option<Position>, PackError> {
        match self.store.find(material) {
            Some(slot) => work::contradiction(&self.store, slot, watch),
            None => Ok(None),
        }
    }

    /// Writes plain tables of all materials into a directory: byte for byte those that were
    /// packed. Shows each material when its table is finished.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub fn write(
        &self,
        directory: &Path,
        mut finished: impl FnMut(Material, u64),
    ) -> Result<(), PackError> {
        for material in materials_to(self.pieces) {
            let sides = crate::train::sides(material);
            let all = sides.iter().flat_map(|side| self.outcomes(material, *side));
            let encoding = Encoding::narrowest(self.metric, all).ok_or(PackError::TooLarge)?;
            let mut writer = PlainWriter::create(directory, material, encoding).map_err(failed)?;
            for &side in sides {
                writer.write_outcomes(self.outcomes(material, side)).map_err(failed)?;
            }
            let header = writer.finish().map_err(failed)?;
            finished(material, header.file_bytes().unwrap_or(0));
        }
        Ok(())
    }
}

impl Prober for Decoded {
    type Error = PackError;

    fn max_pieces(&self) -> u32 {
        self.pieces
    }

    fn probe(&self, position: &Position) -> Result<Outcome, PackError> {
        if !position.is_legal() {
            return Err(PackError::Illegal);
        }
        let (pieces, known) = (position.occupied().len(), self.pieces);
        if pieces > known {
            return Err(PackError::TooManyPieces { pieces, known });
        }
        Ok(self.store.outcome(position))
    }
}
