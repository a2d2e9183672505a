use core::fmt;

use crownhead_index::{IndexError, Material};
use crownhead_rules::Color;

use super::{Encoding, Index};
use crate::Metric;
use crate::crc::checksum;

/// The first eight bytes of a plain table.
pub(super) const MAGIC: [u8; 8] = *b"CROWNTAB";
/// The format's version. Files of another version are refused.
pub(super) const VERSION: u16 = 1;
/// The bytes of the header; the sections follow without a gap.
pub(super) const HEADER_BYTES: usize = 256;

const SIDE_BYTES: usize = 96;
const SIDES_AT: usize = 32;
const CRC_AT: usize = HEADER_BYTES - 4;
/// Stands for "no such position" where a distance is expected; no distance is as long.
const NONE: u16 = u16::MAX;

/// The longest distance among the wins, or among the losses, of one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Longest {
    /// The distance in plies.
    pub plies: u16,
    /// How many positions have it.
    pub count: u64,
    /// The lowest rank in the perfect index of those positions.
    pub first: u64,
}

/// What a table holds for one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SideSummary {
    /// Positions won for the side to move.
    pub wins: u64,
    /// Positions lost for the side to move.
    pub losses: u64,
    /// Drawn positions.
    pub draws: u64,
    /// The longest win; `None` without distances or without wins.
    pub longest_win: Option<Longest>,
    /// The longest loss; `None` without distances or without losses.
    pub longest_loss: Option<Longest>,
    /// The CRC-32 of the section's bytes.
    pub crc: u32,
}

/// What stands at the head of a plain table: what it holds, where, and the checksums.
///
/// 256 bytes, little-endian:
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 8 | `CROWNTAB` |
/// | 8 | 2 | version, 1 |
/// | 10 | 2 | header bytes, 256 |
/// | 12 | 1 | metric: 0 wld, 1 dtc, 2 dtw |
/// | 13 | 1 | bits a position: 2, 8 or 16 |
/// | 14 | 1 | sides to move: 1 for a colour-symmetric material (Black), else 2 |
/// | 15 | 1 | flags, 0 |
/// | 16 | 4 | black men, black kings, white men, white kings |
/// | 20 | 4 | 0 |
/// | 24 | 8 | positions a side |
/// | 32 | 96 | Black to move, as below |
/// | 128 | 96 | White to move, or zeros |
/// | 224 | 28 | 0 |
/// | 252 | 4 | CRC-32 of the 252 bytes before |
///
/// For each side to move: offset and bytes of its section (8 each), CRC-32 of the section (4),
/// longest win and loss in plies (2 each, 65,535 for none), wins, losses, draws (8 each), then
/// for the longest win and the longest loss how many there are and the first's rank (8 each),
/// then 16 bytes of 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The canonical material.
    pub material: Material,
    /// Metric and bits a position.
    pub encoding: Encoding,
    /// Positions for each side to move.
    pub positions: u64,
    /// By the side to move, Black first. A colour-symmetric material has nothing under White.
    pub sides: [SideSummary; 2],
}

