use core::convert::Infallible;
use core::fmt;
use core::ops::ControlFlow;
use core::str::FromStr;

use crate::text::Cursor;
use crate::{Move, Position, Square};

/// The squares of a full path: one more than jumps.
const MAX_SQUARES: usize = Move::MAX_JUMPS + 1;

/// A move as written, before one knows the position: `11-15`, `22x15`, `22x15x8`.
///
/// Leading zeros, `X` for `x` and spaces around the separators are read too, and a hyphen in
/// a capture, as older game records have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    squares: heapless::Vec<Square, MAX_SQUARES>,
    /// Whether some separator was an `x`.
    capture: bool,
}

/// What was wrong in the text of a move, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveSyntaxError {
    /// The place in characters; the first is 1, and one past the last is the end of the text.
    pub column: usize,
    /// What was wrong there.
    pub kind: MoveSyntaxErrorKind,
}

/// What can be wrong in the text of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveSyntaxErrorKind {
    /// No number where a square should be.
    Square,
    /// A number that is not 1 to 32; `u32::MAX` stands for all from there on.
    OutOfRange(u32),
    /// Something else than a separator or the end after a square.
    Separator,
    /// More squares than any capture touches.
    TooLong,
}

impl fmt::Display for MoveSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: ", self.column)?;
        match self.kind {
            MoveSyntaxErrorKind::Square => {
                f.write_str("expected a square, 1 to 32; a move is like 11-15, 22x15 or 22x15x8")
            }
            MoveSyntaxErrorKind::OutOfRange(u32::MAX) => {
                f.write_str("this number is out of range; squares are 1 to 32")
            }
            MoveSyntaxErrorKind::OutOfRange(number) => {
                write!(f, "{number} is out of range; squares are 1 to 32")
            }
            MoveSyntaxErrorKind::Separator => {
                f.write_str("expected '-' or 'x' and a square, or the end of the move")
            }
            MoveSyntaxErrorKind::TooLong => {
                write!(f, "expected the end; no capture has more than {} jumps", Move::MAX_JUMPS)
            }
        }
    }
}

impl core::error::Error for MoveSyntaxError {}

impl FromStr for MoveText {
    type Err = MoveSyntaxError;

    fn from_str(text: &str) -> Result<Self, MoveSyntaxError> {
        Self::from_bytes(text.as_bytes())
    }
}

impl MoveText {
    /// Reads a move from bytes.
    ///
    /// # Errors
    ///
    /// [`MoveSyntaxError`] with the place of the first thing that is wrong.
    pub fn from_bytes(text: &[u8]) -> Result<Self, MoveSyntaxError> {
        let mut cursor = Cursor::new(text);
        let mut read = Self { squares: heapless::Vec::new(), capture: false };
        cursor.skip_spaces();
        loop {
            let column = cursor.column();
            let fail = |kind| MoveSyntaxError { column, kind };
            let number = cursor.number().ok_or(fail(MoveSyntaxErrorKind::Square))?;
            let square =
                Square::from_number(number).ok_or(fail(MoveSyntaxErrorKind::OutOfRange(number)))?;
            read.squares.push(square).map_err(|_| fail(MoveSyntaxErrorKind::TooLong))?;
            cursor.skip_spaces();
            match cursor.peek_upper() {
                None if read.squares.len() >= 2 => return Ok(read),
                Some(b'X') => read.capture = true,
                Some(b'-') => {}
                _ => {
                    let kind = MoveSyntaxErrorKind::Separator;
                    return Err(MoveSyntaxError { column: cursor.column(), kind });
                }
            }
            cursor.advance();
            cursor.skip_spaces();
        }
    }

    /// Whether this is a spelling of the move: its first and last square, or its full path.
    pub fn fits(&self, m: &Move) -> bool {
        if self.capture && !m.is_capture() {
            return false;
        }
        let ends = *self.squares == [m.from(), m.to()];
        ends || m.path().eq(self.squares.iter().copied())
    }

    /// Whether the move goes on where this text ends.
    fn stops_early(&self, m: &Move) -> bool {
        self.squares.len() < m.path().len()
            && m.path().zip(&self.squares).all(|(square, given)| square == *given)
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, square) in self.squares.iter().enumerate() {
            let separator = match (i, self.capture) {
                (0, _) => "",
                (_, true) => "x",
                (_, false) => "-",
            };
            write!(f, "{separator}{square}")?;
        }
        Ok(())
    }
}

/// Why a text is not a move of a position.
///
/// Prints as one sentence with the moves that would be accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveTextError {
    /// It is not the text of any move.
    Syntax(MoveSyntaxError),
    /// It fits no legal move.
    Illegal(WrongMove),
    /// It is the start of at least one capture that goes on.
    Incomplete(WrongMove),
    /// It fits captures with different results.
    Ambiguous(WrongMove),
}

