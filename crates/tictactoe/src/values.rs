//! The value of every position as two bits.

use crate::board::{Board, Status};
use crate::value::Value;

/// Words of 32 codes.
const WORDS: usize = Board::CODES.div_ceil(32) as usize;

/// Two bits, win and loss, for every board: 4,928 bytes.
///
/// This is W of the recursion that is usually given for such games,
///
/// > W(P) = 1 if some move m has W(P\[m\]) = 0, else 0,
///
/// put right for draws. One bit cannot do: in that recursion the player to move at a full board
/// without a line has W = 0, so whoever fills the last cell of a drawn board would have won. With
/// two bits, a position is
///
/// - *won* if some move leads to a lost one;
/// - *lost* if the opponent has just completed a line, or if there are moves and all lead to won ones;
/// - *drawn* if it is neither; a full board without a line is.
///
/// ```
/// use crownhead_tictactoe::{Board, Value, Values};
///
/// let values = Values::new();
/// assert_eq!(values.value(Board::EMPTY), Value::Draw);
/// assert_eq!(values.value("x...o....".parse()?), Value::Draw);
/// assert_eq!(values.value("xo.......".parse()?), Value::Win);
/// # Ok::<(), crownhead_tictactoe::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Values {
    win: [u32; WORDS],
    loss: [u32; WORDS],
}

impl Values {
    /// Computes all values, each once: a move makes the code greater, so greater codes come first.
    #[must_use]
    pub fn new() -> Self {
        let mut values = Self { win: [0; WORDS], loss: [0; WORDS] };
        for code in (0..Board::CODES).rev() {
            let Ok(board) = Board::from_code(code) else { continue };
            let (word, bit) = place(board);
            match values.recursion(board) {
                Value::Win => values.win[word] |= bit,
                Value::Loss => values.loss[word] |= bit,
                Value::Draw => {}
            }
        }
        values
    }

    /// The value of a board from those of the boards after it.
    fn recursion(&self, board: Board) -> Value {
        match board.status() {
            Status::Won(_) => return Value::Loss,
            Status::Full => return Value::Draw,
            Status::Due => {}
        }
        let mut all_won = true;
        for next in board.moves().filter_map(|cell| board.after(cell)) {
            match self.value(next) {
                Value::Loss => return Value::Win,
                Value::Draw => all_won = false,
                Value::Win => {}
            }
        }
        if all_won { Value::Loss } else { Value::Draw }
    }

    /// The value for the player to move.
    #[must_use]
    pub fn value(&self, board: Board) -> Value {
        let (word, bit) = place(board);
        if self.win[word] & bit != 0 {
            Value::Win
        } else if self.loss[word] & bit != 0 {
            Value::Loss
        } else {
            Value::Draw
        }
    }
}

impl Default for Values {
    fn default() -> Self {
        Self::new()
    }
}

/// Word and bit of a board.
const fn place(board: Board) -> (usize, u32) {
    let code = board.code();
    (code as usize / 32, 1 << (code % 32))
}
