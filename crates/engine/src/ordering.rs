//! In which order moves are searched.

use crownhead_rules::{Color, Move, MoveList, PieceKind, Position};

use crate::Features;

/// Plies for which killers are kept.
const PLIES: usize = 64;
const MOST_HISTORY: i16 = 4_000;

/// What earlier branches taught about quiet moves. Takes about 1 KiB.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// A step of each ply, as [`step_number`]; only of branches that meet at the position that is
    /// searched two plies before, or else it is of no use.
    killers: [u8; PLIES],
    /// By side, and by step.
    history: [[i16; 128]; 2],
}

/// A step by its square and direction; captures have none.
fn step_number(m: &Move) -> u8 {
    let (from, to) = (m.from(), m.to());
    let right = u8::from(to.column() > from.column());
    let down = u8::from(to > from);
    from.index() as u8 * 4 + 2 * down + right
}

const NONE: u8 = u8::MAX;

impl Memory {
    pub(crate) const EMPTY: Self = Self { killers: [NONE; PLIES], history: [[0; 128]; 2] };

    /// Before a new search: killers go, history fades.
    pub(crate) fn fade(&mut self) {
        self.killers = Self::EMPTY.killers;
        self.history.iter_mut().flatten().for_each(|count| *count >>= 2);
    }

    /// The moves of a position at this ply are about to be searched: what was good enough two plies
    /// further down was so in other branches.
    pub(crate) fn enter(&mut self, ply: usize) {
        if let Some(killer) = self.killers.get_mut(ply + 2) {
            *killer = NONE;
        }
    }

    /// A quiet move was good enough; those before it were not.
    pub(crate) fn reward(&mut self, color: Color, ply: usize, m: &Move, depth: u8) {
        let number = step_number(m);
        if let Some(killer) = self.killers.get_mut(ply) {
            *killer = number;
        }
        self.adjust(color, m, depth, 1);
    }

    /// A quiet move was not good enough where a later one was.
    pub(crate) fn punish(&mut self, color: Color, m: &Move, depth: u8) {
        self.adjust(color, m, depth, -1);
    }

    fn adjust(&mut self, color: Color, m: &Move, depth: u8, sign: i16) {
        let depth = i16::from(depth.min(20));
        let count = &mut self.history[color as usize][usize::from(step_number(m))];
        let amount = sign * depth * depth;
        // Moves towards the limit by less the closer it is.
        *count += amount - ((i32::from(*count) * i32::from(amount.abs())) >> 12) as i16;
        *count = (*count).clamp(-MOST_HISTORY, MOST_HISTORY);
    }
}

/// Moves that still have to be searched, best first.
pub(crate) struct Ordered {
    moves: MoveList,
    /// How promising each is, and its number in the order of generation.
    keys: [(i16, u8); crownhead_rules::MOVE_CAPACITY],
    next: usize,
}

impl Ordered {
    /// Orders the moves: the table's, then captures by what they take, the killer, crownings,
    /// and the others by history.
    pub(crate) fn new(
        position: &Position,
        moves: MoveList,
        table_move: Option<u8>,
        memory: &Memory,
        ply: usize,
        features: &Features,
    ) -> Self {
        let color = position.side_to_move;
        let killer = memory.killers.get(ply).filter(|_| features.killers);
        let mut keys = [(0, 0); crownhead_rules::MOVE_CAPACITY];
        for (i, m) in moves.iter().enumerate() {
            let number = i as u8;
            let key = if table_move == Some(number) {
                i16::MAX
            } else if m.is_capture() {
                let kings = (m.captured() & position.kings(color.other())).len();
                (20 * m.captured().len() + 10 * kings + 5 * u32::from(m.crowns())) as i16
            } else {
                let step = step_number(m);
                if killer == Some(&step) {
                    20_000
                } else {
                    let learnt = memory.history[color as usize][usize::from(step)];
                    let crowning = if m.crowns() { 9_000 } else { 0 };
                    crowning
                        + if features.history { learnt } else { 0 }
                        + i16::from(m.kind() == PieceKind::Man)
                }
            };
            keys[i] = (key, number);
        }
        Self { moves, keys, next: 0 }
    }

    /// The most promising move of those left, with its number in the order of generation.
    pub(crate) fn next(&mut self) -> Option<(u8, Move)> {
        let left = &mut self.keys[self.next..self.moves.len()];
        let (mut most, mut at) = (left.first()?.0, 0);
        for (i, key) in left.iter().enumerate().skip(1) {
            if key.0 > most {
                (most, at) = (key.0, i);
            }
        }
        // The others keep their order.
        left[..=at].rotate_right(1);
        let number = left[0].1;
        self.next += 1;
        Some((number, self.moves[usize::from(number)]))
    }
}
