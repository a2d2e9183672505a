//! What the tests share: the reference data and the slow twin of the generator.
#![allow(dead_code, reason = "each test file uses its part")]

pub(crate) mod data;
pub(crate) mod twin;

use crownhead_rules::{Bitboard, Color, Position};

/// Random numbers, the same in each run (xorshift64*).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((self.next() >> 32) * bound) >> 32
    }

    /// A legal position with each dark square occupied with chance `density` in 32.
    pub(crate) fn position(&mut self, density: u64) -> Position {
        let mut sets = [0u32; 4];
        for square in 0..32 {
            if self.below(32) < density {
                sets[self.below(4) as usize] |= 1 << square;
            }
        }
        let side = if self.below(2) == 0 { Color::Black } else { Color::White };
        legal(sets, side)
    }
}

/// The position with these sets (black men, black kings, white men, white kings), men on their
/// crownhead left out.
pub(crate) fn legal(sets: [u32; 4], side_to_move: Color) -> Position {
    Position {
        black_men: Bitboard(sets[0]) & Bitboard::men_squares(Color::Black),
        black_kings: Bitboard(sets[1]),
        white_men: Bitboard(sets[2]) & Bitboard::men_squares(Color::White),
        white_kings: Bitboard(sets[3]),
        side_to_move,
    }
}

/// Shows every legal position with this many pieces, both sides to move, one side empty included.
pub(crate) fn every_position(pieces: u32, mut show: impl FnMut(Position)) {
    fn place(sets: [u32; 4], next: u32, pieces: u32, show: &mut impl FnMut(Position)) {
        if pieces == 0 {
            for side in Color::BOTH {
                show(legal(sets, side));
            }
            return;
        }
        for square in next..32 {
            for set in 0..4 {
                let bit = 1 << square;
                let crown_row = match set {
                    0 => Bitboard::crown_row(Color::Black).0,
                    2 => Bitboard::crown_row(Color::White).0,
                    _ => 0,
                };
                if bit & crown_row == 0 {
                    let mut sets = sets;
                    sets[set] |= bit;
                    place(sets, square + 1, pieces - 1, show);
                }
            }
        }
    }
    place([0; 4], 0, pieces, &mut show);
}

/// All moves of a position, each route once.
pub(crate) fn routes(position: &Position) -> Vec<crownhead_rules::Move> {
    let mut moves = Vec::new();
    let _ = position.visit_moves(|m| {
        moves.push(m);
        std::ops::ControlFlow::<()>::Continue(())
    });
    moves
}

/// All moves of a position, each result once.
pub(crate) fn distinct(position: &Position) -> Vec<crownhead_rules::Move> {
    let mut moves = Vec::new();
    let _ = position.visit_distinct_moves(|m| {
        moves.push(m);
        std::ops::ControlFlow::<()>::Continue(())
    });
    moves
}
