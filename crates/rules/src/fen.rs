use core::fmt;
use core::str::FromStr;

use crate::text::Cursor;
use crate::{Bitboard, Color, Piece, PieceKind, Position, Square};

/// What was wrong in a FEN, and where.
///
/// Prints as one sentence that says what would be accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FenError {
    /// The place in characters; the first is 1, and one past the last is the end of the text.
    pub column: usize,
    /// What was wrong there.
    pub kind: FenErrorKind,
}

/// What can be wrong in a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// The text does not start with `W` or `B`, the side to move.
    Turn,
    /// No `:` after the side to move.
    AfterTurn,
    /// A list of pieces does not start with `W` or `B`.
    ListColor,
    /// Two lists for this side.
    RepeatedList(Color),
    /// No list for this side.
    MissingList(Color),
    /// Nothing where a comma calls for a piece.
    EmptyItem,
    /// Something that is not a square number.
    Square,
    /// A number that is not 1 to 32; `u32::MAX` stands for all from there on.
    OutOfRange(u32),
    /// A range whose first square is not below its last.
    Descending {
        /// The square before the hyphen.
        first: Square,
        /// The square behind it.
        last: Square,
    },
    /// A square that has a piece already.
    Occupied(Square),
    /// A man on the row where it would have been crowned.
    UncrownedMan(Color, Square),
    /// Something else than a comma, a colon or the end after a piece.
    AfterPiece,
    /// A third field that is not `H` or `F` with a number, or one of these twice.
    Field,
    /// Something after the end.
    Trailing,
    /// A PDN tag that is not `[FEN "..."]`.
    Tag,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: ", self.column)?;
        match self.kind {
            FenErrorKind::Turn => f.write_str("expected W or B, the side to move"),
            FenErrorKind::AfterTurn => f.write_str("expected ':' after the side to move"),
            FenErrorKind::ListColor => f.write_str(
                "expected W or B before a list of pieces (an empty list is just W or B)",
            ),
            FenErrorKind::RepeatedList(color) => {
                write!(f, "a second list for {color}; expected one for {}", color.other())
            }
            FenErrorKind::MissingList(color) => write!(
                f,
                "the list of {color}'s pieces is missing; expected ':{}' and its squares, if any",
                letter(color)
            ),
            FenErrorKind::EmptyItem => f.write_str("an empty item; expected a square, 1 to 32"),
            FenErrorKind::Square => {
                f.write_str("expected a square, 1 to 32, with K before a king or a range of kings")
            }
            FenErrorKind::OutOfRange(u32::MAX) => {
                f.write_str("this number is out of range; squares are 1 to 32")
            }
            FenErrorKind::OutOfRange(number) => {
                write!(f, "{number} is out of range; squares are 1 to 32")
            }
            FenErrorKind::Descending { first, last } => write!(
                f,
                "the range {first}-{last} does not ascend; expected the lower square first"
            ),
            FenErrorKind::Occupied(square) => {
                write!(f, "square {square} is used twice; a square holds one piece")
            }
            FenErrorKind::UncrownedMan(color, square) => write!(
                f,
                "a man of {color} on {square} would have been crowned; only a king, K{square}, \
                 can stand there"
            ),
            FenErrorKind::AfterPiece => {
                f.write_str("expected ',' and a piece, ':' and the next list, or the end")
            }
            FenErrorKind::Field => f.write_str(
                "unknown field; after the two lists only H and F with a number may come",
            ),
            FenErrorKind::Trailing => f.write_str("expected the end of the FEN"),
            FenErrorKind::Tag => f.write_str("expected a FEN or a tag of the form [FEN \"...\"]"),
        }
    }
}

impl core::error::Error for FenError {}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// Reads a FEN as PDN has it, such as `W:WK9,27:B4,K18`.
///
/// Accepted as well: the lists in either order, ranges (`21-32`; `K` covers the whole range),
/// leading zeros, lower case, spaces around separators, a dot at the end, `:H<n>` and `:F<n>`
/// at the end (ignored), and the whole PDN tag `[FEN "..."]`.
///
/// ```
/// use crownhead_rules::{FenErrorKind, Position};
///
/// let position: Position = "B:B1-12:W21-32".parse()?;
/// assert_eq!(position, Position::START);
///
/// let error = "W:W27,19:B28,19".parse::<Position>().unwrap_err();
/// assert_eq!(error.to_string(), "column 14: square 19 is used twice; a square holds one piece");
/// # Ok::<(), crownhead_rules::FenError>(())
/// ```
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::from_fen(text.as_bytes())
    }
}

impl Position {
    /// Reads a FEN from bytes; see [`from_str`](Position::from_str) for what is accepted.
    ///
    /// # Errors
    ///
    /// [`FenError`] with the place of the first thing that is wrong. The result of success
    /// [is legal](Position::is_legal).
    pub fn from_fen(text: &[u8]) -> Result<Self, FenError> {
        let mut parser = Parser { cursor: Cursor::new(text) };
        parser.cursor.skip_spaces();
        if parser.cursor.peek() == Some(b'[') {
            parser.tag()
        } else {
            let position = parser.position()?;
            parser.end(position)
        }
    }
}

/// One method a rule of the grammar; each leaves the cursor behind what it took and the spaces
/// that follow.
struct Parser<'a> {
    cursor: Cursor<'a>,
}

