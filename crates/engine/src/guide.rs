//! How far a won position is from its next conversion, as small networks guess it.
//!
//! The guess sees the board as its winner does after a move of its own: Black is to win, White to
//! move. Where there are kings alone the board has two more symmetries, and of the four boards that
//! are the same one stands for all. The weights were trained by earlier forms of
//! `examples/train_guide`, which says how. It does not give the committed bytes again; what they are
//! worth is measured by tests instead (`tests/tests/endgame_player.rs`).

use crownhead_rules::{Bitboard, Color, Position, Square};

/// The numbers of the first hidden layer.
pub const FIRST: usize = 64;
/// The numbers of the second hidden layer.
pub const SECOND: usize = 16;
/// Inputs: sets of pieces (men and kings of the winner, then of the loser), 32 squares each, and two
/// for the parity of the number of pieces on even rows.
pub const INPUTS: usize = 4 * 32 + 2;
/// The same where there are kings alone.
pub const KINGS_INPUTS: usize = 2 * 32 + 2;
/// A guess in plies is multiplied by this.
pub const PLY: i32 = 205;
/// Weights of the first layer, and the numbers of both layers, are multiplied by 32, weights after
/// the first layer by 64, so that sums there are shifted back.
const SHIFT: u32 = 6;
/// No position is nearer than this.
const LEAST: i32 = 2 * PLY;

static KINGS: &[u8] = include_bytes!("../guide/kings.bin");
/// For two kings and a man against two kings, which take longest.
static KKM_KK: &[u8] = include_bytes!("../guide/kkm-kk.bin");
static MEN: &[u8] = include_bytes!("../guide/men.bin");

/// A network of whole numbers: weights of one byte, row by row, then biases of two bytes.
///
/// First layer: a row of weights for each input; only those of the inputs that are there are added.
/// Second layer: a row for each of its numbers. Then one weight for each of these.
#[derive(Clone, Copy, Debug)]
pub struct Network<'a> {
    bytes: &'a [u8],
    inputs: usize,
}

impl<'a> Network<'a> {
    /// A network over so many inputs; `None` where the bytes are of another number.
    pub fn new(bytes: &'a [u8], inputs: usize) -> Option<Self> {
        let weights = inputs * FIRST + FIRST * SECOND + SECOND;
        let biases = FIRST + SECOND + 1;
        (bytes.len() == weights + 2 * biases).then_some(Self { bytes, inputs })
    }

    fn weight(&self, at: usize) -> i32 {
        i32::from(self.bytes[at] as i8)
    }

    fn bias(&self, number: usize) -> i32 {
        let at = self.inputs * FIRST + FIRST * SECOND + SECOND + 2 * number;
        i32::from(i16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]))
    }

    /// The guess for a position seen as [`seen`] gives it.
    pub fn guess(&self, position: &Position) -> i32 {
        let mut first = [0_i32; FIRST];
        for (k, sum) in first.iter_mut().enumerate() {
            *sum = self.bias(k);
        }
        for_each_input(position, self.inputs < INPUTS, |input| {
            for (k, sum) in first.iter_mut().enumerate() {
                *sum += self.weight(input * FIRST + k);
            }
        });
        let (second, third) = (self.inputs * FIRST, self.inputs * FIRST + FIRST * SECOND);
        let mut guess = self.bias(FIRST + SECOND);
        for j in 0..SECOND {
            let mut sum = self.bias(FIRST + j);
            for (k, number) in first.iter().enumerate() {
                sum += self.weight(second + j * FIRST + k) * (*number).max(0);
            }
            guess += self.weight(third + j) * (sum >> SHIFT).max(0);
        }
        guess.max(LEAST)
    }
}

/// The inputs that are there: one a piece, and the parity's.
pub fn for_each_input(position: &Position, kings_alone: bool, mut visit: impl FnMut(usize)) {
    let sets = if kings_alone {
        [position.black_kings, position.white_kings, Bitboard(0), Bitboard(0)]
    } else {
        [position.black_men, position.black_kings, position.white_men, position.white_kings]
    };
    for (start, set) in (0..).step_by(32).zip(sets) {
        set.into_iter().for_each(|square| visit(start + square.index() as usize));
    }
    let even_rows = (position.occupied().0 & 0x0f0f_0f0f).count_ones() as usize;
    visit(if kings_alone { 2 * 32 } else { 4 * 32 } + even_rows % 2);
}

