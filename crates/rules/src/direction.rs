use crate::{Bitboard, Color, Square};

/// One of the four diagonal directions, as seen from White with square 1 at the top left.
///
/// Black men move down, white men up. The shift distance depends on the parity of the row:
///
/// | | even rows (1-4, 9-12, ...) | odd rows (5-8, 13-16, ...) |
/// |---|---|---|
/// | down left | +4 | +3 |
/// | down right | +5 | +4 |
/// | up left | -4 | -5 |
/// | up right | -3 | -4 |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Towards row 7 and column 0.
    DownLeft = 0,
    /// Towards row 7 and column 7.
    DownRight = 1,
    /// Towards row 0 and column 0.
    UpLeft = 2,
    /// Towards row 0 and column 7.
    UpRight = 3,
}

/// Squares in column 0 (odd rows): nothing lies to their left.
const LEFT_EDGE: u32 = 0x1010_1010;
/// Squares in column 7 (even rows): nothing lies to their right.
const RIGHT_EDGE: u32 = 0x0808_0808;
const EVEN: u32 = Bitboard::EVEN_ROWS.0;
const ODD: u32 = Bitboard::ODD_ROWS.0;

impl Direction {
    /// All four; kings move in each.
    pub const ALL: [Self; 4] = [Self::DownLeft, Self::DownRight, Self::UpLeft, Self::UpRight];

    /// The two directions in which a man of this colour moves.
    pub const fn forward(color: Color) -> [Self; 2] {
        match color {
            Color::Black => [Self::DownLeft, Self::DownRight],
            Color::White => [Self::UpLeft, Self::UpRight],
        }
    }

    /// The way back.
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Self::DownLeft => Self::UpRight,
            Self::DownRight => Self::UpLeft,
            Self::UpLeft => Self::DownRight,
            Self::UpRight => Self::DownLeft,
        }
    }

    /// The neighbours in this direction of all squares of the set; those at the edge have none.
    #[inline]
    pub const fn step(self, set: Bitboard) -> Bitboard {
        let s = set.0;
        Bitboard(match self {
            Self::DownLeft => (s & EVEN) << 4 | (s & ODD & !LEFT_EDGE) << 3,
            Self::DownRight => (s & EVEN & !RIGHT_EDGE) << 5 | (s & ODD) << 4,
            Self::UpLeft => (s & EVEN) >> 4 | (s & ODD & !LEFT_EDGE) >> 5,
            Self::UpRight => (s & EVEN & !RIGHT_EDGE) >> 3 | (s & ODD) >> 4,
        })
    }

    /// The squares whose neighbour in this direction is in the set.
    #[inline]
    pub const fn origins(self, set: Bitboard) -> Bitboard {
        self.opposite().step(set)
    }

    /// The neighbour of one square, if the board does not end there.
    #[inline]
    pub const fn neighbour(self, square: Square) -> Option<Square> {
        self.step(Bitboard::of(square)).first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_agree_with_rows_and_columns() {
        for square in Square::all() {
            for direction in Direction::ALL {
                let (dr, dc) = match direction {
                    Direction::DownLeft => (1, -1),
                    Direction::DownRight => (1, 1),
                    Direction::UpLeft => (-1, -1),
                    Direction::UpRight => (-1, 1),
                };
                let row = square.row().checked_add_signed(dr);
                let column = square.column().checked_add_signed(dc);
                let expected = row.zip(column).and_then(|(r, c)| Square::at(r, c));
                assert_eq!(direction.neighbour(square), expected, "{square} {direction:?}");
                if let Some(to) = expected {
                    assert!(direction.origins(Bitboard::of(to)).has(square));
                }
            }
        }
    }
}
