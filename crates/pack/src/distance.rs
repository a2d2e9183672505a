use crownhead_index::materials_to;
use crownhead_rules::Position;
use crownhead_table::Metric;
use crownhead_table::compact::hash::Key;
use crownhead_table::compact::ribbon::DISTANCES;
use crownhead_table::compact::{ImageHeader, SectionKind};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use crate::ribbon::{BuiltRibbon, Item};
use crate::section::Positions;
use crate::train::sides;
use crate::{PackError, Source, Watch};

/// Positions with so many pieces have distances that are read in place.
pub(crate) const IN_PLACE_PIECES: u32 = 3;
/// The compressor's strongest setting.
const LEVEL: u8 = 10;

/// Half the distance of a position whose code in a plain table says that it is lost.
fn half_distance(code: u16) -> Option<u16> {
    // Codes are plies and 1; losses take an even number of plies.
    (code % 2 == 1).then_some(code / 2)
}

/// The two sections of distances: read in place, and packed.
pub(crate) fn sections(
    source: &dyn Source,
    pieces: u32,
    watch: &Watch<'_>,
) -> Result<[Vec<u8>; 2], PackError> {
    let mut stream = Vec::new();
    let mut items = Vec::new();
    for material in materials_to(pieces) {
        for &side in sides(material) {
            let positions = Positions::new(source, material, side);
            let parts = positions.fold(watch, Vec::new, |lost, position: &Position, _, code| {
                lost.extend(half_distance(code).map(|half| (Key::of(position), half)));
            })?;
            for (key, half) in parts.into_iter().flatten() {
                stream.push(u8::try_from(half).map_err(|_| PackError::TooLarge)?);
                if material.pieces() <= IN_PLACE_PIECES {
                    items.push(Item { key, value: half.into() });
                }
            }
        }
        watch.advance(material, 1);
    }
    let largest = items.iter().map(|item| item.value).max().unwrap_or(0);
    let width = (32 - largest.leading_zeros()).max(1);
    let ribbon = BuiltRibbon::new(DISTANCES, width, &items, watch)?;
    let mut in_place = width.to_le_bytes().to_vec();
    in_place.extend(ribbon.shard_count().to_le_bytes());
    in_place.extend(ribbon.table()?);
    in_place.extend(ribbon.blocks());
    Ok([in_place, compress_to_vec_zlib(&stream, LEVEL)])
}

/// The packed distances of an image, in their order.
pub(crate) struct Unpacked {
    halves: std::vec::IntoIter<u8>,
    missing: bool,
}

impl Unpacked {
    /// Decompresses the distances of an image whose checksums are right.
    pub(crate) fn open(image: &[u8], header: &ImageHeader) -> Result<Self, PackError> {
        debug_assert_eq!(header.metric, Metric::Dtw);
        let section = header.section(SectionKind::PackedDistances);
        let start = section.offset as usize;
        let packed = image.get(start..start + section.bytes as usize).ok_or(PackError::Damaged)?;
        // A byte for some of the lost positions, so no more than there are of these.
        let limit = usize::try_from(header.losses).unwrap_or(usize::MAX);
        let halves = decompress_to_vec_zlib_with_limit(packed, limit);
        let halves = halves.map_err(|_| PackError::Damaged)?.into_iter();
        Ok(Self { halves, missing: false })
    }

    /// The next distance, in plies.
    pub(crate) fn next(&mut self) -> u16 {
        let half = self.halves.next();
        self.missing |= half.is_none();
        u16::from(half.unwrap_or(0)) * 2
    }

    /// # Errors
    ///
    /// When there were too few or too many.
    pub(crate) fn finish(&self) -> Result<(), PackError> {
        let left = self.halves.len();
        if self.missing || left > 0 { Err(PackError::Damaged) } else { Ok(()) }
    }
}
