//! A board: which cells hold an x, which an o; whose turn it is follows from the counts.

use core::fmt;
use core::str::FromStr;

use crate::cell::Cell;
use crate::lines::completes_line;

/// All nine cells.
pub(crate) const FULL: u16 = 0b111_111_111;

/// A player; x moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The first player.
    X,
    /// The second player.
    O,
}

impl Player {
    /// The other player.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X => "x",
            Self::O => "o",
        })
    }
}

/// What a board is: a game to go on with, or one that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A move is due.
    Due,
    /// The player has completed a line.
    Won(Player),
    /// Nine marks and no line.
    Full,
}

/// A board that can come up in a game: 5,478 of them exist.
///
/// It is written as nine characters in reading order, `x`, `o` and `.`:
///
/// ```
/// use crownhead_tictactoe::{Board, Player, Status};
///
/// let board: Board = "x.o.x....".parse()?;
/// assert_eq!(board.to_move(), Player::O);
/// assert_eq!(board.status(), Status::Due);
/// assert_eq!(board.to_string(), "x.o.x....");
/// # Ok::<(), crownhead_tictactoe::BoardError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    x: u16,
    o: u16,
}

impl Board {
    /// The board at the start.
    pub const EMPTY: Self = Self { x: 0, o: 0 };

    /// The board with these marks (bit i is cell i + 1).
    ///
    /// # Errors
    ///
    /// Says why no game leads there.
    pub const fn new(x: u16, o: u16) -> Result<Self, BoardError> {
        if (x | o) & !FULL != 0 {
            return Err(BoardError::OffBoard);
        }
        if x & o != 0 {
            return Err(BoardError::Shared {
                cell: Cell::from_index((x & o).trailing_zeros() as usize),
            });
        }
        let (xs, os) = (x.count_ones(), o.count_ones());
        if xs != os && xs != os + 1 {
            return Err(BoardError::Counts { x: xs as u8, o: os as u8 });
        }
        let (x_line, o_line) = (completes_line(x), completes_line(o));
        if x_line && o_line {
            return Err(BoardError::BothWon);
        }
        if x_line && xs == os {
            return Err(BoardError::PlayedOn { winner: Player::X });
        }
        if o_line && xs != os {
            return Err(BoardError::PlayedOn { winner: Player::O });
        }
        Ok(Self { x, o })
    }

    /// The cells with an x (bit i is cell i + 1).
    #[must_use]
    pub const fn x(self) -> u16 {
        self.x
    }

    /// The cells with an o (bit i is cell i + 1).
    #[must_use]
    pub const fn o(self) -> u16 {
        self.o
    }

    /// The player whose turn it is, or would be if the game were not over.
    #[must_use]
    pub const fn to_move(self) -> Player {
        if self.x.count_ones() == self.o.count_ones() { Player::X } else { Player::O }
    }

    /// The marks of the player to move.
    #[must_use]
    pub const fn mine(self) -> u16 {
        match self.to_move() {
            Player::X => self.x,
            Player::O => self.o,
        }
    }

    /// The marks of the player who has just moved.
    #[must_use]
    pub const fn theirs(self) -> u16 {
        match self.to_move() {
            Player::X => self.o,
            Player::O => self.x,
        }
    }

    /// The empty cells.
    #[must_use]
    pub const fn empty(self) -> u16 {
        FULL & !(self.x | self.o)
    }

    /// Whether a move is due, or how the game ended.
    ///
    /// Only the player who has just moved can have completed a line.
    #[must_use]
    pub const fn status(self) -> Status {
        if completes_line(self.theirs()) {
            Status::Won(self.to_move().other())
        } else if self.empty() == 0 {
            Status::Full
        } else {
            Status::Due
        }
    }

    /// The board after a move, or `None` when the cell is taken or the game is over.
    #[must_use]
    pub const fn after(self, cell: Cell) -> Option<Self> {
        if !matches!(self.status(), Status::Due) || self.empty() & cell.bit() == 0 {
            return None;
        }
        Some(match self.to_move() {
            Player::X => Self { x: self.x | cell.bit(), o: self.o },
            Player::O => Self { x: self.x, o: self.o | cell.bit() },
        })
    }