impl Parser<'_> {
    fn fail<T>(&self, kind: FenErrorKind) -> Result<T, FenError> {
        Err(FenError { column: self.cursor.column(), kind })
    }

    fn end(&self, position: Position) -> Result<Position, FenError> {
        match self.cursor.peek() {
            None => Ok(position),
            Some(_) => self.fail(FenErrorKind::Trailing),
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.cursor.eat(byte);
        if found {
            self.cursor.skip_spaces();
        }
        found
    }

    fn tag(&mut self) -> Result<Position, FenError> {
        self.eat(b'[');
        if !self.cursor.eat_word(b"FEN") {
            return self.fail(FenErrorKind::Tag);
        }
        self.cursor.skip_spaces();
        if !self.eat(b'"') {
            return self.fail(FenErrorKind::Tag);
        }
        let position = self.position()?;
        if !self.eat(b'"') || !self.eat(b']') {
            return self.fail(FenErrorKind::Tag);
        }
        self.end(position)
    }

    fn position(&mut self) -> Result<Position, FenError> {
        let Some(turn) = self.color() else { return self.fail(FenErrorKind::Turn) };
        let mut position = Position::empty(turn);
        if !matches!(self.cursor.peek(), Some(b':')) {
            return self.fail(FenErrorKind::AfterTurn);
        }
        let first = self.list(None, &mut position)?;
        self.list(Some(first), &mut position)?;
        self.fields()?;
        self.eat(b'.');
        Ok(position)
    }

    fn color(&mut self) -> Option<Color> {
        let color = match self.cursor.peek_upper()? {
            b'W' => Color::White,
            b'B' => Color::Black,
            _ => return None,
        };
        self.cursor.advance();
        self.cursor.skip_spaces();
        Some(color)
    }

    /// A colon and the list of one side.
    fn list(&mut self, before: Option<Color>, position: &mut Position) -> Result<Color, FenError> {
        if !self.eat(b':') {
            let missing = before.map_or(Color::White, Color::other);
            let nothing_more = matches!(self.cursor.peek(), None | Some(b'.' | b'"'));
            let nothing_yet = before.is_none();
            let kind = if nothing_more || nothing_yet {
                FenErrorKind::MissingList(missing)
            } else {
                FenErrorKind::AfterPiece
            };
            return self.fail(kind);
        }
        let place = self.cursor.column();
        let Some(color) = self.color() else {
            return self.fail(match (self.cursor.peek(), before) {
                (None, before) => {
                    FenErrorKind::MissingList(before.map_or(Color::White, Color::other))
                }
                _ => FenErrorKind::ListColor,
            });
        };
        if before == Some(color) {
            return Err(FenError { column: place, kind: FenErrorKind::RepeatedList(color) });
        }
        if !matches!(self.cursor.peek(), None | Some(b':' | b'.' | b'"')) {
            self.item(color, position)?;
            while self.eat(b',') {
                self.item(color, position)?;
            }
        }
        Ok(color)
    }

    /// A square or a range, with or without `K`.
    fn item(&mut self, color: Color, position: &mut Position) -> Result<(), FenError> {
        let place = self.cursor.column();
        if matches!(self.cursor.peek(), None | Some(b',' | b':' | b'.' | b'"')) {
            return self.fail(FenErrorKind::EmptyItem);
        }
        let king = self.cursor.peek_upper() == Some(b'K');
        if king {
            self.cursor.advance();
        }
        let first = self.square()?;
        let last = if self.eat(b'-') { self.square()? } else { first };
        if last < first {
            let kind = FenErrorKind::Descending { first, last };
            return Err(FenError { column: place, kind });
        }
        let kind = if king { PieceKind::King } else { PieceKind::Man };
        for square in Square::all().filter(|square| (first..=last).contains(square)) {
            position
                .put(Piece { color, kind }, square)
                .map_err(|kind| FenError { column: place, kind })?;
        }
        Ok(())
    }

    fn square(&mut self) -> Result<Square, FenError> {
        let column = self.cursor.column();
        let Some(number) = self.cursor.number() else { return self.fail(FenErrorKind::Square) };
        let out_of_range = FenError { column, kind: FenErrorKind::OutOfRange(number) };
        let square = Square::from_number(number).ok_or(out_of_range)?;
        self.cursor.skip_spaces();
        Ok(square)
    }

    /// `:H<n>` and `:F<n>`, the move counters of other programs.
    fn fields(&mut self) -> Result<(), FenError> {
        let mut seen = [false; 2];
        while self.eat(b':') {
            let column = self.cursor.column();
            let unknown = FenError { column, kind: FenErrorKind::Field };
            let which = match self.cursor.peek_upper() {
                Some(b'H') => 0,
                Some(b'F') => 1,
                _ => return Err(unknown),
            };
            self.cursor.advance();
            if self.cursor.number().is_none() || core::mem::replace(&mut seen[which], true) {
                return Err(unknown);
            }
            self.cursor.skip_spaces();
        }
        match self.cursor.peek() {
            None | Some(b'.' | b'"') => Ok(()),
            Some(_) => self.fail(FenErrorKind::AfterPiece),
        }
    }
}

impl Position {
    fn put(&mut self, piece: Piece, square: Square) -> Result<(), FenErrorKind> {
        if self.occupied().has(square) {
            return Err(FenErrorKind::Occupied(square));
        }
        if piece.kind == PieceKind::Man && Bitboard::crown_row(piece.color).has(square) {
            return Err(FenErrorKind::UncrownedMan(piece.color, square));
        }
        *self.pieces_mut(piece) |= Bitboard::of(square);
        Ok(())
    }
}

/// The normalised FEN: White first, squares ascending, `K` before each king.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", letter(self.side_to_move))?;
        for color in [Color::White, Color::Black] {
            write!(f, ":{}", letter(color))?;
            for (i, square) in self.side(color).into_iter().enumerate() {
                let comma = if i > 0 { "," } else { "" };
                let king = if self.kings(color).has(square) { "K" } else { "" };
                write!(f, "{comma}{king}{square}")?;
            }
        }
        Ok(())
    }
}
