use crate::{Bitboard, Color, Square};

/// Man or king.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PieceKind {
    /// Moves and jumps forward only.
    Man = 0,
    /// Moves and jumps one square in all four directions.
    King = 1,
}

/// A piece's colour and kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// Man or king.
    pub kind: PieceKind,
}

/// A position: the four sets of pieces and the side to move.
///
/// A legal position has disjoint sets and no man on the row where it is crowned; see
/// [`is_legal`](Position::is_legal). A side without pieces or without a move has lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Black men.
    pub black_men: Bitboard,
    /// Black kings.
    pub black_kings: Bitboard,
    /// White men.
    pub white_men: Bitboard,
    /// White kings.
    pub white_kings: Bitboard,
    /// Who moves next.
    pub side_to_move: Color,
}

impl Position {
    /// The start position: Black on 1-12 and to move, White on 21-32.
    pub const START: Self = Self {
        black_men: Bitboard(0x0000_0fff),
        black_kings: Bitboard::EMPTY,
        white_men: Bitboard(0xfff0_0000),
        white_kings: Bitboard::EMPTY,
        side_to_move: Color::Black,
    };

    /// The empty board, with this side to move.
    pub const fn empty(side_to_move: Color) -> Self {
        Self {
            black_men: Bitboard::EMPTY,
            black_kings: Bitboard::EMPTY,
            white_men: Bitboard::EMPTY,
            white_kings: Bitboard::EMPTY,
            side_to_move,
        }
    }

    /// The men of a side.
    #[inline]
    pub const fn men(&self, color: Color) -> Bitboard {
        match color {
            Color::Black => self.black_men,
            Color::White => self.white_men,
        }
    }

    /// The kings of a side.
    #[inline]
    pub const fn kings(&self, color: Color) -> Bitboard {
        match color {
            Color::Black => self.black_kings,
            Color::White => self.white_kings,
        }
    }

    /// The set of pieces of this colour and kind, to change.
    #[inline]
    pub const fn pieces_mut(&mut self, piece: Piece) -> &mut Bitboard {
        match (piece.color, piece.kind) {
            (Color::Black, PieceKind::Man) => &mut self.black_men,
            (Color::Black, PieceKind::King) => &mut self.black_kings,
            (Color::White, PieceKind::Man) => &mut self.white_men,
            (Color::White, PieceKind::King) => &mut self.white_kings,
        }
    }

    /// All pieces of a side.
    #[inline]
    pub const fn side(&self, color: Color) -> Bitboard {
        Bitboard(self.men(color).0 | self.kings(color).0)
    }

    /// All occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.side(Color::Black).0 | self.side(Color::White).0)
    }

    /// All empty squares.
    #[inline]
    pub const fn vacant(&self) -> Bitboard {
        Bitboard(!self.occupied().0)
    }

    /// The piece on a square, if any.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        for color in Color::BOTH {
            for (kind, set) in
                [(PieceKind::Man, self.men(color)), (PieceKind::King, self.kings(color))]
            {
                if set.has(square) {
                    return Some(Piece { color, kind });
                }
            }
        }
        None
    }

    /// Whether no square is used twice and no man stands on the row where it is crowned.
    pub const fn is_legal(&self) -> bool {
        let sum = self.black_men.len()
            + self.black_kings.len()
            + self.white_men.len()
            + self.white_kings.len();
        sum == self.occupied().len()
            && self.black_men.0 & Bitboard::crown_row(Color::Black).0 == 0
            && self.white_men.0 & Bitboard::crown_row(Color::White).0 == 0
    }

    /// The board turned by 180 degrees with colours and side to move swapped: the same position
    /// seen from the other side, with the same value for the side to move.
    #[must_use]
    pub const fn mirror(&self) -> Self {
        Self {
            black_men: self.white_men.turned(),
            black_kings: self.white_kings.turned(),
            white_men: self.black_men.turned(),
            white_kings: self.black_kings.turned(),
            side_to_move: self.side_to_move.other(),
        }
    }
}
