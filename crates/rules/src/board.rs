use core::fmt;

use crate::{Color, PieceKind, Position, Square};

/// A drawing of a position, for people; see [`Position::board`].
#[derive(Clone, Copy, Debug)]
pub struct Board<'a>(&'a Position);

impl Position {
    /// A drawing in ASCII, seen from White, with the numbers of the squares beside it.
    ///
    /// Men are `b` and `w`, kings `B` and `W`, empty dark squares `.`.
    ///
    /// ```
    /// use crownhead_rules::Position;
    /// let position: Position = "W:W11,6:B3,K25".parse()?;
    /// assert_eq!(
    ///     position.board().to_string(),
    ///     "    .   .   b   .    1  2  3  4
    ///   .   w   .   .      5  6  7  8
    ///     .   .   w   .    9 10 11 12
    ///   .   .   .   .     13 14 15 16
    ///     .   .   .   .   17 18 19 20
    ///   .   .   .   .     21 22 23 24
    ///     B   .   .   .   25 26 27 28
    ///   .   .   .   .     29 30 31 32
    /// "
    /// );
    /// # Ok::<(), crownhead_rules::FenError>(())
    /// ```
    pub const fn board(&self) -> Board<'_> {
        Board(self)
    }
}

impl fmt::Display for Board<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..8 {
            let squares = || Square::all().filter(|square| square.row() == row);
            f.write_str(if row % 2 == 0 { "  " } else { "" })?;
            for square in squares() {
                let mark = match self.0.piece_at(square).map(|piece| (piece.color, piece.kind)) {
                    None => '.',
                    Some((Color::Black, PieceKind::Man)) => 'b',
                    Some((Color::Black, PieceKind::King)) => 'B',
                    Some((Color::White, PieceKind::Man)) => 'w',
                    Some((Color::White, PieceKind::King)) => 'W',
                };
                write!(f, "  {mark} ")?;
            }
            f.write_str(if row % 2 == 0 { " " } else { "   " })?;
            for square in squares() {
                write!(f, " {:>2}", square.number())?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
