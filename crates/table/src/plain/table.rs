use core::fmt;

use crownhead_index::Material;
use crownhead_rules::{Color, Outcome, Position, Value};

use super::header::{HEADER_BYTES, wide};
use super::{Header, HeaderError, Index};
use crate::ReadAt;
use crate::crc::SectionCrc;

/// Bytes read at a time by [`PlainTable::verify`]: on the stack, so few on small machines.
const VERIFY_BYTES: usize = if cfg!(feature = "std") { 16 * 1024 } else { 128 };

/// Bytes read at a time by [`PlainTable::codes_from`], on the stack too.
const CODES_BYTES: usize = if cfg!(feature = "std") { 4096 } else { 64 };

/// One plain table: every position of a material, captures included, in one source of bytes.
///
/// [`open`](Self::open) checks the header, its checksum and the size; only
/// [`verify`](Self::verify) reads the sections and compares their checksums. A probe computes the
/// rank and reads one or two bytes: no allocation, no recursion, less than 512 bytes of stack
/// beyond what the source's `read_at` takes.
#[derive(Clone, Copy, Debug)]
pub struct PlainTable<R> {
    source: R,
    header: Header,
    index: Index,
}

/// Why a source is no plain table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenError<E> {
    /// The source could not be read.
    Read(E),
    /// The header or the size is wrong.
    Header(HeaderError),
}

/// Why a position could not be looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ProbeError<E> {
    /// The source could not be read.
    Read(E),
    /// The position is not legal: a square is used twice, or a man stands where it is crowned.
    Illegal,
    /// No table holds this material (named as canonical).
    NoTable(Material),
    /// The table has no such rank or side to move.
    Rank {
        /// The side to move.
        side: Color,
        /// The rank in the perfect index.
        rank: u64,
    },
    /// The table is damaged: a number at this place stands for no outcome.
    Damaged {
        /// The side to move.
        side: Color,
        /// The rank in the perfect index.
        rank: u64,
    },
}

/// Why a table is not as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum VerifyError<E> {
    /// The source could not be read.
    Read(E),
    /// The section of this side to move does not give its checksum.
    Checksum(Color),
}

impl<E: fmt::Display> fmt::Display for OpenError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot be read: {error}"),
            Self::Header(error) => write!(f, "{error}"),
        }
    }
}

impl<E: fmt::Display> fmt::Display for ProbeError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot be read: {error}"),
            Self::Illegal => f.write_str(
                "not a legal position: a square is used twice or a man stands where it is crowned",
            ),
            Self::NoTable(material) => write!(f, "no table of {material}"),
            Self::Rank { side, rank } => {
                write!(f, "the table has no position {rank} with {side:?} to move")
            }
            Self::Damaged { side, rank } => write!(
                f,
                "damaged: the number for position {rank}, {side:?} to move, stands for no outcome"
            ),
        }
    }
}

impl<E: fmt::Display> fmt::Display for VerifyError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot be read: {error}"),
            Self::Checksum(side) => {
                write!(f, "damaged: the section for {side:?} to move does not give its checksum")
            }
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for OpenError<E> {}
impl<E: fmt::Debug + fmt::Display> core::error::Error for ProbeError<E> {}
impl<E: fmt::Debug + fmt::Display> core::error::Error for VerifyError<E> {}

impl<R: ReadAt> PlainTable<R> {
    /// Opens a table and checks its header, not yet its sections.
    ///
    /// # Errors
    ///
    /// When the source cannot be read, or is not a whole table of this format's version.
    pub fn open(source: R) -> Result<Self, OpenError<R::Error>> {
        let size = source.size().map_err(OpenError::Read)?;
        if size < HEADER_BYTES as u64 {
            return Err(OpenError::Header(HeaderError::TooShort(size)));
        }
        let mut bytes = [0; HEADER_BYTES];
        source.read_at(0, &mut bytes).map_err(OpenError::Read)?;
        let (header, index) = Header::parse(&bytes, size).map_err(OpenError::Header)?;
        Ok(Self { source, header, index })
    }

    /// What the table holds.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The index that numbers its positions.
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// The outcome of a position of this material or its mirror.
    ///
    /// # Errors
    ///
    /// When the position is illegal or has another material, the source cannot be read, or what
    /// is read is damaged.
    #[inline]
    pub fn probe(&self, position: &Position) -> Result<Outcome, ProbeError<R::Error>> {
        match self.index.locate(position) {
            Some((side, rank)) => self.outcome_at(side, wide(rank)),
            None if position.is_legal() => {
                Err(ProbeError::NoTable(Material::of(position).canonical()))
            }
            None => Err(ProbeError::Illegal),
        }
    }

    /// The outcome of the position with this side to move and rank in the perfect index.
    ///
    /// # Errors
    ///
    /// When there is no such position here, the source cannot be read, or what is read is damaged.
    #[inline]
    pub fn outcome_at(&self, side: Color, rank: u64) -> Result<Outcome, ProbeError<R::Error>> {
        let no_such = ProbeError::Rank { side, rank };
        if rank >= self.header.positions || !self.header.stored_sides().contains(&side) {
            return Err(no_such);
        }
        // Opening has checked that offsets up to the end of the file fit.
        let Some(start) = self.header.section_offset(side) else {
            return Err(no_such);
        };
        let mut bytes = [0; 2];
        let code = match self.header.encoding.bits() {
            2 => {
                self.source
                    .read_at(start + (rank >> 2), &mut bytes[..1])
                    .map_err(ProbeError::Read)?;
                u16::from(bytes[0] >> (2 * (rank as u32 & 3)) & 3)
            }
            8 => {
                self.source.read_at(start + rank, &mut bytes[..1]).map_err(ProbeError::Read)?;
                u16::from(bytes[0])
            }
            _ => {
                self.source.read_at(start + 2 * rank, &mut bytes).map_err(ProbeError::Read)?;
                u16::from_le_bytes(bytes)
            }
        };
        self.header.encoding.outcome(code).ok_or(ProbeError::Damaged { side, rank })
    }

