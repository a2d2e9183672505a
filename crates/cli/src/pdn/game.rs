use std::fmt;

use crownhead_rules::{Color, Move, Position};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum GameScore {
    /// Black, the first player, won.
    BlackWon,
    /// White won.
    WhiteWon,
    /// A draw.
    Drawn,
    /// Not finished, or not known.
    #[default]
    Open,
}

impl GameScore {
    /// The score of a game that this side has won.
    pub(crate) fn won_by(color: Color) -> Self {
        match color {
            Color::Black => Self::BlackWon,
            Color::White => Self::WhiteWon,
        }
    }

    /// The score that this whole word stands for, in the counts of all kinds of draughts.
    pub(super) fn read(word: &[u8]) -> Option<Self> {
        match word {
            b"1-0" | b"2-0" => Some(Self::BlackWon),
            b"0-1" | b"0-2" => Some(Self::WhiteWon),
            b"1/2-1/2" | b"1-1" => Some(Self::Drawn),
            b"*" | b"0-0" => Some(Self::Open),
            _ => None,
        }
    }
}

/// As PDN writes it, the first player's points first.
impl fmt::Display for GameScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BlackWon => "1-0",
            Self::WhiteWon => "0-1",
            Self::Drawn => "1/2-1/2",
            Self::Open => "*",
        })
    }
}

/// A move with what was written about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ply {
    pub(crate) played: Move,
    /// Numeric annotation glyphs; `!` is 1, `?` is 2 and so on.
    pub(crate) marks: Vec<u16>,
    pub(crate) comments: Vec<String>,
    /// What might have been played instead.
    pub(crate) variations: Vec<Variation>,
}

impl Ply {
    pub(crate) fn new(played: Move) -> Self {
        Self { played, marks: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

/// A line of moves with what was written before them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Variation {
    pub(crate) comments: Vec<String>,
    pub(crate) plies: Vec<Ply>,
}

impl Variation {
    /// Whether nothing was written.
    pub(super) fn is_empty(&self) -> bool {
        self.comments.is_empty() && self.plies.is_empty()
    }
}

/// One game of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Game {
    /// In the order of the file, without `SetUp` and `FEN`, which [`start`](Self::start) stands
    /// for, and `Result`.
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) start: Position,
    pub(crate) main: Variation,
    pub(crate) score: GameScore,
}

impl Game {
    /// A game without moves.
    pub(crate) fn new(start: Position) -> Self {
        Self { tags: Vec::new(), start, main: Variation::default(), score: GameScore::Open }
    }
}
