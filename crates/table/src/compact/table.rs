use core::fmt;

use crownhead_rules::{Bitboard, Color, Outcome, Position, Prober, Value};

use crate::ReadAt;
use crate::crc::SectionCrc;

use super::bits::Part;
use super::feature::Features;
use super::hash::Key;
use super::header::{HEADER_BYTES, ImageError, ImageHeader, SectionKind};
use super::order::{Forces, forces_to, seen_by_mover};
use super::ribbon::{BAND_WORDS, BLOCK, CLASSES, Equation, Ribbon, fingerprint, shard};
use super::search::{Counter, Search};
use super::tree::{Leaf, walk};

/// The bytes that checking reads at once.
const CHECK_BYTES: usize = 256;

/// What an image says of the quiet positions with some material: one of two facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predicate {
    /// Whether the side to move has lost.
    Lost = 0,
    /// Whether the side to move has won.
    Won = 1,
}

impl Predicate {
    /// The value of the positions of which it is true.
    pub const fn value(self) -> Value {
        match self {
            Self::Lost => Value::Loss,
            Self::Won => Value::Win,
        }
    }
}

/// An image of all positions with 2 to some number of pieces, read in place.
///
/// Needs no memory but the stack.
#[derive(Clone, Debug)]
pub struct CompactTable<R> {
    source: R,
    header: ImageHeader,
    ribbons: [Ribbon; CLASSES],
}

/// Why an image could not be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompactOpenError<E> {
    /// The source could not be read.
    Read(E),
    /// It is not a sound image.
    Image(ImageError),
}

/// Why a position could not be looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompactError<E> {
    /// The source could not be read.
    Read(E),
    /// The position is not legal.
    Illegal,
    /// The position has more pieces than the image knows.
    TooManyPieces {
        /// On the board.
        pieces: u32,
        /// The most that the image knows.
        known: u32,
    },
    /// The answer takes more look-ups than were allowed.
    OutOfLookups,
    /// The image has the right checksums, yet contradicts itself.
    Damaged,
}

