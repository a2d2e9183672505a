//! The strategy on one board.

use crate::board::{Board, Status};
use crate::cell::Cell;
use crate::perfect::play;
use crate::word::{Boards, moves_of};

/// The strategy's move, `None` when the game is over.
///
/// It keeps the value, wins as fast as possible and loses as slowly as possible.
///
/// ```
/// use crownhead_tictactoe::{Board, choose};
///
/// // o holds opposite corners: a corner would lose to a fork, an edge keeps the draw.
/// let board: Board = "x...o...x".parse()?;
/// assert!([2, 4, 6, 8].contains(&choose(board).unwrap().number()));
///
/// assert_eq!(choose("xxx.oo...".parse()?), None);
/// # Ok::<(), crownhead_tictactoe::BoardError>(())
/// ```
#[must_use]
pub fn choose(board: Board) -> Option<Cell> {
    if board.status() != Status::Due {
        return None;
    }
    let mut boards = Boards::<u8>::EMPTY;
    boards.put(0, board);
    Cell::from_index(moves_of(&play(&boards), 0).trailing_zeros() as usize)
}
