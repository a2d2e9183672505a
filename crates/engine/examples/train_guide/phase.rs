//! All phases of a material: what lies between two conversions, where kings alone move.

use std::ops::ControlFlow;

use crownhead_engine::guide::{self, Network};
use crownhead_index::{Material, PerfectIndex};
use crownhead_rules::{Color, Move, Position, Value};
use rayon::prelude::*;

use crate::distances::Distances;

/// How many positions are looked at in a row.
const ROW: u32 = 1 << 14;

/// The positions of a material that Black wins, with distances to the conversion in plies.
pub(crate) struct Phase {
    pub(crate) index: PerfectIndex<u32>,
    /// With White to move, by rank.
    pub(crate) lost: Vec<Option<u8>>,
    /// With Black to move.
    pub(crate) won: Vec<Option<u8>>,
    /// The rank of the position that the guide sees instead of one with White to move.
    pub(crate) seen: Vec<u32>,
}

impl Phase {
    pub(crate) fn new(distances: &Distances, material: Material) -> Self {
        let index = PerfectIndex::new(material).expect("an index");
        let plies = |value: Value| {
            move |position: &Position| {
                let entry = distances.of(position);
                (entry.value() == value).then(|| u8::try_from(entry.plies()).expect("few plies"))
            }
        };
        let rank = |position: &Position| index.rank(&guide::seen(position)).expect("a position");
        Self {
            index,
            lost: each(&index, Color::White, plies(Value::Loss)),
            won: each(&index, Color::Black, plies(Value::Win)),
            seen: each(&index, Color::White, rank),
        }
    }

    /// A position with this side to move.
    pub(crate) fn position(&self, rank: u32, side: Color) -> Position {
        self.index.unrank(rank, side).expect("below the length")
    }

    /// The rank of a position of this material.
    pub(crate) fn rank(&self, position: &Position) -> usize {
        self.index.rank(position).expect("of this material") as usize
    }

    /// What the guide sees in place of all positions with White to move, each once.
    pub(crate) fn all_seen(&self) -> impl Iterator<Item = u32> {
        let is_seen =
            |rank: &u32| self.seen[*rank as usize] == *rank && self.lost[*rank as usize].is_some();
        (0..self.index.len()).filter(is_seen)
    }

    /// The positions with Black to move that are at least so far from the conversion.
    pub(crate) fn won_in(&self, least: u8) -> Vec<u32> {
        let won_in = |rank: &u32| self.won[*rank as usize].is_some_and(|plies| plies >= least);
        (0..self.index.len()).filter(won_in).collect()
    }

    /// The guesses for positions with White to move, by rank: the network's, and what is known by
    /// heart.
    pub(crate) fn guesses(&self, network: &Network<'_>) -> Vec<i32> {
        let seen: Vec<u32> = self.all_seen().collect();
        let guess = |rank: &u32| {
            let position = self.position(*rank, Color::White);
            guide::by_heart(guide::key(&position)).unwrap_or_else(|| network.guess(&position))
        };
        let guesses: Vec<i32> = seen.par_iter().map(guess).collect();
        let mut all = vec![0; self.seen.len()];
        seen.iter().zip(guesses).for_each(|(rank, guess)| all[*rank as usize] = guess);
        self.seen.iter().map(|rank| all[*rank as usize]).collect()
    }
}

/// Something of each position with this side to move, by rank.
fn each<T: Send>(
    index: &PerfectIndex<u32>,
    side: Color,
    find: impl Fn(&Position) -> T + Sync,
) -> Vec<T> {
    let rows = (0..index.len().div_ceil(ROW)).into_par_iter();
    let row = |row: u32| {
        let len = ROW.min(index.len() - row * ROW);
        let positions = index.positions_from(row * ROW, side).take(len as usize);
        positions.map(|position| find(&position)).collect::<Vec<_>>()
    };
    rows.flat_map_iter(row).collect()
}

/// Shows all moves.
pub(crate) fn each_move(position: &Position, mut visit: impl FnMut(&Move)) {
    let _: ControlFlow<()> = position.visit_moves(|m| {
        visit(&m);
        ControlFlow::Continue(())
    });
}
