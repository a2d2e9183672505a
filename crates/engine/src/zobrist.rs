//! 64-bit keys of positions, updated move by move (Zobrist, 1970).

use crownhead_rules::{Bitboard, Color, Move, PieceKind, Position};

/// One number for each kind of piece of each side on each square.
static PIECES: [[u64; 32]; 4] = pieces();
const WHITE_TO_MOVE: u64 = mixed(128);

/// Steele, Lea and Flood's SplitMix64, at this place of its sequence.
const fn mixed(place: u64) -> u64 {
    let z = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(place + 1);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn pieces() -> [[u64; 32]; 4] {
    let mut numbers = [[0; 32]; 4];
    let mut i = 0;
    while i < 128 {
        numbers[i / 32][i % 32] = mixed(i as u64);
        i += 1;
    }
    numbers
}

fn sum(color: Color, kind: PieceKind, squares: Bitboard) -> u64 {
    let numbers = &PIECES[2 * color as usize + kind as usize];
    squares.into_iter().fold(0, |sum, square| sum ^ numbers[square.index() as usize])
}

/// The key of a position, from its pieces and the side to move.
pub(crate) fn key(position: &Position) -> u64 {
    let side = match position.side_to_move {
        Color::Black => 0,
        Color::White => WHITE_TO_MOVE,
    };
    Color::BOTH.into_iter().fold(side, |key, color| {
        key ^ sum(color, PieceKind::Man, position.men(color))
            ^ sum(color, PieceKind::King, position.kings(color))
    })
}

/// The key after a legal move, from the key before.
pub(crate) fn key_after(key: u64, position: &Position, m: &Move) -> u64 {
    let mover = position.side_to_move;
    let kind_after = if m.crowns() { PieceKind::King } else { m.kind() };
    let (from, to) = (m.from().index() as usize, m.to().index() as usize);
    let mut key = key
        ^ WHITE_TO_MOVE
        ^ PIECES[2 * mover as usize + m.kind() as usize][from]
        ^ PIECES[2 * mover as usize + kind_after as usize][to];
    if m.is_capture() {
        let enemy = mover.other();
        key ^= sum(enemy, PieceKind::Man, m.captured() & position.men(enemy))
            ^ sum(enemy, PieceKind::King, m.captured() & position.kings(enemy));
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(position: &Position, plies: u32) -> u32 {
        let mut count = 1;
        if plies > 0 {
            for m in &position.moves().unwrap() {
                let next = position.after(m);
                assert_eq!(key_after(key(position), position, m), key(&next), "{position} {m}");
                count += check(&next, plies - 1);
            }
        }
        count
    }

    #[test]
    fn keys_after_moves_are_keys_of_the_positions() {
        let circles: Position = "W:WK2:B6,7,14,15".parse().unwrap();
        let crownings: Position = "W:W5,7,K18:B2,K3,22,28".parse().unwrap();
        assert!(check(&Position::START, 6) > 10_000);
        assert_eq!(check(&circles, 5), 3);
        assert!(check(&crownings, 5) > 100);
    }

    #[test]
    fn every_number_is_used_once() {
        let mut all: std::vec::Vec<u64> = PIECES.iter().flatten().copied().collect();
        all.push(WHITE_TO_MOVE);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 129);
    }
}