/// What is wrong with the bytes of a plain table's header, or with the size of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HeaderError {
    /// There are fewer bytes than a header has.
    TooShort(u64),
    /// The first bytes are not those of a plain table.
    Magic,
    /// The file was written by an older release; the version is given.
    Older(u16),
    /// The file was written by a newer release; the version is given.
    Newer(u16),
    /// The header's bytes do not give its checksum.
    Checksum,
    /// The metric's number is unknown.
    Metric(u8),
    /// The metric is never kept in so many bits.
    Bits(u8),
    /// Flags or other reserved bytes are set, which this release does not know.
    Reserved,
    /// The material is not a canonical one with 1 to 12 pieces a side.
    Material(Material),
    /// The material has more positions than this build of the reader numbers.
    TooLarge(Material),
    /// The number of positions is not that of the material.
    Positions(u64),
    /// Wins, losses, draws or longest distances of this side do not go together.
    Counts(Color),
    /// The section of this side is not where it must be.
    Layout(Color),
    /// The file does not have the size that its header asks for.
    Size {
        /// What the header asks for, in bytes.
        expected: u64,
        /// What there is, in bytes.
        found: u64,
    },
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort(bytes) => {
                write!(f, "cut short: {bytes} bytes, a table has at least {HEADER_BYTES}")
            }
            Self::Magic => f.write_str("not a plain table: it does not begin with CROWNTAB"),
            Self::Older(version) => write!(
                f,
                "written by an older release: format version {version}, this one reads {VERSION}; \
                 build it again"
            ),
            Self::Newer(version) => write!(
                f,
                "written by a newer release: format version {version}, this one reads {VERSION}"
            ),
            Self::Checksum => f.write_str("damaged: the header does not give its checksum"),
            Self::Metric(metric) => {
                write!(f, "unknown metric {metric}; 0 wld, 1 dtc and 2 dtw are known")
            }
            Self::Bits(bits) => {
                write!(f, "{bits} bits a position; wld has 2, dtc and dtw have 8 or 16")
            }
            Self::Reserved => f.write_str("flags are set that this release does not know"),
            Self::Material(material) => write!(
                f,
                "impossible material {material}: the stronger side is Black, each has 1 to 12 pieces"
            ),
            Self::TooLarge(material) => {
                write!(f, "material {material} has more positions than this reader numbers")
            }
            Self::Positions(positions) => {
                write!(f, "{positions} positions a side are not those of the material")
            }
            Self::Counts(color) => {
                write!(f, "the counts for {color:?} to move do not go together")
            }
            Self::Layout(color) => {
                write!(f, "the section for {color:?} to move is not where it must be")
            }
            Self::Size { expected, found } => write!(
                f,
                "{} {found} bytes, the header asks for {expected}",
                if found < expected { "cut short:" } else { "bytes follow the end:" }
            ),
        }
    }
}

impl core::error::Error for HeaderError {}

fn u16_at(bytes: &[u8; HEADER_BYTES], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8; HEADER_BYTES], at: usize) -> u32 {
    u32::from_le_bytes(core::array::from_fn(|i| bytes[at + i]))
}

fn u64_at(bytes: &[u8; HEADER_BYTES], at: usize) -> u64 {
    u64::from_le_bytes(core::array::from_fn(|i| bytes[at + i]))
}

