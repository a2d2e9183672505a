use core::fmt;
use core::iter::FusedIterator;

use crate::{Bitboard, Direction, PieceKind, Square};

/// A legal move: a step, or a capture with its full route.
///
/// Two captures that differ only in the order of their jumps are two moves (two *routes*) with
/// one result; see [`same_result`](Move::same_result).
///
/// Takes 12 bytes. A jump leads two rows up or down and two columns to a side, so a capture
/// lands on at most 8 different squares, which have 9 pairs of neighbours; no piece is jumped
/// twice, hence [`MAX_JUMPS`](Move::MAX_JUMPS), and the directions of all jumps fit one word
/// with the ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The first and the last square, or none where these are the same: what changes on the
    /// mover's side, so that making a move needs no square numbers.
    change: Bitboard,
    captured: Bitboard,
    /// From bit 0: two bits a jump, the first jump lowest, 0 in a step; then as below.
    info: u32,
}

const FROM_SHIFT: u32 = 2 * Move::MAX_JUMPS as u32;
const TO_SHIFT: u32 = FROM_SHIFT + 5;
const KING: u32 = 1 << (TO_SHIFT + 5);
const CROWNS: u32 = KING << 1;
const DIRECTIONS: u32 = (1 << FROM_SHIFT) - 1;

impl Move {
    /// The largest number of jumps in one capture.
    pub const MAX_JUMPS: usize = 9;

    /// `from` and `to` are sets of one square.
    #[inline(always)]
    pub(crate) const fn step(from: Bitboard, to: Bitboard, kind: PieceKind, crowns: bool) -> Self {
        Self::capture(Route::START, from, to, kind, crowns)
    }

    /// `from` and `to` are sets of one square.
    #[inline(always)]
    pub(crate) const fn capture(
        route: Route,
        from: Bitboard,
        to: Bitboard,
        kind: PieceKind,
        crowns: bool,
    ) -> Self {
        let info = route.directions
            | from.0.trailing_zeros() << FROM_SHIFT
            | to.0.trailing_zeros() << TO_SHIFT
            | if matches!(kind, PieceKind::King) { KING } else { 0 }
            | if crowns { CROWNS } else { 0 };
        Self { change: Bitboard(from.0 ^ to.0), captured: route.captured, info }
    }

    /// Where the piece starts.
    #[inline]
    pub const fn from(&self) -> Square {
        Square::of_low_bits(self.info >> FROM_SHIFT)
    }

    /// Where the piece ends; the same as [`from`](Move::from) for a capture in a circle.
    #[inline]
    pub const fn to(&self) -> Square {
        Square::of_low_bits(self.info >> TO_SHIFT)
    }

    /// The first and the last square, or none where these are the same.
    #[inline]
    pub(crate) const fn change(&self) -> Bitboard {
        self.change
    }

    /// The squares of the captured pieces, none for a step.
    #[inline]
    pub const fn captured(&self) -> Bitboard {
        self.captured
    }

    /// The kind of the piece before the move.
    #[inline]
    pub const fn kind(&self) -> PieceKind {
        if self.info & KING != 0 { PieceKind::King } else { PieceKind::Man }
    }

    /// Whether a man becomes a king by this move.
    #[inline]
    pub const fn crowns(&self) -> bool {
        self.info & CROWNS != 0
    }

    /// Whether this is a capture.
    #[inline]
    pub const fn is_capture(&self) -> bool {
        !self.captured.is_empty()
    }

    /// The number of jumps, 0 for a step.
    #[inline]
    pub const fn jumps(&self) -> usize {
        self.captured.len() as usize
    }

    /// Whether no later position can be an earlier one again: a capture or a move of a man.
    ///
    /// Such a move starts the count of the 40-move rule anew.
    #[inline]
    pub const fn is_conversion(&self) -> bool {
        self.is_capture() || matches!(self.kind(), PieceKind::Man)
    }

    /// Whether two moves in one position lead to the same position.
    ///
    /// Two moves of different pieces never do: each leaves the other's piece where it was, save
    /// for captures in a circle, and two circles over the same pieces have the same squares.
    #[inline]
    pub fn same_result(&self, other: &Self) -> bool {
        self.info >> FROM_SHIFT == other.info >> FROM_SHIFT && self.captured == other.captured
    }

    /// All squares that the piece touches, [`from`](Move::from) and [`to`](Move::to) included.
    #[inline]
    pub const fn path(&self) -> Path {
        Path { next: Some(self.from()), of: *self, done: 0 }
    }

    /// The same move in the [mirrored](crate::Position::mirror) position.
    #[must_use]
    pub const fn mirror(&self) -> Self {
        // A direction and its opposite differ in both bits, as do a square and its turned one in
        // all five.
        let jumps = (1 << (2 * self.jumps() as u32)) - 1;
        let ends = (KING - 1) & !DIRECTIONS;
        Self {
            change: self.change.turned(),
            captured: self.captured.turned(),
            info: self.info ^ (jumps | ends),
        }
    }
}

/// The jumps of a capture so far.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    pub(crate) captured: Bitboard,
    directions: u32,
    /// Where the next jump's two bits go.
    shift: u32,
}

impl Route {
    pub(crate) const START: Self = Self { captured: Bitboard::EMPTY, directions: 0, shift: 0 };

    #[inline(always)]
    pub(crate) const fn then(self, direction: Direction, over: Bitboard) -> Self {
        Self {
            captured: Bitboard(self.captured.0 | over.0),
            directions: self.directions | (direction as u32) << self.shift,
            shift: self.shift + 2,
        }
    }
}

/// The squares of a [`Move::path`] in order.
#[derive(Clone, Debug)]
pub struct Path {
    of: Move,
    next: Option<Square>,
    done: u32,
}

impl Iterator for Path {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.next?;
        self.next = if !self.of.is_capture() {
            if self.done == 0 { Some(self.of.to()) } else { None }
        } else if (self.done as usize) < self.of.jumps() {
            let direction = Direction::ALL[(self.of.info >> (2 * self.done) & 3) as usize];
            direction.neighbour(square).and_then(|over| direction.neighbour(over))
        } else {
            None
        };
        self.done += 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let all = self.of.jumps().max(1) + 1;
        let left = all - self.done as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Path {}
impl FusedIterator for Path {}

/// `11-15`, or a capture with its full path, `9x18x11`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.is_capture() { 'x' } else { '-' };
        for (i, square) in self.path().enumerate() {
            if i > 0 {
                fmt::Write::write_char(f, separator)?;
            }
            write!(f, "{square}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}

/// Moves in the order of generation.
///
/// Holds [`MOVE_CAPACITY`] moves in place, 12 bytes each.
pub type MoveList = heapless::Vec<Move, MOVE_CAPACITY>;

/// How many moves a [`MoveList`] holds: all that a side can have where neither has more than 12
/// pieces.
///
/// A piece has at most 4 steps, so 12 have at most 48. Against 12 pieces a side has at most 40
/// capture routes: a test goes through all sets of capturing kings and of pieces between their
/// landing squares. Made-up positions with more pieces can have 49 steps, one for each pair of
/// neighbouring squares, and up to 68 routes.
pub const MOVE_CAPACITY: usize = 48;

/// The position has more moves than a [`MoveList`] holds.
///
/// Cannot happen with 12 pieces a side or fewer; see [`MOVE_CAPACITY`]. A visitor has no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyMoves;

impl fmt::Display for TooManyMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {MOVE_CAPACITY} moves; visit them one by one instead")
    }
}

impl core::error::Error for TooManyMoves {}
