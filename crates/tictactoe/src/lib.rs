//! wip
#![no_std]
#![forbid(unsafe_code)]

mod board;
mod builder;
mod cell;
mod chain;
mod lines;
mod rule;
mod value;
mod word;

pub use board::{Board, BoardError, Player, Status};
pub use cell::Cell;
pub use chain::{Chain, Fault, Gate, INPUTS, Op};
pub use lines::{LINES, completes_line};
pub use rule::{MODIFIED, PLAIN};
pub use value::{Score, Value, best_moves, minimax_move};
pub use word::{Boards, Word, moves_of};
