use core::fmt;

use crate::Metric;
use crate::crc::checksum;

use super::feature::MAX_PIECES;

/// The first eight bytes of an image.
const MAGIC: [u8; 8] = *b"CROWNIMG";
/// The format's version. Images of another version are refused.
const VERSION: u16 = 1;
/// The bytes of the header; the sections follow without a gap.
pub const HEADER_BYTES: usize = 128;
/// The most sections that the header can list.
const MOST_SECTIONS: usize = 4;
const SECTIONS_AT: usize = 48;
const SECTION_BYTES: usize = 16;
const CRC_AT: usize = HEADER_BYTES - 4;

/// What a section of an image holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionKind {
    /// The directory and the decision trees.
    Trees = 1,
    /// The ribbons that answer for the leaves that are not pure.
    Ribbons = 2,
    /// Distances of lost positions as a ribbon, read in place.
    Distances = 3,
    /// Distances of lost positions as one deflated stream, for hosts.
    PackedDistances = 4,
}

impl SectionKind {
    /// All kinds, in the order in which an image has them.
    pub const ALL: [Self; MOST_SECTIONS] =
        [Self::Trees, Self::Ribbons, Self::Distances, Self::PackedDistances];
}

/// Where a section is, and its checksum.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Section {
    /// From the beginning of the image, in bytes.
    pub offset: u32,
    /// In bytes; 0 when the image has no such section.
    pub bytes: u32,
    /// CRC-32 of the bytes.
    pub crc: u32,
}

/// What stands at the head of an image.
///
/// 128 bytes, little-endian; see FORMAT.md.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImageHeader {
    /// [`Metric::Wld`] or [`Metric::Dtw`].
    pub metric: Metric,
    /// Positions with 2 to so many pieces are in the image.
    pub pieces: u8,
    /// Positions with 2 to so many pieces have a distance; 0 for [`Metric::Wld`].
    pub distance_pieces: u8,
    /// Positions won for the side to move, both sides to move counted, colour-symmetric
    /// materials once.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions lost for the side to move.
    pub losses: u64,
    /// By [`SectionKind`], in the order of [`SectionKind::ALL`].
    pub sections: [Section; MOST_SECTIONS],
}

/// Why bytes are not an image that this version reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ImageError {
    /// Fewer bytes than a header has; here is how many.
    TooShort(u64),
    /// The first eight bytes are not `CROWNIMG`.
    NotAnImage,
    /// The format's version, which is not 1.
    Version(u16),
    /// Flags that this version does not know.
    Flags(u32),
    /// The header's bytes do not give its checksum.
    HeaderChecksum,
    /// The number of a metric that an image cannot have.
    Metric(u8),
    /// The number of pieces, which is not 2 to 8.
    Pieces(u8),
    /// The image should have so many bytes, and has this many.
    Length {
        /// By its header.
        expected: u64,
        /// What there is.
        found: u64,
    },
    /// A section is missing, overlaps another or ends beyond the image.
    Section(SectionKind),
    /// A section's bytes do not give its checksum.
    Checksum(SectionKind),
    /// A section's parts do not fit its length.
    Layout(SectionKind),
    /// The two sides to move of a material have different predicates.
    Predicate,
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort(bytes) => {
                write!(f, "{bytes} bytes are too few for an image, whose header has {HEADER_BYTES}")
            }
            Self::NotAnImage => f.write_str("not a compact image: it does not begin with CROWNIMG"),
            Self::Version(version) => {
                write!(f, "image format version {version}; this program reads version {VERSION}")
            }
            Self::Flags(flags) => write!(f, "unknown flags {flags:#x} in an image of version 1"),
            Self::HeaderChecksum => f.write_str("damaged: the header does not give its checksum"),
            Self::Metric(metric) => {
                write!(f, "metric {metric} in an image; 0 (wld) and 2 (dtw) are known")
            }
            Self::Pieces(pieces) => {
                write!(f, "an image of {pieces} pieces; 2 to {MAX_PIECES} can be")
            }
            Self::Length { expected, found } => {
                write!(f, "damaged: {found} bytes instead of {expected}")
            }
            Self::Section(kind) => {
                write!(f, "damaged: the section {kind:?} is not where it can be")
            }
            Self::Checksum(kind) => {
                write!(f, "damaged: the section {kind:?} does not give its checksum")
            }
            Self::Layout(kind) => write!(f, "damaged: the parts of {kind:?} do not fit it"),
            Self::Predicate => f.write_str("damaged: a material has two predicates"),
        }
    }
}

