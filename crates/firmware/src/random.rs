use crownhead_rules::{Color, Piece, PieceKind, Position, Square};

/// Numbers that look random and are the same each time (xorshift, period 2^32 - 1).
#[derive(Clone, Debug)]
pub struct Random(u32);

impl Random {
    /// The sequence of a seed.
    pub const fn new(seed: u32) -> Self {
        Self(if seed == 0 { 1 } else { seed })
    }

    /// The next number.
    pub fn draw(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// One of the numbers below `end`, taken from the high bits.
    pub fn below(&mut self, end: u32) -> u32 {
        ((self.draw() >> 16) * end) >> 16
    }

    /// One of all legal positions with so many pieces, each as likely as any other: squares and
    /// kinds are drawn freely, and what is no position is drawn again.
    pub fn position(&mut self, pieces: u32) -> Position {
        loop {
            let turn = if self.below(2) == 0 { Color::Black } else { Color::White };
            let mut position = Position::empty(turn);
            while position.occupied().len() < pieces.min(24) {
                let color = if self.below(2) == 0 { Color::Black } else { Color::White };
                let kind = if self.below(2) == 0 { PieceKind::Man } else { PieceKind::King };
                let square = Square::from_index(self.below(32)).expect("below 32");
                if position.piece_at(square).is_none() {
                    position.pieces_mut(Piece { color, kind }).0 |= 1 << square.index();
                }
            }
            let both = Color::BOTH.into_iter().all(|color| !position.side(color).is_empty());
            if both && position.is_legal() {
                return position;
            }
        }
    }
}
