//! Packs tables into the compact image that firmware and programs embed, and unpacks it.
//!
//! The reader of images is [`crownhead_table::compact`]; the format is specified in that crate's
//! FORMAT.md.

#![forbid(unsafe_code)]

mod bits;
mod classes;
mod count;
mod decode;
mod distance;
mod error;
mod flat;
mod image;
mod log;
mod placements;
mod ribbon;
mod rows;
mod section;
mod source;
mod train;
mod tree;
mod watch;

pub use decode::Decoded;
pub use error::PackError;
pub use source::{MemoryTables, Source};
pub use watch::Watch;

use crownhead_index::{Material, PerfectIndex, materials_to};
use crownhead_rules::Color;
use crownhead_table::Metric;

/// All positions with 2 to `pieces` pieces as an image: values, and with [`Metric::Dtw`]
/// distances, which take the plain tables of that metric as the source.
///
/// The image is a function of the tables alone: it does not depend on the machine or the number
/// of threads.
///
/// # Errors
///
/// When the source fails, the watch says stop, or the image would not fit the format.
pub fn pack(
    source: &dyn Source,
    pieces: u32,
    metric: Metric,
    watch: &Watch<'_>,
) -> Result<Vec<u8>, PackError> {
    if !(2..=8).contains(&pieces) {
        return Err(PackError::Pieces(pieces));
    }
    let (values, distances);
    match metric {
        Metric::Wld => {
            values = image::Values::new(source, pieces, watch)?;
            distances = Default::default();
        }
        Metric::Dtw => {
            values = image::Values::new(&OfDistances(source), pieces, watch)?;
            distances = distance::sections(source, pieces, watch)?;
        }
        Metric::Dtc => return Err(PackError::Metric(metric)),
    }
    image::assemble(metric, pieces, values, distances)
}

/// The values that tables of distances to win imply.
struct OfDistances<'a>(&'a dyn Source);

impl Source for OfDistances<'_> {
    fn read(
        &self,
        material: Material,
        side: Color,
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), PackError> {
        self.0.read(material, side, first, codes)?;
        for code in codes {
            *code = match *code {
                0 => 0,
                even if even % 2 == 0 => 1,
                _ => 2,
            };
        }
        Ok(())
    }
}

/// Draws, wins and losses of all positions.
fn counts(source: &dyn Source, pieces: u32, watch: &Watch<'_>) -> Result<[u64; 3], PackError> {
    let mut counts = [0; 3];
    let mut codes = vec![0; 1 << 16];
    for material in materials_to(pieces) {
        let positions = PerfectIndex::<u64>::new(material).map_or(0, |index| index.len());
        for &side in train::sides(material) {
            let mut first = 0;
            while first < positions {
                watch.check()?;
                let codes = &mut codes[..(positions - first).min(1 << 16) as usize];
                source.read(material, side, first, codes)?;
                for code in codes.iter() {
                    counts[usize::from(*code) % 3] += 1;
                }
                first += codes.len() as u64;
            }
        }
    }
    Ok(counts)
}