impl core::error::Error for ImageError {}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).and_then(|b| b.try_into().ok()).map_or(0, u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

impl ImageHeader {
    /// The header as it stands in the image.
    pub fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        let mut put = |at: usize, part: &[u8]| bytes[at..at + part.len()].copy_from_slice(part);
        put(0, &MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(10, &[self.metric as u8, self.pieces, self.distance_pieces]);
        put(20, &self.total_bytes().to_le_bytes());
        put(24, &self.wins.to_le_bytes());
        put(32, &self.draws.to_le_bytes());
        put(40, &self.losses.to_le_bytes());
        for (i, section) in self.sections.iter().enumerate() {
            let at = SECTIONS_AT + i * SECTION_BYTES;
            put(at, &section.offset.to_le_bytes());
            put(at + 4, &section.bytes.to_le_bytes());
            put(at + 8, &section.crc.to_le_bytes());
        }
        let crc = checksum(&bytes[..CRC_AT]);
        bytes[CRC_AT..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The bytes of the image: header and sections.
    pub fn total_bytes(&self) -> u32 {
        self.sections
            .iter()
            .fold(HEADER_BYTES as u32, |sum, section| sum.saturating_add(section.bytes))
    }

    /// Where a section is.
    pub const fn section(&self, kind: SectionKind) -> Section {
        self.sections[kind as usize - 1]
    }

    /// Reads and checks a header of an image with so many bytes; the sections' own checksums are
    /// not looked at.
    pub(super) fn parse(bytes: &[u8; HEADER_BYTES], size: u64) -> Result<Self, ImageError> {
        if bytes[..8] != MAGIC {
            return Err(ImageError::NotAnImage);
        }
        let version = u16_at(bytes, 8);
        if version != VERSION {
            return Err(ImageError::Version(version));
        }
        if checksum(&bytes[..CRC_AT]) != u32_at(bytes, CRC_AT) {
            return Err(ImageError::HeaderChecksum);
        }
        let metric = match bytes[10] {
            0 => Metric::Wld,
            2 => Metric::Dtw,
            other => return Err(ImageError::Metric(other)),
        };
        let [pieces, distance_pieces] = [bytes[11], bytes[12]];
        if !(2..=MAX_PIECES as u8).contains(&pieces) || distance_pieces > pieces {
            return Err(ImageError::Pieces(pieces));
        }
        let flags = u32_at(bytes, 16);
        if flags != 0 {
            return Err(ImageError::Flags(flags));
        }
        let mut sections = [Section::default(); MOST_SECTIONS];
        for (i, section) in sections.iter_mut().enumerate() {
            let at = SECTIONS_AT + i * SECTION_BYTES;
            *section = Section {
                offset: u32_at(bytes, at),
                bytes: u32_at(bytes, at + 4),
                crc: u32_at(bytes, at + 8),
            };
        }
        let header = Self {
            metric,
            pieces,
            distance_pieces,
            wins: u64_at(bytes, 24),
            draws: u64_at(bytes, 32),
            losses: u64_at(bytes, 40),
            sections,
        };
        header.check_sections(u32_at(bytes, 20), size)?;
        Ok(header)
    }

    /// The sections follow each other in the order of their kinds and fill the image.
    fn check_sections(&self, total: u32, size: u64) -> Result<(), ImageError> {
        let mut end = HEADER_BYTES as u32;
        for kind in SectionKind::ALL {
            let section = self.section(kind);
            if section.bytes != 0 {
                if section.offset != end {
                    return Err(ImageError::Section(kind));
                }
                end = end.checked_add(section.bytes).ok_or(ImageError::Section(kind))?;
            } else if matches!(kind, SectionKind::Trees | SectionKind::Ribbons) {
                return Err(ImageError::Section(kind));
            }
        }
        if total != end || size != u64::from(end) {
            return Err(ImageError::Length { expected: total.into(), found: size });
        }
        Ok(())
    }
}
