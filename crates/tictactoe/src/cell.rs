//! A cell of the board.

use core::fmt;

/// One of the nine cells, numbered 1 to 9 in reading order.
///
/// ```
/// use crownhead_tictactoe::Cell;
///
/// let centre = Cell::new(5).unwrap();
/// assert_eq!(centre.index(), 4);
/// assert_eq!(Cell::new(0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell of a number from 1 to 9, or `None`.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if 1 <= number && number <= 9 { Some(Self(number - 1)) } else { None }
    }

    /// The cell of an index from 0 to 8, or `None`.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 9 { Some(Self(index as u8)) } else { None }
    }

    /// The number, 1 to 9.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The index, 0 to 8: the number less one.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell as a set of cells: bit [`index`](Self::index) is set.
    #[must_use]
    pub const fn bit(self) -> u16 {
        1 << self.0
    }

    /// All nine cells, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..9).map(Self)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}
