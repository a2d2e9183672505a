//! Tic-tac-toe by its rules.

use crownhead_graph::{Game, Player, Value};

/// The marks of the two players as sets of the cells 0 to 8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    /// Of the player who moves first.
    pub(crate) first: u16,
    pub(crate) second: u16,
}

const LINES: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];

pub(crate) struct TicTacToe;

impl Game for TicTacToe {
    type State = Board;

    /// A line is always the one that the opponent has just completed.
    fn terminal(&self, board: &Board) -> Option<Value> {
        let other = match self.turn(board) {
            Player::Attacker => board.second,
            Player::Defender => board.first,
        };
        if LINES.iter().any(|line| other & line == *line) {
            Some(Value::Loss)
        } else {
            (board.first | board.second == 0o777).then_some(Value::Draw)
        }
    }

    fn successors(&self, board: &Board, visit: &mut dyn FnMut(Board)) {
        for cell in (0..9).map(|i| 1 << i).filter(|cell| (board.first | board.second) & cell == 0) {
            let mut next = *board;
            match self.turn(board) {
                Player::Attacker => next.first |= cell,
                Player::Defender => next.second |= cell,
            }
            visit(next);
        }
    }

    fn turn(&self, board: &Board) -> Player {
        let moved = board.first.count_ones() + board.second.count_ones();
        if moved.is_multiple_of(2) { Player::Attacker } else { Player::Defender }
    }
}
