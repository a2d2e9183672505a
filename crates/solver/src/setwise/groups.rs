//! Group tables, made once when first needed.

use std::sync::OnceLock;

use crownhead_index::product::{Group, GroupTable};
use crownhead_rules::{Bitboard, Square};

use super::geometry::squares;

/// A group's sets with what the captures of its pieces need.
#[derive(Debug)]
pub(super) struct Lanes {
    pub(super) table: GroupTable,
    /// By `k` and rank: the `k`-th piece as a mask of one bit.
    pub(super) bits: Vec<Vec<u32>>,
    /// By square: the ranks of the sets that hold it, each with the rank of the rest.
    pub(super) holding: Vec<Vec<[u32; 2]>>,
}

impl Lanes {
    fn new(group: Group, count: u32) -> Self {
        let table = GroupTable::new(group, count);
        let mut holding = vec![Vec::new(); 32];
        for rank in 0..table.len() {
            for k in 0..count {
                let square = table.squares(k)[rank as usize];
                holding[square as usize].push([rank, table.without(k)[rank as usize]]);
            }
        }
        let bits = (0..count).map(|k| table.squares(k).iter().map(|&s| 1 << s).collect()).collect();
        Self { table, bits, holding }
    }
}

/// The tables of all groups.
#[derive(Debug)]
pub(super) struct Groups {
    lanes: [[OnceLock<Lanes>; 13]; 4],
    with: [[OnceLock<Vec<Vec<u32>>>; 13]; 4],
}

impl Groups {
    /// The one set of tables: they depend on nothing but the board.
    pub(super) fn shared() -> &'static Self {
        static SHARED: Groups = Groups {
            lanes: [const { [const { OnceLock::new() }; 13] }; 4],
            with: [const { [const { OnceLock::new() }; 13] }; 4],
        };
        &SHARED
    }

    pub(super) fn lanes(&self, group: Group, count: u32) -> &Lanes {
        self.lanes[group as usize][count as usize].get_or_init(|| Lanes::new(group, count))
    }

    pub(super) fn table(&self, group: Group, count: u32) -> &GroupTable {
        &self.lanes(group, count).table
    }

    /// By square and rank of a set of `count` pieces: the rank with that square added.
    pub(super) fn with(&self, group: Group, count: u32) -> &[Vec<u32>] {
        self.with[group as usize][count as usize].get_or_init(|| {
            let table = self.table(group, count);
            Square::all().map(|square| table.with(square)).collect()
        })
    }
}

/// The rank of a set given as a mask.
#[inline]
pub(super) fn rank(group: Group, set: u32) -> u32 {
    crownhead_index::product::rank_set(group, Bitboard(set))
}

/// Ranks of `set` with each of its squares taken out, by ascending square.
pub(super) fn ranks_without(group: Group, set: u32) -> impl Iterator<Item = (usize, u32)> {
    squares(set).map(move |square| (square, rank(group, set & !(1 << square))))
}
