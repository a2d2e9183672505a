use core::fmt;
use core::iter::FusedIterator;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::{Color, Square};

/// A set of squares: bit `i` is the square numbered `i + 1`.
///
/// `|`, `&`, `^`, `-` and `!` are the set operations; iteration goes by ascending square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub u32);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 32 squares.
    pub const FULL: Self = Self(!0);
    /// Rows 0, 2, 4 and 6, whose squares have their lower left neighbour 4 further on.
    pub const EVEN_ROWS: Self = Self(0x0f0f_0f0f);
    /// Rows 1, 3, 5 and 7.
    pub const ODD_ROWS: Self = Self(0xf0f0_f0f0);

    /// The row's four squares; `row` is 0 to 7.
    pub const fn row(row: u32) -> Self {
        Self(0xf << (4 * row))
    }

    /// The row on which a man of this colour is crowned.
    pub const fn crown_row(color: Color) -> Self {
        match color {
            Color::Black => Self(0xf000_0000),
            Color::White => Self(0xf),
        }
    }

    /// The 28 squares on which a man of this colour can stand.
    pub const fn men_squares(color: Color) -> Self {
        Self(!Self::crown_row(color).0)
    }

    /// Just this square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest square of the set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        Square::from_index(self.0.trailing_zeros())
    }

    /// The sets of one square each that make up this set, by ascending square.
    ///
    /// As iteration, without the numbers of the squares, which cost a microcontroller a search.
    #[inline]
    pub fn singles(self) -> impl Iterator<Item = Self> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let single = left & left.wrapping_neg();
            left ^= single;
            if single == 0 { None } else { Some(Self(single)) }
        })
    }

    /// The set after the board is turned by 180 degrees.
    #[inline]
    pub const fn turned(self) -> Self {
        Self(self.0.reverse_bits())
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`] in ascending order.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.len() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

macro_rules! set_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident, $op:expr) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let op: fn(u32, u32) -> u32 = $op;
                Self(op(self.0, other.0))
            }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);
set_operator!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(Square::number)).finish()
    }
}