/// Whether the network for kings alone is the one for this position.
pub const fn has_kings_alone(position: &Position) -> bool {
    position.black_men.is_empty() && position.white_men.is_empty()
}

/// The position as the networks see it, of which the side that is not to move is the winner.
pub fn seen(position: &Position) -> Position {
    let position = match position.side_to_move {
        Color::White => *position,
        Color::Black => position.mirror(),
    };
    if !has_kings_alone(&position) {
        return position;
    }
    let straight = [position.white_kings, position.black_kings];
    let flipped = straight.map(flipped);
    let turned = |kings: [Bitboard; 2]| kings.map(Bitboard::turned);
    let all = [straight, turned(straight), flipped, turned(flipped)];
    let [white_kings, black_kings] =
        all.into_iter().min_by_key(|kings| kings.map(|set| set.0)).unwrap_or(straight);
    Position { black_kings, white_kings, ..position }
}

/// The squares on the other side of the long diagonal: rows become columns.
fn flipped(set: Bitboard) -> Bitboard {
    set.into_iter().filter_map(|square| Square::at(square.column(), square.row())).collect()
}

/// How far the side that is not to move, which wins, is from its next conversion: plies times
/// [`PLY`].
pub fn distance(position: &Position) -> i32 {
    let seen = seen(position);
    let count = |set: Bitboard| set.len();
    let men = (count(seen.black_men), count(seen.white_men));
    let kings = (count(seen.black_kings), count(seen.white_kings));
    let network = match (men, kings) {
        ((0, 0), _) => Network::new(KINGS, KINGS_INPUTS),
        ((1, 0), (2, 2)) => Network::new(KKM_KK, INPUTS),
        _ => Network::new(MEN, INPUTS),
    };
    network.map_or(LEAST, |network| network.guess(&seen))
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn the_weights_are_whole() {
        assert!(Network::new(KINGS, KINGS_INPUTS).is_some());
        assert!([MEN, KKM_KK].into_iter().all(|bytes| Network::new(bytes, INPUTS).is_some()));
        assert!(Network::new(&KINGS[1..], KINGS_INPUTS).is_none());
    }

    #[test]
    fn a_position_is_seen_alike_from_all_its_sides() {
        let position: Position = "W:WK3,K11:BK5,K14,K30".parse().unwrap();
        let other = seen(&position.mirror());
        assert_eq!(seen(&position), other);
        let turn = |set: Bitboard| flipped(set).turned();
        let flipped = Position {
            black_kings: turn(position.black_kings),
            white_kings: turn(position.white_kings),
            ..position
        };
        assert_ne!(flipped, position);
        assert_eq!(seen(&flipped), other);
        let with_men: Position = "W:W30,K3:BK5,K14".parse().unwrap();
        assert_eq!(seen(&with_men), with_men);
        assert_eq!(seen(&with_men.mirror()), with_men);
    }

    #[test]
    fn flipping_keeps_neighbours_and_is_its_own_inverse() {
        for square in Square::all() {
            let there = flipped(Bitboard::of(square));
            assert_eq!(there.len(), 1);
            assert_eq!(flipped(there), Bitboard::of(square));
        }
    }

    #[test]
    fn the_sums_are_those_that_are_meant() {
        let mut bytes = std::vec![0; KINGS_INPUTS * FIRST + FIRST * SECOND + SECOND];
        // The winner's king on square 6 (index 5) and the odd parity add to number 3.
        bytes[5 * FIRST + 3] = 32;
        bytes[65 * FIRST + 3] = (-2_i8) as u8;
        let second = KINGS_INPUTS * FIRST;
        bytes[second + 7 * FIRST + 3] = 64;
        bytes[second + FIRST * SECOND + 7] = 50;
        let mut biases: Vec<i16> = std::vec![0; FIRST + SECOND + 1];
        (biases[3], biases[FIRST + 7], biases[FIRST + SECOND]) = (10, -64, 1000);
        bytes.extend(biases.into_iter().flat_map(i16::to_le_bytes));
        let network = Network::new(&bytes, KINGS_INPUTS).unwrap();
        let guess = |fen: &str| network.guess(&fen.parse().unwrap());
        // (10 + 32) of which 64/64, less 1; times 50; one of two pieces is on an even row: 2 less.
        assert_eq!(guess("W:WK2:BK6"), 1000 + 50 * (10 + 32 - 2 - 1));
        // Both rows are even.
        assert_eq!(guess("W:WK12:BK2"), 1000 + 50 * (10 - 1));
    }
}
