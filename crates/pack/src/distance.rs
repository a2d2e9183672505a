use crownhead_index::materials_to;
use crownhead_rules::Position;
use crownhead_table::compact::hash::Key;
use crownhead_table::compact::ribbon::DISTANCES;
use crownhead_table::compact::{CompactTable, SectionKind};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use crate::ribbon::{BuiltRibbon, Item};
use crate::section::Positions;
use crate::source::failed;
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
    // Where all distances are read in place, nothing is left to pack.
    let packed =
        if pieces > IN_PLACE_PIECES { compress_to_vec_zlib(&stream, LEVEL) } else { Vec::new() };
    Ok([in_place, packed])
}

/// The stored distances of an image: those of lost, quiet, even positions, in their order.
pub(crate) enum Unpacked<'a> {
    /// They are read in place.
    InPlace(&'a CompactTable<&'a [u8]>),
    /// They were packed.
    Halves(std::vec::IntoIter<u8>),
}

impl<'a> Unpacked<'a> {
    /// Decompresses the distances of an image, where they are packed.
    pub(crate) fn open(image: &[u8], table: &'a CompactTable<&'a [u8]>) -> Result<Self, PackError> {
        let header = table.header();
        if header.distance_pieces == header.pieces {
            return Ok(Self::InPlace(table));
        }
        let section = header.section(SectionKind::PackedDistances);
        let start = section.offset as usize;
        let packed = image.get(start..start + section.bytes as usize).ok_or(PackError::Damaged)?;
        // A byte for some of the lost positions, so no more than there are of these.
        let limit = usize::try_from(header.losses).unwrap_or(usize::MAX);
        let halves = decompress_to_vec_zlib_with_limit(packed, limit);
        Ok(Self::Halves(halves.map_err(|_| PackError::Damaged)?.into_iter()))
    }

    /// The next position's distance, in plies.
    pub(crate) fn next(&mut self, position: &Position) -> Result<u16, PackError> {
        match self {
            Self::InPlace(table) => table.stored_plies(position).map_err(failed),
            Self::Halves(halves) => {
                halves.next().map(|half| u16::from(half) * 2).ok_or(PackError::Damaged)
            }
        }
    }

    /// # Errors
    ///
    /// When some are left.
    pub(crate) fn finish(&self) -> Result<(), PackError> {
        match self {
            Self::Halves(halves) if halves.len() > 0 => Err(PackError::Damaged),
            _ => Ok(()),
        }
    }
}