    /// The cells that may be played: the empty ones, none when the game is over.
    pub fn moves(self) -> impl Iterator<Item = Cell> {
        let playable = if self.status() == Status::Due { self.empty() } else { 0 };
        Cell::all().filter(move |cell| playable & cell.bit() != 0)
    }

    /// Number of ternary codes, 3^9; [`from_code`](Self::from_code) takes the smaller numbers.
    pub const CODES: u16 = 19_683;

    /// The board as a number in base three: digit i is 0, 1 (x) or 2 (o) for cell i + 1.
    #[must_use]
    pub const fn code(self) -> u16 {
        let (mut code, mut index) = (0, 9);
        while index > 0 {
            index -= 1;
            code = 3 * code + (self.x >> index & 1) + 2 * (self.o >> index & 1);
        }
        code
    }

    /// The board of a [`code`](Self::code).
    ///
    /// # Errors
    ///
    /// Says why no game leads there; a code of 3^9 or more is off the board.
    pub const fn from_code(code: u16) -> Result<Self, BoardError> {
        if code >= Self::CODES {
            return Err(BoardError::OffBoard);
        }
        let (mut x, mut o, mut rest, mut index) = (0, 0, code, 0);
        while index < 9 {
            match rest % 3 {
                1 => x |= 1 << index,
                2 => o |= 1 << index,
                _ => {}
            }
            rest /= 3;
            index += 1;
        }
        Self::new(x, o)
    }

    /// All 5,478 boards that games lead to, finished ones included, by ascending code.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::CODES).filter_map(|code| Self::from_code(code).ok())
    }

    /// The 4,520 boards where a move is due, by ascending code.
    pub fn all_due() -> impl Iterator<Item = Self> {
        Self::all().filter(|board| board.status() == Status::Due)
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let (mut x, mut o, mut length) = (0, 0, 0);
        for (index, found) in text.chars().enumerate() {
            length = index + 1;
            if index >= 9 {
                continue;
            }
            match found {
                'x' | 'X' => x |= 1 << index,
                'o' | 'O' => o |= 1 << index,
                '.' => {}
                _ => return Err(BoardError::Character { place: length, found }),
            }
        }
        if length != 9 {
            return Err(BoardError::Length { found: length });
        }
        Self::new(x, o)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Cell::all() {
            let mark = if self.x & cell.bit() != 0 {
                "x"
            } else if self.o & cell.bit() != 0 {
                "o"
            } else {
                "."
            };
            f.write_str(mark)?;
        }
        Ok(())
    }
}

/// Why something is not a board of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardError {
    /// The text has not nine characters.
    Length {
        /// How many it has.
        found: usize,
    },
    /// The text has a character that is no mark.
    Character {
        /// Its place, from 1.
        place: usize,
        /// The character.
        found: char,
    },
    /// A mark beyond the ninth cell, or a code of 3^9 or more.
    OffBoard,
    /// A cell with both marks.
    Shared {
        /// The first such cell.
        cell: Option<Cell>,
    },
    /// The players did not move in turn.
    Counts {
        /// Number of x marks.
        x: u8,
        /// Number of o marks.
        o: u8,
    },
    /// Both have a line, yet the game ends with the first.
    BothWon,
    /// There was a move after the line that ended the game.
    PlayedOn {
        /// The player with the line.
        winner: Player,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Length { found } => write!(
                f,
                "a board has nine characters (x, o or . in reading order); this one has {found}"
            ),
            Self::Character { place, found } => {
                write!(f, "character {place} is {found:?}; x, o or . (empty) is accepted")
            }
            Self::OffBoard => f.write_str("a mark lies beyond cell 9"),
            Self::Shared { cell: Some(cell) } => write!(f, "cell {cell} holds both an x and an o"),
            Self::Shared { cell: None } => f.write_str("a cell holds both an x and an o"),
            Self::Counts { x, o } => write!(
                f,
                "{x} x and {o} o: x moves first and turns alternate, so there are as many x as o or one more"
            ),
            Self::BothWon => f.write_str(
                "both x and o have three in a row, but the game ends with the first line",
            ),
            Self::PlayedOn { winner } => write!(
                f,
                "{winner} has three in a row, yet {} moved after it; the game ends with the first line",
                winner.other()
            ),
        }
    }
}

impl core::error::Error for BoardError {}
