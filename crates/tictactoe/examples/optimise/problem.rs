//! What a chain must do: bit-parallel, one bit for each position where a move is due.

use crownhead_tictactoe::{Board, INPUTS, best_moves};

use crate::random::Random;

/// Words of 64 positions: 4,520 fill 71 of them, and 72 make whole vectors.
pub(crate) const WORDS: usize = 72;

/// One bit for each position.
pub(crate) type Bits = [u64; WORDS];

/// The positions and the moves that are right in each.
pub(crate) struct Problem {
    /// x1 to x9, then o1 to o9.
    pub(crate) inputs: [Bits; INPUTS],
    /// For each cell the positions where it is one of the best moves.
    right: [Bits; 9],
    /// The bits that stand for a position.
    valid: Bits,
}

impl Problem {
    /// All positions where a move is due, in random order, so that a wrong gate is seen in the first words.
    pub(crate) fn new() -> Self {
        let mut boards: Vec<Board> = Board::all_due().collect();
        Random::new(0).shuffle(&mut boards);
        let mut problem =
            Self { inputs: [[0; WORDS]; INPUTS], right: [[0; WORDS]; 9], valid: [0; WORDS] };
        for (place, board) in boards.into_iter().enumerate() {
            let (word, bit) = (place / 64, place % 64);
            problem.valid[word] |= 1 << bit;
            let best = best_moves(board);
            for cell in 0..9 {
                problem.inputs[cell][word] |= u64::from(board.mine() >> cell & 1) << bit;
                problem.inputs[9 + cell][word] |= u64::from(board.theirs() >> cell & 1) << bit;
                problem.right[cell][word] |= u64::from(best >> cell & 1) << bit;
            }
        }
        problem
    }

    /// The positions where these outputs are not exactly one set bit for a best move.
    pub(crate) fn wrong(&self, outputs: [&Bits; 9]) -> Bits {
        let (mut wrong, mut seen) = ([0; WORDS], [0; WORDS]);
        for (output, right) in outputs.into_iter().zip(&self.right) {
            for word in 0..WORDS {
                wrong[word] |= output[word] & (seen[word] | !right[word]);
                seen[word] |= output[word];
            }
        }
        for word in 0..WORDS {
            wrong[word] = (wrong[word] | !seen[word]) & self.valid[word];
        }
        wrong
    }
}
