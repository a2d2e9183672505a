//! English draughts (American checkers) rules on 32-bit bitboards.
//!
//! Squares are numbered 1 to 32; square 1 is the top left dark square seen from White.
//! Black starts on 1-12, moves first and towards higher numbers; a black man is crowned on
//! 29-32, a white man on 1-4.
//!
//! ```text
//!          White's crownhead
//!       1     2     3     4      row 0
//!    5     6     7     8         row 1
//!       9    10    11    12      row 2
//!   13    14    15    16         row 3
//!      17    18    19    20      row 4
//!   21    22    23    24         row 5
//!      25    26    27    28      row 6
//!   29    30    31    32         row 7
//!          Black's crownhead
//! ```

#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(feature = "std", test))]
extern crate std;

mod bitboard;
mod board;
mod clock;
mod color;
mod direction;
mod fen;
mod generate;
mod make;
mod moves;
mod notation;
mod perft;
mod position;
mod square;
mod text;
mod unmoves;
mod value;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use clock::FortyMoveClock;
pub use color::Color;
pub use direction::Direction;
pub use fen::{FenError, FenErrorKind};
pub use make::Undo;
pub use moves::{MOVE_CAPACITY, Move, MoveList, Path, TooManyMoves};
pub use notation::{
    MoveSyntaxError, MoveSyntaxErrorKind, MoveText, MoveTextError, ShortMove, WrongMove,
};
pub use perft::MoveStatistics;
pub use position::{Piece, PieceKind, Position};
pub use square::Square;
pub use value::{Outcome, Prober, Value};
