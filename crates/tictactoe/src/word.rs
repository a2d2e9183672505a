//! Words of bits, each bit a board.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use crate::board::Board;

/// An unsigned word whose bits are as many boards, all played at once.
///
/// Implemented for `u8` to `u128` and `usize`; a SIMD type can implement it too.
pub trait Word:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + PartialEq
{
    /// Boards in a word.
    const BOARDS: u32;

    /// The word without a set bit.
    const ZERO: Self;

    /// The word with one bit set, for the board of this number (from 0, taken modulo [`BOARDS`](Self::BOARDS)).
    fn bit(board: u32) -> Self;
}

macro_rules! words {
    ($($word:ty)*) => {$(
        impl Word for $word {
            const BOARDS: u32 = <$word>::BITS;
            const ZERO: Self = 0;

            #[inline]
            fn bit(board: u32) -> Self {
                <$word>::wrapping_shl(1, board)
            }
        }
    )*};
}

words!(u8 u16 u32 u64 u128 usize);

/// Boards side by side: for each cell the boards in which it is mine, and those in which it is theirs.
///
/// Every combination may be put in; the boards not put in have no marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boards<W> {
    /// x1 to x9: the boards in which the player to move holds the cell.
    pub mine: [W; 9],
    /// o1 to o9: the boards in which the opponent holds the cell.
    pub theirs: [W; 9],
}

impl<W: Word> Boards<W> {
    /// Boards without marks.
    pub const EMPTY: Self = Self { mine: [W::ZERO; 9], theirs: [W::ZERO; 9] };

    /// Adds a board to the place of this number (from 0, modulo [`Word::BOARDS`]); put only one there.
    pub fn put(&mut self, place: u32, board: Board) {
        let (bit, mine, theirs) = (W::bit(place), board.mine(), board.theirs());
        for index in 0..9 {
            if mine >> index & 1 != 0 {
                self.mine[index] = self.mine[index] | bit;
            }
            if theirs >> index & 1 != 0 {
                self.theirs[index] = self.theirs[index] | bit;
            }
        }
    }
}

/// The moves chosen on one of the boards played at once, as a set of cells.
#[must_use]
pub fn moves_of<W: Word>(moves: &[W; 9], place: u32) -> u16 {
    let bit = W::bit(place);
    let mut cells = 0;
    for (index, &word) in moves.iter().enumerate() {
        cells |= u16::from(word & bit != W::ZERO) << index;
    }
    cells
}