impl Header {
    /// The sides to move that have a section, in the order of the file.
    pub fn stored_sides(&self) -> &'static [Color] {
        if self.material.is_symmetric() { &[Color::Black] } else { &Color::BOTH }
    }

    /// The bytes of each section.
    pub(super) fn section_bytes(&self) -> Option<u64> {
        self.encoding.bytes_for(self.positions)
    }

    /// Where a side's section begins.
    pub(super) fn section_offset(&self, side: Color) -> Option<u64> {
        match side {
            Color::Black => Some(HEADER_BYTES as u64),
            Color::White => self.section_bytes()?.checked_add(HEADER_BYTES as u64),
        }
    }

    /// The bytes of the whole file; `None` when they exceed `u64`.
    pub fn file_bytes(&self) -> Option<u64> {
        let last = *self.stored_sides().last()?;
        self.section_offset(last)?.checked_add(self.section_bytes()?)
    }

    /// Reads a header and checks everything that can be checked without the sections.
    pub(super) fn parse(
        bytes: &[u8; HEADER_BYTES],
        size: u64,
    ) -> Result<(Self, Index), HeaderError> {
        if bytes[..8] != MAGIC {
            return Err(HeaderError::Magic);
        }
        match u16_at(bytes, 8) {
            VERSION => {}
            older if older < VERSION => return Err(HeaderError::Older(older)),
            newer => return Err(HeaderError::Newer(newer)),
        }
        if checksum(&bytes[..CRC_AT]) != u32_at(bytes, CRC_AT) {
            return Err(HeaderError::Checksum);
        }
        let metric =
            *Metric::ALL.get(usize::from(bytes[12])).ok_or(HeaderError::Metric(bytes[12]))?;
        let encoding = Encoding::new(metric, bytes[13]).ok_or(HeaderError::Bits(bytes[13]))?;
        let material = Material::new(bytes[16], bytes[17], bytes[18], bytes[19]);
        let index = index_of(material)?;
        let mut header =
            Self { material, encoding, positions: u64_at(bytes, 24), sides: Default::default() };
        if header.positions != wide(index.len()) {
            return Err(HeaderError::Positions(header.positions));
        }
        for &side in header.stored_sides() {
            header.sides[side as usize] = header.parse_side(bytes, side)?;
        }
        let expected = header.file_bytes().ok_or(HeaderError::TooLarge(material))?;
        // Writing it again gives the same bytes, or a reserved one is set.
        if header.to_bytes() != *bytes {
            return Err(HeaderError::Reserved);
        }
        if size != expected {
            return Err(HeaderError::Size { expected, found: size });
        }
        Ok((header, index))
    }

    fn parse_side(
        &self,
        bytes: &[u8; HEADER_BYTES],
        side: Color,
    ) -> Result<SideSummary, HeaderError> {
        let at = SIDES_AT + SIDE_BYTES * side as usize;
        let layout = (Some(u64_at(bytes, at)), Some(u64_at(bytes, at + 8)));
        if layout != (self.section_offset(side), self.section_bytes()) {
            return Err(HeaderError::Layout(side));
        }
        let longest = |plies: u16, at: usize| {
            (plies != NONE).then(|| Longest {
                plies,
                count: u64_at(bytes, at),
                first: u64_at(bytes, at + 8),
            })
        };
        let summary = SideSummary {
            wins: u64_at(bytes, at + 24),
            losses: u64_at(bytes, at + 32),
            draws: u64_at(bytes, at + 40),
            longest_win: longest(u16_at(bytes, at + 20), at + 48),
            longest_loss: longest(u16_at(bytes, at + 22), at + 64),
            crc: u32_at(bytes, at + 16),
        };
        if summary.is_sound(self.encoding.metric(), self.positions) {
            Ok(summary)
        } else {
            Err(HeaderError::Counts(side))
        }
    }

    /// The header as it stands in the file.
    pub(super) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        let Material { black, white } = self.material;
        put(0, &MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(10, &(HEADER_BYTES as u16).to_le_bytes());
        put(12, &[self.encoding.metric() as u8, self.encoding.bits()]);
        put(14, &[self.stored_sides().len() as u8, 0]);
        put(16, &[black.men, black.kings, white.men, white.kings]);
        put(24, &self.positions.to_le_bytes());
        for &side in self.stored_sides() {
            let at = SIDES_AT + SIDE_BYTES * side as usize;
            let summary = &self.sides[side as usize];
            put(at, &self.section_offset(side).unwrap_or(0).to_le_bytes());
            put(at + 8, &self.section_bytes().unwrap_or(0).to_le_bytes());
            put(at + 16, &summary.crc.to_le_bytes());
            for (nth, count) in [summary.wins, summary.losses, summary.draws].iter().enumerate() {
                put(at + 24 + 8 * nth, &count.to_le_bytes());
            }
            for (nth, longest) in [summary.longest_win, summary.longest_loss].iter().enumerate() {
                put(at + 20 + 2 * nth, &longest.map_or(NONE, |l| l.plies).to_le_bytes());
                put(at + 48 + 16 * nth, &longest.map_or(0, |l| l.count).to_le_bytes());
                put(at + 56 + 16 * nth, &longest.map_or(0, |l| l.first).to_le_bytes());
            }
        }
        let crc = checksum(&bytes[..CRC_AT]);
        bytes[CRC_AT..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }
}

impl SideSummary {
    /// Whether the numbers go together.
    fn is_sound(&self, metric: Metric, positions: u64) -> bool {
        let sum = self.wins.checked_add(self.losses).and_then(|sum| sum.checked_add(self.draws));
        let longest_is_sound = |longest: Option<Longest>, among: u64| match longest {
            None => among == 0 || !metric.has_plies(),
            Some(l) => metric.has_plies() && l.count > 0 && l.count <= among && l.first < positions,
        };
        sum == Some(positions)
            && longest_is_sound(self.longest_win, self.wins)
            && longest_is_sound(self.longest_loss, self.losses)
    }
}

/// The index of a material that may have a table.
pub(super) fn index_of(material: Material) -> Result<Index, HeaderError> {
    if !material.is_canonical() {
        return Err(HeaderError::Material(material));
    }
    Index::new(material).map_err(|error| match error {
        IndexError::Impossible(material) => HeaderError::Material(material),
        IndexError::TooManyPlacements(material) => HeaderError::TooLarge(material),
    })
}

/// A rank as the file counts it.
#[inline]
#[allow(clippy::useless_conversion, reason = "ranks have 32 bits without the feature `wide`")]
pub(super) fn wide(rank: super::Rank) -> u64 {
    rank.into()
}
