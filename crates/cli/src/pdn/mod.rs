//! Portable Draughts Notation (PDN) for English draughts: a streaming reader and a writer.
//!
//! Read are games one after the other: tags, moves in any spelling of the rules crate, move
//! numbers, comments, nested variations, numeric and written marks, and results. The first
//! player's score comes first, and Black is the first player: `1-0` means that Black won. Files as
//! they are found are read too: games without tags or without a result at the end, `[Setup "1"]`,
//! a dot after a FEN, moves run together with their number.

mod bytes;
mod error;
mod game;
mod reader;
#[cfg(test)]
mod tests;
mod word;
mod writer;

pub(crate) use self::game::{Game, GameScore, Ply};
pub(crate) use self::reader::Reader;
pub(crate) use self::writer::write;
