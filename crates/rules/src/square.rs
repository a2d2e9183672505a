use core::fmt;

/// One of the 32 dark squares.
///
/// Prints as its number, 1 to 32; [`index`](Square::index) counts from 0 and is the square's bit
/// in a [`Bitboard`](crate::Bitboard).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this bit index, or `None` from 32 on.
    pub const fn from_index(index: u32) -> Option<Self> {
        if index < 32 { Some(Self(index as u8)) } else { None }
    }

    /// The square with this number, 1 to 32, or `None` for any other.
    ///
    /// ```
    /// use crownhead_rules::Square;
    /// assert_eq!(Square::from_number(18).unwrap().index(), 17);
    /// assert_eq!(Square::from_number(0), None);
    /// ```
    pub const fn from_number(number: u32) -> Option<Self> {
        if number >= 1 && number <= 32 { Some(Self(number as u8 - 1)) } else { None }
    }

    /// The square whose bit index is in the five lowest bits.
    #[inline(always)]
    pub(crate) const fn of_low_bits(bits: u32) -> Self {
        Self((bits & 31) as u8)
    }

    /// The bit index, 0 to 31: number less one.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0 as u32
    }

    /// The number, 1 to 32.
    #[inline]
    pub const fn number(self) -> u32 {
        self.0 as u32 + 1
    }

    /// The row, 0 (squares 1-4, where white men are crowned) to 7 (squares 29-32).
    #[inline]
    pub const fn row(self) -> u32 {
        self.0 as u32 / 4
    }

    /// The column of the 8 by 8 board, 0 at the left seen from White.
    #[inline]
    pub const fn column(self) -> u32 {
        (self.0 as u32 % 4) * 2 + ((self.row() + 1) % 2)
    }

    /// The dark square at this row and column of the 8 by 8 board, if there is one.
    pub const fn at(row: u32, column: u32) -> Option<Self> {
        if row < 8 && column < 8 && (row + column) % 2 == 1 {
            Some(Self((row * 4 + column / 2) as u8))
        } else {
            None
        }
    }

    /// The same square after the board is turned by 180 degrees.
    #[inline]
    pub const fn turned(self) -> Self {
        Self(31 - self.0)
    }

    /// All squares in ascending order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator {
        (0..32u8).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.number(), f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Square({})", self.number())
    }
}
