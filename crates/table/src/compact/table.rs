use core::fmt;

use crownhead_rules::{Bitboard, Color, Outcome, Position, Prober, Value};

use crate::ReadAt;
use crate::crc::SectionCrc;

use super::bits::Part;
use super::feature::Features;
use super::hash::Key;
use super::header::{HEADER_BYTES, ImageError, ImageHeader, SectionKind};
use super::lookup::{Ribbon, RibbonBits, find_ribbons};
use super::order::{Forces, forces_to, seen_by_mover};
use super::ribbon::{CLASSES, DISTANCES, fingerprint};
use super::search::Search;
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
    /// The one that says which positions have this value, which is no draw.
    pub(super) fn of(value: Value) -> Self {
        if value == Value::Win { Self::Won } else { Self::Lost }
    }

    /// The value of the positions of which it is true.
    pub const fn value(self) -> Value {
        match self {
            Self::Lost => Value::Loss,
            Self::Won => Value::Win,
        }
    }
}

/// What the directory says of the positions with some forces.
#[derive(Clone, Copy)]
pub(super) struct TreeEntry {
    pub(super) predicate: Predicate,
    /// The bit of the section at which the tree begins.
    at: u32,
}

/// An image of all positions with 2 to some number of pieces, read in place.
///
/// Needs no memory but the stack.
#[derive(Clone, Debug)]
pub struct CompactTable<R> {
    source: R,
    header: ImageHeader,
    ribbons: [Ribbon; CLASSES],
    distances: Ribbon,
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
    /// When the source cannot be read, or is not a whole and undamaged image of this version. With
    /// `std`, also when its predicates contradict each other, so that probes of any bytes end.
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
        let ribbons = value_ribbons(&source, &header)?;
        let distances = distance_ribbon(&source, &header)?;
        let trees = header.section(SectionKind::Trees);
        if trees.bytes < 4 * forces_to(header.pieces.into()) + 4 {
            return Err(CompactOpenError::Image(ImageError::Layout(SectionKind::Trees)));
        }
        let table = Self { source, header, ribbons, distances };
        // Boards have no room for this in their flash, and images that they trust.
        #[cfg(feature = "std")]
        table.check_predicates()?;
        Ok(table)
    }

    /// Both sides to move of each material have the same predicate, on which a probe's depth rests.
    #[cfg(feature = "std")]
    fn check_predicates(&self) -> Result<(), CompactOpenError<R::Error>> {
        for forces in Forces::to(self.header.pieces.into()) {
            let turned = forces.turned();
            // Once for both.
            if forces.number() < turned.number() {
                let predicate = |forces| match self.tree(forces) {
                    Ok(tree) => Ok(tree.predicate),
                    Err(CompactError::Read(error)) => Err(CompactOpenError::Read(error)),
                    Err(_) => Err(CompactOpenError::Image(ImageError::Predicate)),
                };
                if predicate(&forces)? != predicate(&turned)? {
                    return Err(CompactOpenError::Image(ImageError::Predicate));
                }
            }
        }
        Ok(())
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
        let mut search = Search::new(self, lookups);
        let value = search.value(position)?;
        Ok((value, search.lookups.used()))
    }

    /// The value as [`value_within`](Self::value_within) gives it, and where the image has them
    /// ([`ImageHeader::distance_pieces`]) the plies to the end.
    ///
    /// # Errors
    ///
    /// As for [`value_within`](Self::value_within).
    pub fn outcome_within(
        &self,
        position: &Position,
        lookups: u32,
    ) -> Result<(Outcome, u32), CompactError<R::Error>> {
        self.check_position(position)?;
        let mut search = Search::new(self, lookups);
        let value = search.value(position)?;
        let has_plies = position.occupied().len() <= u32::from(self.header.distance_pieces);
        let plies = match value {
            Value::Win | Value::Loss if has_plies => Some(search.plies(position, value)?),
            _ => None,
        };
        Ok((Outcome { value, plies }, search.lookups.used()))
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

    /// The tree of positions with these forces: both sides have a piece, and there are no more
    /// than the image knows.
    pub(super) fn tree(&self, forces: &Forces) -> Result<TreeEntry, CompactError<R::Error>> {
        let part = self.part(SectionKind::Trees);
        let entry = part.word(4 * forces.number()).map_err(CompactError::Read)?;
        let predicate = if entry >> 31 == 0 { Predicate::Lost } else { Predicate::Won };
        Ok(TreeEntry { predicate, at: entry & 0x7fff_ffff })
    }

    /// Which fact is stored of positions with these forces: both sides have a piece, and there are
    /// no more than the image knows.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn predicate(&self, forces: &Forces) -> Result<Predicate, CompactError<R::Error>> {
        Ok(self.tree(forces)?.predicate)
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
        self.stored_in(self.tree(&Forces::of(position))?, position)
    }

    /// The same, where the tree is known.
    // Apart, so that the recursion that leads here does not carry its frame at each step.
    #[inline(never)]
    pub(super) fn stored_in(
        &self,
        tree: TreeEntry,
        position: &Position,
    ) -> Result<bool, CompactError<R::Error>> {
        let position = seen_by_mover(position);
        let trees = self.part(SectionKind::Trees);
        let mut features = Features::new(&position);
        let leaf = walk(&trees, tree.at, position.occupied().len(), &mut features);
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
        let part = self.part(SectionKind::Ribbons);
        let wanted = fingerprint(key, class);
        let mut bits = RibbonBits::find(&part, &self.ribbons[class as usize % CLASSES], key)?;
        for bit in 0..class {
            if bits.next(&part)? != (wanted >> bit) & 1 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the ribbon of answers gives for the key.
    fn answer(&self, key: Key) -> Result<bool, CompactError<R::Error>> {
        let part = self.part(SectionKind::Ribbons);
        Ok(RibbonBits::find(&part, &self.ribbons[0], key)?.next(&part)? != 0)
    }

    /// The distance in plies of a [stored](Self::stored) position that is lost, with no more pieces
    /// than [`ImageHeader::distance_pieces`].
    ///
    /// For other positions the answer means nothing.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn stored_plies(&self, position: &Position) -> Result<u16, CompactError<R::Error>> {
        let part = self.part(SectionKind::Distances);
        let key = Key::of(&seen_by_mover(position));
        let mut bits = RibbonBits::find(&part, &self.distances, key)?;
        let mut half = 0;
        for bit in 0..self.distances.width {
            half |= bits.next(&part)? << bit;
        }
        Ok(2 * (half & 0x7fff) as u16)
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

/// Finds the ribbons of values.
fn value_ribbons<R: ReadAt>(
    source: &R,
    header: &ImageHeader,
) -> Result<[Ribbon; CLASSES], CompactOpenError<R::Error>> {
    let section = header.section(SectionKind::Ribbons);
    let mut ribbons = [Ribbon::default(); CLASSES];
    for (class, ribbon) in (0..).zip(&mut ribbons) {
        *ribbon = Ribbon::new(class, class.max(1));
    }
    let part = Part { source, start: section.offset };
    match find_ribbons(&part, 0, section.bytes, &mut ribbons) {
        Ok(true) => Ok(ribbons),
        Ok(false) => Err(CompactOpenError::Image(ImageError::Layout(SectionKind::Ribbons))),
        Err(error) => Err(CompactOpenError::Read(error)),
    }
}

/// Finds the ribbon of distances; an empty one where there is no such section.
fn distance_ribbon<R: ReadAt>(
    source: &R,
    header: &ImageHeader,
) -> Result<Ribbon, CompactOpenError<R::Error>> {
    let section = header.section(SectionKind::Distances);
    let mut ribbons = [Ribbon::new(DISTANCES, 1)];
    if section.bytes == 0 {
        return Ok(ribbons[0]);
    }
    let bad = CompactOpenError::Image(ImageError::Layout(SectionKind::Distances));
    if section.bytes < 4 {
        return Err(bad);
    }
    let part = Part { source, start: section.offset };
    ribbons[0].width = part.word(0).map_err(CompactOpenError::Read)?;
    if !(1..=16).contains(&ribbons[0].width) {
        return Err(bad);
    }
    match find_ribbons(&part, 4, section.bytes, &mut ribbons) {
        Ok(true) => Ok(ribbons[0]),
        Ok(false) => Err(bad),
        Err(error) => Err(CompactOpenError::Read(error)),
    }
}

impl<R: ReadAt> Prober for CompactTable<R> {
    type Error = CompactError<R::Error>;

    fn max_pieces(&self) -> u32 {
        self.header.pieces.into()
    }

    fn probe(&self, position: &Position) -> Result<Outcome, Self::Error> {
        self.outcome_within(position, u32::MAX).map(|(outcome, _)| outcome)
    }
}
