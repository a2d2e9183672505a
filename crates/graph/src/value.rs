use core::fmt;

/// What a vertex is worth to the side to move there when both sides play best.
///
/// The order is the mover's: a loss is less than a draw, a draw less than a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Value {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win; the game may go on for ever.
    Draw,
    /// The side to move wins.
    Win,
}

impl Value {
    /// The same outcome seen by the other side.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// The word used in files and output: `win`, `draw` or `loss`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// One of the two players: 1 and -1 in Romano's paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Player {
    /// The attacker, 1 in the paper, `first` in files.
    Attacker,
    /// The defender, -1 in the paper, `second` in files.
    Defender,
}

impl Player {
    /// Both players.
    pub const BOTH: [Self; 2] = [Self::Attacker, Self::Defender];

    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }

    /// The word used in files and output: `first` or `second`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Attacker => "first",
            Self::Defender => "second",
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// How a game ended at a sink: `win` of definition 2.6, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// This player has won.
    Won(Player),
    /// Nobody has won.
    Drawn,
}

impl Ending {
    /// The ending that is worth `value` to `mover`.
    #[must_use]
    pub const fn from_value(value: Value, mover: Player) -> Self {
        match value {
            Value::Win => Self::Won(mover),
            Value::Draw => Self::Drawn,
            Value::Loss => Self::Won(mover.opponent()),
        }
    }

    /// What the ending is worth to `player`.
    #[must_use]
    pub fn value_for(self, player: Player) -> Value {
        match self {
            Self::Drawn => Value::Draw,
            Self::Won(winner) if winner == player => Value::Win,
            Self::Won(_) => Value::Loss,
        }
    }
}