/// A text that is not one move of this position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongMove {
    /// As written.
    pub text: MoveText,
    /// Where it was to be played.
    pub position: Position,
}

impl WrongMove {
    /// Writes the legal moves that pass, with commas between.
    fn list(
        &self,
        f: &mut fmt::Formatter<'_>,
        passes: impl Fn(&MoveText, &Move) -> bool,
    ) -> fmt::Result {
        let mut separator = "";
        let end = self.position.visit_moves(|m| {
            if passes(&self.text, &m) {
                if let Err(error) = write!(f, "{separator}{m}") {
                    return ControlFlow::Break(error);
                }
                separator = ", ";
            }
            ControlFlow::Continue(())
        });
        match end {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(()),
        }
    }
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Illegal(wrong) if !wrong.position.has_move() => {
                write!(f, "{} is not legal: the side to move has no move, it has lost", wrong.text)
            }
            Self::Illegal(wrong) => {
                write!(f, "{} is not legal here; legal moves: ", wrong.text)?;
                wrong.list(f, |_, _| true)
            }
            Self::Incomplete(wrong) => {
                write!(f, "{} stops early; the capture goes on: ", wrong.text)?;
                wrong.list(f, MoveText::stops_early)
            }
            Self::Ambiguous(wrong) => {
                write!(f, "{} is ambiguous; write the full path: ", wrong.text)?;
                wrong.list(f, MoveText::fits)
            }
        }
    }
}

impl core::error::Error for MoveTextError {}

impl From<MoveSyntaxError> for MoveTextError {
    fn from(error: MoveSyntaxError) -> Self {
        Self::Syntax(error)
    }
}

/// # Move text
impl Position {
    /// The legal move that this text spells.
    ///
    /// Accepted are the first and last square (`9-14`, `9x18`) and the full path of a capture
    /// (`9x18x11`). A text that fits several routes with the same result is one of these.
    ///
    /// # Errors
    ///
    /// [`MoveTextError`]; it lists the moves that would be accepted.
    ///
    /// ```
    /// use crownhead_rules::Position;
    ///
    /// let position: Position = "B:W23,22,15,14:B11,10".parse()?;
    /// assert_eq!(position.parse_move("10x19x26")?.to_string(), "10x19x26");
    /// let error = position.parse_move("10x26").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "10x26 is ambiguous; write the full path: 10x17x26, 10x19x26",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        self.find_move(&text.parse()?)
    }

    /// The legal move that this text spells; see [`parse_move`](Position::parse_move).
    ///
    /// # Errors
    ///
    /// All of [`MoveTextError`] but `Syntax`.
    pub fn find_move(&self, text: &MoveText) -> Result<Move, MoveTextError> {
        let wrong = || WrongMove { text: text.clone(), position: *self };
        let mut found = None::<Move>;
        let mut goes_on = false;
        let end = self.visit_moves(|m| {
            if text.fits(&m) {
                match found {
                    Some(before) if !before.same_result(&m) => return ControlFlow::Break(()),
                    Some(_) => {}
                    None => found = Some(m),
                }
            }
            goes_on |= text.stops_early(&m);
            ControlFlow::Continue(())
        });
        match (end, found) {
            (ControlFlow::Break(()), _) => Err(MoveTextError::Ambiguous(wrong())),
            (ControlFlow::Continue(()), Some(m)) => Ok(m),
            (ControlFlow::Continue(()), None) if goes_on => Err(MoveTextError::Incomplete(wrong())),
            (ControlFlow::Continue(()), None) => Err(MoveTextError::Illegal(wrong())),
        }
    }

    /// A legal move as people write it: first and last square, or the full path where these would
    /// fit more than one capture.
    pub fn short_text(&self, m: &Move) -> ShortMove {
        let mut routes = 0;
        let _: ControlFlow<Infallible> = self.visit_moves(|other| {
            routes += usize::from(other.from() == m.from() && other.to() == m.to());
            ControlFlow::Continue(())
        });
        ShortMove { of: *m, full: routes > 1 }
    }
}

/// A move that prints short where that is clear; see [`Position::short_text`].
#[derive(Clone, Copy, Debug)]
pub struct ShortMove {
    of: Move,
    full: bool,
}

impl fmt::Display for ShortMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let m = &self.of;
        if self.full || !m.is_capture() {
            fmt::Display::fmt(m, f)
        } else {
            write!(f, "{}x{}", m.from(), m.to())
        }
    }
}
