//! Values, and the minimax search that defines them.

use core::fmt;

use crate::board::{Board, Status};
use crate::cell::Cell;

/// The value of a board for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The opponent wins.
    Loss,
    /// Neither can force a line.
    Draw,
    /// The player to move wins.
    Win,
}

impl Value {
    /// The same value seen by the other player.
    #[must_use]
    pub const fn flip(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

/// A value with the number of plies until the game ends, the winner in a hurry and the loser not.
///
/// In a draw the plies are the number of empty cells: a drawn game fills the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// Win, draw or loss for the player to move.
    pub value: Value,
    /// Plies to the end of the game.
    pub plies: u8,
}

impl Score {
    /// The score by a search of the whole game tree: some 550,000 boards from the empty one.
    #[must_use]
    pub fn minimax(board: Board) -> Self {
        match board.status() {
            Status::Won(_) => Self { value: Value::Loss, plies: 0 },
            Status::Full => Self { value: Value::Draw, plies: 0 },
            Status::Due => Self::best(board.moves().filter_map(|cell| board.after(cell))),
        }
    }

    /// The best score for a player who may choose among these boards (the opponent is to move there).
    fn best(choices: impl Iterator<Item = Board>) -> Self {
        let mut best = Self { value: Value::Loss, plies: 0 };
        for choice in choices {
            let score = Self::minimax(choice).before_move();
            if score.rank() > best.rank() {
                best = score;
            }
        }
        best
    }

    /// The score of a board from which the opponent is led into a board with this score.
    #[must_use]
    pub const fn before_move(self) -> Self {
        Self { value: self.value.flip(), plies: self.plies + 1 }
    }

    /// Ascending with what a player prefers: wins, soon; draws; losses, late.
    const fn rank(self) -> i8 {
        match self.value {
            Value::Win => 20 - self.plies as i8,
            Value::Draw => 0,
            Value::Loss => -20 + self.plies as i8,
        }
    }
}

/// The best moves: they keep the value, win as fast as possible and lose as slowly as possible.
///
/// A set of cells (bit i is cell i + 1), empty when the game is over.
#[must_use]
pub fn best_moves(board: Board) -> u16 {
    let (mut best, mut rank) = (0, i8::MIN);
    for cell in board.moves() {
        let Some(next) = board.after(cell) else { continue };
        let score = Score::minimax(next).before_move();
        if score.rank() > rank {
            (best, rank) = (0, score.rank());
        }
        if score.rank() == rank {
            best |= cell.bit();
        }
    }
    best
}

/// The move that minimax finds: the best one with the smallest number, `None` when the game is over.
#[must_use]
pub fn minimax_move(board: Board) -> Option<Cell> {
    // Nine or more zeros below the first set bit: no move.
    Cell::from_index(best_moves(board).trailing_zeros() as usize)
}
