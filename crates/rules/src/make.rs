use crate::{Bitboard, Color, Move, PieceKind, Position};

/// What [`Position::unmake`] needs to know beyond the move: which captured pieces were kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undo {
    captured_kings: Bitboard,
}

/// # Making and taking back moves
impl Position {
    /// The position after a legal move.
    ///
    /// For a move that is not legal here the result is unspecified, though not a panic.
    ///
    /// ```
    /// use crownhead_rules::Position;
    /// let m = Position::START.moves().unwrap()[0];
    /// let next = Position::START.after(&m);
    /// assert_ne!(next.side_to_move, Position::START.side_to_move);
    /// ```
    #[inline]
    #[must_use]
    pub const fn after(&self, m: &Move) -> Self {
        let (change, left) = (m.change().0, !m.captured().0);
        let color = self.side_to_move;
        let (mut men, mut kings) = (self.men(color).0, self.kings(color).0);
        match m.kind() {
            PieceKind::Man => {
                men ^= change;
                let crowned = men & Bitboard::crown_row(color).0;
                men ^= crowned;
                kings |= crowned;
            }
            PieceKind::King => kings ^= change,
        }
        match color {
            Color::Black => Self {
                black_men: Bitboard(men),
                black_kings: Bitboard(kings),
                white_men: Bitboard(self.white_men.0 & left),
                white_kings: Bitboard(self.white_kings.0 & left),
                side_to_move: Color::White,
            },
            Color::White => Self {
                black_men: Bitboard(self.black_men.0 & left),
                black_kings: Bitboard(self.black_kings.0 & left),
                white_men: Bitboard(men),
                white_kings: Bitboard(kings),
                side_to_move: Color::Black,
            },
        }
    }

    /// Makes a legal move in place, as [`after`](Position::after) does.
    #[inline]
    pub const fn make(&mut self, m: &Move) -> Undo {
        let captured_kings = Bitboard(self.kings(self.side_to_move.other()).0 & m.captured().0);
        *self = self.after(m);
        Undo { captured_kings }
    }

    /// Takes back the move that was just made; the position is bit for bit what it was.
    #[inline]
    pub const fn unmake(&mut self, m: &Move, undo: Undo) {
        *self = self.before(m, undo.captured_kings);
    }

    /// The position before a move that led here and captured kings on just these squares.
    ///
    /// The inverse of [`after`](Position::after); for a step `captured_kings` is empty. For a
    /// move that cannot have led here the result is unspecified, though not a panic.
    #[inline]
    #[must_use]
    pub const fn before(&self, m: &Move, captured_kings: Bitboard) -> Self {
        let change = m.change().0;
        let captured_men = m.captured().0 & !captured_kings.0;
        let color = self.side_to_move.other();
        let (mut men, mut kings) = (self.men(color).0, self.kings(color).0);
        match m.kind() {
            PieceKind::Man if m.crowns() => {
                let crowned = change & Bitboard::crown_row(color).0;
                men |= change ^ crowned;
                kings ^= crowned;
            }
            PieceKind::Man => men ^= change,
            PieceKind::King => kings ^= change,
        }
        match color {
            Color::Black => Self {
                black_men: Bitboard(men),
                black_kings: Bitboard(kings),
                white_men: Bitboard(self.white_men.0 | captured_men),
                white_kings: Bitboard(self.white_kings.0 | captured_kings.0),
                side_to_move: color,
            },
            Color::White => Self {
                black_men: Bitboard(self.black_men.0 | captured_men),
                black_kings: Bitboard(self.black_kings.0 | captured_kings.0),
                white_men: Bitboard(men),
                white_kings: Bitboard(kings),
                side_to_move: color,
            },
        }
    }
}
