use std::fmt;
use std::io;

/// What is wrong in a PDN file, and where.
#[derive(Debug)]
pub(crate) struct PdnError {
    /// From 1.
    pub(crate) line: u64,
    /// In characters, from 1.
    pub(crate) column: u64,
    pub(crate) kind: PdnErrorKind,
}

/// What can be wrong in a PDN file.
#[derive(Debug)]
pub(crate) enum PdnErrorKind {
    /// The file cannot be read.
    Io(io::Error),
    /// The file ends inside of this.
    Unfinished(&'static str),
    /// Something else than what was expected here.
    Unexpected { found: String, expected: &'static str },
    /// A comment, tag or word of more bytes than this.
    TooLong(usize),
    /// Variations in variations, more than this.
    TooDeep(usize),
    /// The text of the move is wrong, or the move is not legal.
    Move(String),
    /// The FEN of the start is wrong.
    Fen(String),
    /// The game is of another kind of draughts.
    GameType(String),
}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match &self.kind {
            PdnErrorKind::Io(error) => write!(f, "cannot be read: {error}"),
            PdnErrorKind::Unfinished(what) => write!(f, "the file ends inside {what}"),
            PdnErrorKind::Unexpected { found, expected } => {
                write!(f, "found {}, expected {expected}", found.escape_debug())
            }
            PdnErrorKind::TooLong(most) => {
                write!(f, "longer than {most} bytes; is a closing mark missing?")
            }
            PdnErrorKind::TooDeep(most) => {
                write!(f, "more than {most} variations in each other; are brackets missing?")
            }
            PdnErrorKind::Move(error) => write!(f, "{error}"),
            PdnErrorKind::Fen(error) => write!(f, "FEN: {error}"),
            PdnErrorKind::GameType(value) => write!(
                f,
                "GameType {}: expected 21, English draughts, or no such tag",
                value.escape_debug()
            ),
        }
    }
}

impl std::error::Error for PdnError {}
