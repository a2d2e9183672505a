//! A tic-tac-toe strategy as a Boolean chain that always plays right, 32 boards in a `u32`.
//!
//! The strategy is a straight-line program of two-input gates over 18 inputs (x1 to x9, the cells
//! of the player to move; o1 to o9, those of the opponent) with nine outputs, exactly one of which
//! is set: the move. A gate is one instruction on a word, so [`play`] plays as many boards at once
//! as the word has bits; [`choose`] plays one. In each of the 4,520 positions where a move is due, the
//! move keeps the value (win, draw or loss), wins as fast as possible and loses as slowly as
//! possible; a test compares all of them with a minimax search.
//!
//! ```
//! use crownhead_tictactoe::{Board, choose};
//!
//! let mut board = Board::EMPTY;
//! while let Some(cell) = choose(board) {
//!     board = board.after(cell).expect("the chosen cell is empty");
//! }
//! assert_eq!(board.empty(), 0); // against itself it draws
//! ```
//!
//! # How it plays
//!
//! All reasoning is about the eight lines.
#![doc = include_str!("../docs/lines.txt")]
//!
//! The first of these steps that marks a cell decides:
//!
//! 1. *win*: complete a line of mine;
//! 2. *block*: fill the third cell of a line in which the opponent has two;
//! 3. *fork*: where two lines meet that hold one mark of mine and none of theirs: two threats
//!    at once cannot both be blocked;
//! 4. *attack*: make a threat whose forced answer gives the opponent nothing: a
//!    counterattack, while the opponent still plans a fork;
//! 5. *defend*: fill a cell where the opponent would fork;
//! 6. *pincer*: next to my edge, the corner on their side, which prepares a fork;
//! 7. *rest*: any empty cell.
//!
//! Without *attack* and *pincer* this is the plain rule, [`PLAIN`], which is wrong in 50 positions;
//! with them it is [`MODIFIED`], which is wrong in none. Both are chains written out by a builder that
//! says what each gate is for. [`PERFECT`], the chain behind [`play`], is a shorter one that a search has
//! derived from `MODIFIED`, free to choose among the best moves and free to do
//! anything on the inputs that are no position of a game.
//!
//! # What else is here
//!
//! [`Board`] knows which boards games lead to and says why others are impossible; [`Values`] is the value of
//! every position as two bits; [`Score::minimax`] and [`best_moves`] search, and are what the
//! chain is made from.
//!
//! The crate allocates nothing and uses no floating point, no division beyond 16 bits and no unsafe code.
#![no_std]
#![forbid(unsafe_code)]

mod board;
mod builder;
mod cell;
mod chain;
mod lines;
mod perfect;
mod rule;
mod straight_line;
mod strategy;
mod value;
mod values;
mod word;

pub use board::{Board, BoardError, Player, Status};
pub use cell::Cell;
pub use chain::{Chain, Fault, Gate, INPUTS, Op};
pub use lines::{LINES, completes_line};
pub use perfect::{PERFECT, play};
pub use rule::{MODIFIED, PLAIN};
pub use strategy::choose;
pub use value::{Score, Value, best_moves, minimax_move};
pub use values::Values;
pub use word::{Boards, Word, moves_of};
