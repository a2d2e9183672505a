use crate::Position;

/// The result of best play by both, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// The opponent can force a win.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move can force a win.
    Win,
}

impl Value {
    /// The same result seen from the other side.
    #[must_use]
    pub const fn negate(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// The word in commands and files: `loss`, `draw` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

impl core::fmt::Display for Value {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// What a table knows of a position: its value, and the plies to the end where it has distances.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// For the side to move.
    pub value: Value,
    /// Distance in plies with best play by both; `None` for draws and where only values are kept.
    pub plies: Option<u16>,
}

/// Tables as an engine sees them.
///
/// An implementation answers for every legal position with at most
/// [`max_pieces`](Prober::max_pieces) pieces, pending captures included, or returns an error;
/// it never guesses.
pub trait Prober {
    /// Why a position could not be looked up.
    type Error;

    /// The largest number of pieces on the board for which every material is known.
    fn max_pieces(&self) -> u32;

    /// The outcome of a position for the side to move.
    fn probe(&self, position: &Position) -> Result<Outcome, Self::Error>;
}