    /// Fills the buffer with bytes of a side's section, from this byte of it on.
    ///
    /// What they say depends on the [encoding](crate::Encoding) and is not checked.
    ///
    /// # Errors
    ///
    /// When there is no such section or it ends before, or the source cannot be read.
    pub fn read_section(
        &self,
        side: Color,
        first: u64,
        bytes: &mut [u8],
    ) -> Result<(), ProbeError<R::Error>> {
        let no_such = ProbeError::Rank { side, rank: first };
        let section = self.header.section_offset(side).zip(self.header.section_bytes());
        let end = first.checked_add(bytes.len() as u64);
        match (section, end) {
            (Some((start, len)), Some(end))
                if end <= len && self.header.stored_sides().contains(&side) =>
            {
                self.source.read_at(start + first, bytes).map_err(ProbeError::Read)
            }
            _ => Err(no_such),
        }
    }

    /// The [codes](crate::Encoding::outcome) of the positions with this side to move from a rank on, read
    /// many at a time: for programs that go through whole tables.
    ///
    /// # Errors
    ///
    /// When not all of these positions are here, or the source cannot be read.
    pub fn codes_from(
        &self,
        side: Color,
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), ProbeError<R::Error>> {
        let end = first.checked_add(codes.len() as u64);
        let inside = end.is_some_and(|end| end <= self.header.positions);
        let start = self.header.section_offset(side).filter(|_| inside);
        let Some(start) = start.filter(|_| self.header.stored_sides().contains(&side)) else {
            return Err(ProbeError::Rank { side, rank: first });
        };
        let bits = self.header.encoding.bits();
        let mut buffer = [0; CODES_BYTES];
        let mut at = first;
        let mut codes = codes.iter_mut();
        while codes.len() > 0 {
            // Codes of 2 bits may begin inside a byte.
            let (skip, byte) = match bits {
                2 => (at as u32 & 3, at >> 2),
                8 => (0, at),
                _ => (0, 2 * at),
            };
            let left = match bits {
                2 => (skip as usize + codes.len()).div_ceil(4),
                8 => codes.len(),
                _ => 2 * codes.len(),
            };
            let bytes = &mut buffer[..left.min(CODES_BYTES)];
            self.source.read_at(start + byte, bytes).map_err(ProbeError::Read)?;
            let before = codes.len();
            match bits {
                2 => {
                    let pairs = bytes.iter().flat_map(|byte| [0, 2, 4, 6].map(|at| byte >> at & 3));
                    for (pair, code) in pairs.skip(skip as usize).zip(&mut codes) {
                        *code = pair.into();
                    }
                }
                8 => bytes.iter().zip(&mut codes).for_each(|(byte, code)| *code = (*byte).into()),
                _ => {
                    let pairs = bytes.as_chunks::<2>().0;
                    pairs
                        .iter()
                        .zip(&mut codes)
                        .for_each(|(b, code)| *code = u16::from_le_bytes(*b));
                }
            }
            at += (before - codes.len()) as u64;
        }
        Ok(())
    }

    /// Reads all sections and compares their checksums with the header's: proves that no byte has
    /// changed since the table was written.
    ///
    /// # Errors
    ///
    /// When a section cannot be read or has changed.
    pub fn verify(&self) -> Result<(), VerifyError<R::Error>> {
        for &side in self.header.stored_sides() {
            let (Some(start), Some(len)) =
                (self.header.section_offset(side), self.header.section_bytes())
            else {
                return Err(VerifyError::Checksum(side));
            };
            let mut crc = SectionCrc::default();
            let mut buffer = [0; VERIFY_BYTES];
            let mut done = 0;
            while done < len {
                let bytes = &mut buffer[..(len - done).min(VERIFY_BYTES as u64) as usize];
                self.source.read_at(start + done, bytes).map_err(VerifyError::Read)?;
                crc.update(bytes);
                done += bytes.len() as u64;
            }
            if crc.finalize() != self.header.sides[side as usize].crc {
                return Err(VerifyError::Checksum(side));
            }
        }
        Ok(())
    }
}

/// The outcome of a position that needs no table: a side has no piece or the side to move has no
/// move.
///
/// A side to move without pieces or moves has lost, 0 plies from the end. One that still moves
/// while the opponent has no piece wins with that move, in 1 ply.
pub(crate) fn outcome_without_table(position: &Position, has_plies: bool) -> Option<Outcome> {
    let side = position.side_to_move;
    let over = |value, plies| Some(Outcome { value, plies: has_plies.then_some(plies) });
    if position.side(side).is_empty() {
        over(Value::Loss, 0)
    } else if position.side(side.other()).is_empty() {
        if position.has_move() { over(Value::Win, 1) } else { over(Value::Loss, 0) }
    } else {
        None
    }
}