impl<E: fmt::Display> fmt::Display for CompactOpenError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot be read: {error}"),
            Self::Image(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Display> fmt::Display for CompactError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "the image cannot be read: {error}"),
            Self::Illegal => f.write_str("the position is not legal"),
            Self::TooManyPieces { pieces, known } => {
                write!(f, "{pieces} pieces; the image knows positions with up to {known}")
            }
            Self::OutOfLookups => f.write_str("the answer takes more look-ups than allowed"),
            Self::Damaged => f.write_str("the image contradicts itself"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for CompactOpenError<E> {}
impl<E: fmt::Debug + fmt::Display> core::error::Error for CompactError<E> {}

impl<R: ReadAt> CompactTable<R> {
    /// Opens an image after reading all of it once to check the sums of header and sections.
    ///
    /// # Errors
    ///
    /// When the source cannot be read, or is not a whole and undamaged image of this version.
    pub fn open(source: R) -> Result<Self, CompactOpenError<R::Error>> {
        let size = source.size().map_err(CompactOpenError::Read)?;
        if size < HEADER_BYTES as u64 {
            return Err(CompactOpenError::Image(ImageError::TooShort(size)));
        }
        let mut bytes = [0; HEADER_BYTES];
        source.read_at(0, &mut bytes).map_err(CompactOpenError::Read)?;
        let header = ImageHeader::parse(&bytes, size).map_err(CompactOpenError::Image)?;
        for kind in SectionKind::ALL {
            check(&source, &header, kind)?;
        }
        let ribbons = ribbons(&source, &header)?;
        let trees = header.section(SectionKind::Trees);
        if trees.bytes < 4 * forces_to(header.pieces.into()) + 4 {
            return Err(CompactOpenError::Image(ImageError::Layout(SectionKind::Trees)));
        }
        Ok(Self { source, header, ribbons })
    }

    /// What the image holds.
    pub const fn header(&self) -> &ImageHeader {
        &self.header
    }

    /// The value of a position for the side to move.
    ///
    /// # Errors
    ///
    /// When the position is illegal or has more pieces than the image knows, or the source cannot
    /// be read.
    pub fn value(&self, position: &Position) -> Result<Value, CompactError<R::Error>> {
        self.value_within(position, u32::MAX).map(|(value, _)| value)
    }

    /// The value of a position, found with at most so many look-ups, and how many it took.
    ///
    /// A look-up walks one tree and reads at most two ribbons. Between two look-ups lies little
    /// work, so that this bounds the time of a probe.
    ///
    /// # Errors
    ///
    /// [`CompactError::OutOfLookups`] when that many are not enough, and as for
    /// [`value`](Self::value).
    pub fn value_within(
        &self,
        position: &Position,
        lookups: u32,
    ) -> Result<(Value, u32), CompactError<R::Error>> {
        self.check_position(position)?;
        let mut search = Search { table: self, lookups: Counter::new(lookups) };
        let value = search.value(position)?;
        Ok((value, search.lookups.used()))
    }

    fn check_position(&self, position: &Position) -> Result<(), CompactError<R::Error>> {
        if !position.is_legal() {
            return Err(CompactError::Illegal);
        }
        let (pieces, known) = (position.occupied().len(), u32::from(self.header.pieces));
        if pieces > known {
            return Err(CompactError::TooManyPieces { pieces, known });
        }
        Ok(())
    }

    fn part(&self, kind: SectionKind) -> Part<'_, R> {
        Part { source: &self.source, start: self.header.section(kind).offset }
    }

    fn directory_entry(&self, forces: &Forces) -> Result<u32, CompactError<R::Error>> {
        self.part(SectionKind::Trees).word(4 * forces.number()).map_err(CompactError::Read)
    }

    /// Which fact is stored of positions with these forces; both sides have a piece, and there
    /// are no more than the image knows.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn predicate(&self, forces: &Forces) -> Result<Predicate, CompactError<R::Error>> {
        let entry = self.directory_entry(forces)?;
        Ok(if entry >> 31 == 0 { Predicate::Lost } else { Predicate::Won })
    }

    /// Whether the predicate holds for a stored position: legal, both sides have a piece, no more
    /// pieces than the image knows, no capture for the side to move, [`is_even`].
    ///
    /// For other positions the answer means nothing.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn stored(&self, position: &Position) -> Result<bool, CompactError<R::Error>> {
        let position = seen_by_mover(position);
        let forces = Forces::of(&position);
        let entry = self.directory_entry(&forces)?;
        let trees = self.part(SectionKind::Trees);
        let mut features = Features::new(&position);
        let leaf = walk(&trees, entry & 0x7fff_ffff, forces.pieces(), &mut features);
        match leaf.map_err(CompactError::Read)? {
            Leaf::Pure(value) => Ok(value),
            Leaf::Mixed { usual, class } => {
                let key = Key::of(&position);
                let exception = (class == 0 || self.is_listed(key, class)?) && self.answer(key)?;
                Ok(usual != exception)
            }
        }
    }

    /// Whether the class's ribbon gives the key's fingerprint.
    fn is_listed(&self, key: Key, class: u32) -> Result<bool, CompactError<R::Error>> {
        let wanted = fingerprint(key, class);
        let mut bits = RibbonBits::find(self, key, class)?;
        for bit in 0..class {
            if bits.next(self)? != wanted >> bit & 1 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the ribbon of answers gives for the key.
    fn answer(&self, key: Key) -> Result<bool, CompactError<R::Error>> {
        Ok(RibbonBits::find(self, key, 0)?.next(self)? != 0)
    }
}

/// The sum of the rows of the mover's pieces, counted from its own side of the board, is even:
/// one of the two halves of all positions, of which any quiet move leads to the other half once it
/// is the mover's turn again. This half is stored.
#[inline]
pub fn is_even(position: &Position) -> bool {
    let own = position.side(position.side_to_move);
    // From White's side rows are numbered 7 - row: another parity for each piece.
    let turned = match position.side_to_move {
        Color::Black => 0,
        Color::White => own.len(),
    };
    ((own & Bitboard::ODD_ROWS).len() + turned) & 1 == 0
}

/// The equation of one key, whose bits are read one after the other.
struct RibbonBits {
    /// Where the word of the first block that holds this bit is.
    at: u32,
    /// From one block's word to the next one's.
    stride: u32,
    shift: u32,
    coefficients: [u32; BAND_WORDS],
}

impl RibbonBits {
    fn find<R: ReadAt>(
        table: &CompactTable<R>,
        key: Key,
        class: u32,
    ) -> Result<Self, CompactError<R::Error>> {
        let ribbon = &table.ribbons[class as usize % CLASSES];
        if ribbon.shards == 0 {
            return Err(CompactError::Damaged);
        }
        let part = table.part(SectionKind::Ribbons);
        let at = ribbon.table + 4 * shard(key, class, ribbon.shards);
        let entry = part.word(at).map_err(CompactError::Read)?;
        let next = part.word(at + 4).map_err(CompactError::Read)?;
        let (first, end) = (entry & 0x3ff_ffff, next & 0x3ff_ffff);
        let blocks = end.wrapping_sub(first);
        if first > end || end > ribbon.blocks || !(BAND_WORDS as u32..=2047).contains(&blocks) {
            return Err(CompactError::Damaged);
        }
        let equation = Equation::of(key, class, entry >> 26, blocks);
        let stride = 4 * class.max(1);
        Ok(Self {
            at: ribbon.data + (first + equation.start / BLOCK) * stride,
            stride,
            shift: equation.start % BLOCK,
            coefficients: equation.coefficients,
        })
    }

    /// The next bit of the value.
    fn next<R: ReadAt>(&mut self, table: &CompactTable<R>) -> Result<u32, CompactError<R::Error>> {
        let part = table.part(SectionKind::Ribbons);
        let mut sum = 0;
        let mut at = self.at;
        let mut word = part.word(at).map_err(CompactError::Read)?;
        for (i, coefficients) in self.coefficients.into_iter().enumerate() {
            at += self.stride;
            let mut slots = word >> self.shift;
            // The last block is not touched when the first is used from its first slot on.
            word = match (self.shift, i + 1 == BAND_WORDS) {
                (0, true) => 0,
                _ => part.word(at).map_err(CompactError::Read)?,
            };
            if self.shift != 0 {
                slots |= word << (BLOCK - self.shift);
            }
            sum ^= slots & coefficients;
        }
        self.at += 4;
        Ok(sum.count_ones() & 1)
    }
}

/// Compares a section with its checksum.
fn check<R: ReadAt>(
    source: &R,
    header: &ImageHeader,
    kind: SectionKind,
) -> Result<(), CompactOpenError<R::Error>> {
    let section = header.section(kind);
    let mut crc = SectionCrc::default();
    let mut buffer = [0; CHECK_BYTES];
    let mut done = 0;
    while done < section.bytes {
        let bytes = &mut buffer[..(section.bytes - done).min(CHECK_BYTES as u32) as usize];
        let at = u64::from(section.offset) + u64::from(done);
        source.read_at(at, bytes).map_err(CompactOpenError::Read)?;
        crc.update(bytes);
        done += bytes.len() as u32;
    }
    if section.bytes != 0 && crc.finalize() != section.crc {
        return Err(CompactOpenError::Image(ImageError::Checksum(kind)));
    }
    Ok(())
}

/// Finds the ribbons: first how many shards each has, then all tables of shards, then all blocks.
fn ribbons<R: ReadAt>(
    source: &R,
    header: &ImageHeader,
) -> Result<[Ribbon; CLASSES], CompactOpenError<R::Error>> {
    let section = header.section(SectionKind::Ribbons);
    let bad = || CompactOpenError::Image(ImageError::Layout(SectionKind::Ribbons));
    let part = Part { source, start: section.offset };
    let mut ribbons = [Ribbon::default(); CLASSES];
    let mut end = 4 * CLASSES as u32;
    for (i, ribbon) in ribbons.iter_mut().enumerate() {
        if section.bytes < 4 * CLASSES as u32 {
            return Err(bad());
        }
        ribbon.shards = part.word(4 * i as u32).map_err(CompactOpenError::Read)?;
        if ribbon.shards > 0xffff {
            return Err(bad());
        }
        ribbon.table = end;
        // One more entry says where the last shard ends.
        end += if ribbon.shards == 0 { 0 } else { 4 * (ribbon.shards + 1) };
    }
    if end > section.bytes {
        return Err(bad());
    }
    for (class, ribbon) in ribbons.iter_mut().enumerate() {
        ribbon.data = end;
        if ribbon.shards != 0 {
            let last =
                part.word(ribbon.table + 4 * ribbon.shards).map_err(CompactOpenError::Read)?;
            ribbon.blocks = last & 0x3ff_ffff;
            let bytes = ribbon.blocks.checked_mul(4 * (class as u32).max(1)).ok_or_else(bad)?;
            end = end.checked_add(bytes).filter(|end| *end <= section.bytes).ok_or_else(bad)?;
        }
    }
    if end == section.bytes { Ok(ribbons) } else { Err(bad()) }
}

impl<R: ReadAt> Prober for CompactTable<R> {
    type Error = CompactError<R::Error>;

    fn max_pieces(&self) -> u32 {
        self.header.pieces.into()
    }

    fn probe(&self, position: &Position) -> Result<Outcome, Self::Error> {
        let value = self.value(position)?;
        Ok(Outcome { value, plies: None })
    }
}
