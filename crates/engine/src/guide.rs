//! How far a won position is from its next conversion, as small networks guess it.
//!
//! The guess sees the board as its winner does after a move of its own: Black is to win, White to
//! move. Where there are kings alone the board has two more symmetries, and of the four boards that
//! are the same one stands for all. The weights were trained by earlier forms of
//! `examples/train_guide`, which says how. It does not give the committed bytes again; what they are
//! worth is measured instead (`tests/tests/endgame_player.rs`; `train_guide judge`).

use crownhead_rules::{Bitboard, Color, Position, Square};

/// The most numbers of a first hidden layer.
pub const FIRST: usize = 96;
/// The numbers of the second hidden layer.
pub const SECOND: usize = 16;
/// Inputs of the network for kings alone: the winner's kings, the loser's, 32 squares each, and two
/// for the parity of the number of pieces on even rows.
pub const KINGS_INPUTS: usize = 2 * 32 + 2;
/// The same with men of the winner: 28 squares more.
pub const WINNERS_MEN_INPUTS: usize = KINGS_INPUTS + 28;
/// The same with men of the loser, too.
pub const INPUTS: usize = WINNERS_MEN_INPUTS + 28;
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

/// Distances where games by the networks would go in circles: four bytes each, of which the last
/// seven bits are plies and the others those of the [`key`].
static HEART: &[u8] = include_bytes!("../guide/heart.bin");

/// A number that differs for positions that differ, as a rule; as [`seen`] gives them.
pub fn key(seen: &Position) -> u32 {
    let sets = [seen.black_men, seen.black_kings, seen.white_men, seen.white_kings];
    sets.into_iter().fold(0x811c_9dc5, |sum, set| {
        let mixed = (sum ^ set.0).wrapping_mul(0x9e37_79b1);
        mixed ^ mixed >> 15
    })
}

/// The distance of a position with this [`key`], times [`PLY`], if it is one of the few known by
/// heart, which `train_guide by-heart` found.
pub fn by_heart(key: u32) -> Option<i32> {
    let all = HEART.as_chunks().0.iter().map(|lesson| u32::from_le_bytes(*lesson));
    all.map(|lesson| lesson ^ key)
        .find(|rest| *rest >> 7 == 0)
        .map(|rest| ((rest ^ key) & 0x7f) as i32 * PLY)
}

/// A network of whole numbers: weights of one byte, row by row, then biases of two bytes.
///
/// First layer: a row of weights for each input; only those of the inputs that are there are added.
/// Second layer: a row for each of its numbers. Then one weight for each of these.
#[derive(Clone, Copy, Debug)]
pub struct Network<'a> {
    bytes: &'a [u8],
    inputs: usize,
    /// The numbers of the first hidden layer.
    first: usize,
}

impl<'a> Network<'a> {
    /// A network over so many inputs; `None` where the bytes are not as many as those of any
    /// network over so many, with at most [`FIRST`] numbers in the first layer.
    pub fn new(bytes: &'a [u8], inputs: usize) -> Option<Self> {
        // A number of the first layer: its weights, those that it is given after it, its bias.
        let first = bytes.len().checked_sub(3 * SECOND + 2)? / (inputs + SECOND + 2);
        let network = Self { bytes, inputs, first };
        let whole = bytes.len() == network.biases() + 2 * (first + SECOND + 1);
        (whole && first <= FIRST).then_some(network)
    }

    /// Where the biases begin.
    const fn biases(&self) -> usize {
        (self.inputs + SECOND) * self.first + SECOND
    }

    fn weight(&self, at: usize) -> i32 {
        i32::from(self.bytes[at] as i8)
    }

    fn bias(&self, number: usize) -> i32 {
        let at = self.biases() + 2 * number;
        i32::from(i16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]))
    }

    /// As many weights as there are numbers of the first layer.
    fn row(&self, at: usize) -> impl Iterator<Item = i32> {
        self.bytes[at..at + self.first].iter().map(|byte| i32::from(*byte as i8))
    }

    /// The guess for a position seen as [`seen`] gives it.
    pub fn guess(&self, position: &Position) -> i32 {
        let mut numbers = [0_i32; FIRST];
        let first = &mut numbers[..self.first];
        for (k, sum) in first.iter_mut().enumerate() {
            *sum = self.bias(k);
        }
        for_each_input(position, self.inputs, |input| {
            for (sum, weight) in first.iter_mut().zip(self.row(input * self.first)) {
                *sum += weight;
            }
        });
        let (second, third) = (self.inputs * self.first, (self.inputs + SECOND) * self.first);
        let mut guess = self.bias(self.first + SECOND);
        for j in 0..SECOND {
            let mut sum = self.bias(self.first + j);
            for (number, weight) in first.iter().zip(self.row(second + j * self.first)) {
                sum += weight * (*number).max(0);
            }
            guess += self.weight(third + j) * (sum >> SHIFT).max(0);
        }
        guess.max(LEAST)
    }
}

/// The inputs that are there, of a network over so many: one a piece, and the parity's.
///
/// Pieces that the network is not for are not among them.
pub fn for_each_input(position: &Position, inputs: usize, mut visit: impl FnMut(usize)) {
    // No black man is on the last row, no white man on the first.
    let white_men = Bitboard(position.white_men.0 >> 4);
    let sets = [
        (0, position.black_kings),
        (32, position.white_kings),
        (KINGS_INPUTS - 2, position.black_men),
        (WINNERS_MEN_INPUTS - 2, white_men),
    ];
    for (start, set) in sets.into_iter().take_while(|(start, _)| start + 2 < inputs) {
        set.into_iter().for_each(|square| visit(start + square.index() as usize));
    }
    let even_rows = (position.occupied().0 & 0x0f0f_0f0f).count_ones() as usize;
    visit(inputs - 2 + even_rows % 2);
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
        ((1, 0), (2, 2)) => Network::new(KKM_KK, WINNERS_MEN_INPUTS),
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
        assert!(Network::new(KKM_KK, WINNERS_MEN_INPUTS).is_some());
        assert!(Network::new(MEN, INPUTS).is_some());
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
        let first = 8;
        let mut bytes = std::vec![0; (KINGS_INPUTS + SECOND) * first + SECOND];
        // The winner's king on square 6 (index 5) and the odd parity add to number 3.
        bytes[5 * first + 3] = 32;
        bytes[65 * first + 3] = (-2_i8) as u8;
        let second = KINGS_INPUTS * first;
        bytes[second + 7 * first + 3] = 64;
        bytes[second + SECOND * first + 7] = 50;
        let mut biases: Vec<i16> = std::vec![0; first + SECOND + 1];
        (biases[3], biases[first + 7], biases[first + SECOND]) = (10, -64, 1000);
        bytes.extend(biases.into_iter().flat_map(i16::to_le_bytes));
        let network = Network::new(&bytes, KINGS_INPUTS).unwrap();
        let guess = |fen: &str| network.guess(&fen.parse().unwrap());
        // (10 + 32) of which 64/64, less 1; times 50; one of two pieces is on an even row: 2 less.
        assert_eq!(guess("W:WK2:BK6"), 1000 + 50 * (10 + 32 - 2 - 1));
        // Both rows are even.
        assert_eq!(guess("W:WK12:BK2"), 1000 + 50 * (10 - 1));
    }
}
