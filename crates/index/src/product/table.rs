use std::vec::Vec;

use crownhead_rules::{Bitboard, Direction, PieceKind, Square};

use super::group::{Group, group_len, rank_set, unrank_set};

/// Everything about the sets of one group with a given number of pieces, by rank.
///
/// ```
/// use crownhead_index::product::{Group, GroupTable};
/// let kings = GroupTable::new(Group::BlackKings, 2);
/// assert_eq!(kings.len(), 496);
/// // Kings on squares 1 and 2: the first can go to 6 and has 5 too, the second 6 and 7.
/// assert_eq!(kings.steps(0).len(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct GroupTable {
    group: Group,
    count: u32,
    sets: Vec<u32>,
    step_offsets: Vec<u32>,
    step_ranks: Vec<u32>,
    without: Vec<Vec<u32>>,
    squares: Vec<Vec<u8>>,
    turned: Vec<u32>,
}

impl GroupTable {
    /// No rank: what [`with`](Self::with) answers where the square is taken or not the group's.
    pub const NONE: u32 = u32::MAX;

    /// Tabulates the sets of `count` pieces (0 to 12).
    ///
    /// # Panics
    ///
    /// With more than 12 pieces.
    pub fn new(group: Group, count: u32) -> Self {
        assert!(count <= 12, "a side has at most 12 pieces");
        let len = group_len(group, count);
        let mut table = Self {
            group,
            count,
            sets: (0..len).map(|rank| unrank_set(group, count, rank).0).collect(),
            step_offsets: Vec::with_capacity(len as usize + 1),
            step_ranks: Vec::new(),
            without: (0..count).map(|_| Vec::with_capacity(len as usize)).collect(),
            squares: (0..count).map(|_| Vec::with_capacity(len as usize)).collect(),
            turned: Vec::with_capacity(len as usize),
        };
        table.step_offsets.push(0);
        for rank in 0..len {
            table.add_links(Bitboard(table.sets[rank as usize]));
        }
        table
    }

    fn add_links(&mut self, set: Bitboard) {
        self.turned.push(rank_set(self.group.mirror(), set.turned()));
        for (k, square) in set.into_iter().enumerate() {
            let rest = set - Bitboard::of(square);
            self.without[k].push(rank_set(self.group, rest));
            self.squares[k].push(square.index() as u8);
            for to in steps_from(self.group, square) - set {
                self.step_ranks.push(rank_set(self.group, rest | Bitboard::of(to)));
            }
        }
        self.step_offsets.push(self.step_ranks.len() as u32);
    }

    /// Whose table this is.
    pub const fn group(&self) -> Group {
        self.group
    }

    /// How many pieces the sets have.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// How many sets there are.
    #[expect(
        clippy::len_without_is_empty,
        reason = "there is always a set, at least the empty one"
    )]
    #[inline]
    pub fn len(&self) -> u32 {
        self.sets.len() as u32
    }

    /// The set with this rank.
    #[inline]
    pub fn set(&self, rank: u32) -> Bitboard {
        Bitboard(self.sets[rank as usize])
    }

    /// All sets as bit masks, by rank.
    #[inline]
    pub fn sets(&self) -> &[u32] {
        &self.sets
    }

    /// The ranks that one quiet step of one piece leads to; steps that crown a man are left out.
    ///
    /// For kings these are also the ranks that lead here.
    #[inline]
    pub fn steps(&self, rank: u32) -> &[u32] {
        let range = self.step_offsets[rank as usize]..self.step_offsets[rank as usize + 1];
        &self.step_ranks[range.start as usize..range.end as usize]
    }

    /// Where each rank's steps begin in [`step_ranks`](Self::step_ranks): one more than ranks.
    #[inline]
    pub fn step_offsets(&self) -> &[u32] {
        &self.step_offsets
    }

    /// The steps of all ranks, one after another.
    #[inline]
    pub fn step_ranks(&self) -> &[u32] {
        &self.step_ranks
    }

    /// By rank: the rank, among sets with one piece fewer, without the `k`-th piece by square.
    #[inline]
    pub fn without(&self, k: u32) -> &[u32] {
        &self.without[k as usize]
    }

    /// By rank: the square's index of the `k`-th piece by square.
    #[inline]
    pub fn squares(&self, k: u32) -> &[u8] {
        &self.squares[k as usize]
    }

    /// By rank: the rank in the [mirror](Group::mirror) group's table after turning the board.
    pub fn turned(&self) -> &[u32] {
        &self.turned
    }

    /// By rank: the rank, among sets with one piece more, with this square added, or
    /// [`NONE`](Self::NONE).
    pub fn with(&self, square: Square) -> Vec<u32> {
        let add = Bitboard::of(square);
        let rank = |&set: &u32| match (self.group.squares() - Bitboard(set)) & add {
            Bitboard::EMPTY => Self::NONE,
            _ => rank_set(self.group, Bitboard(set) | add),
        };
        self.sets.iter().map(rank).collect()
    }
}

/// Where a piece of the group can step to on an empty board without being crowned.
fn steps_from(group: Group, square: Square) -> Bitboard {
    let directions: &[Direction] = match group.kind() {
        PieceKind::King => &Direction::ALL,
        PieceKind::Man => &Direction::forward(group.color()),
    };
    let from = Bitboard::of(square);
    directions.iter().fold(Bitboard::EMPTY, |to, d| to | d.step(from)) & group.squares()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_agrees_with_the_sets() {
        for group in Group::ALL {
            for count in 0..=3 {
                let table = GroupTable::new(group, count);
                let fewer = count.checked_sub(1).map(|count| GroupTable::new(group, count));
                let mirror = GroupTable::new(group.mirror(), count);
                for rank in 0..table.len() {
                    let set = table.set(rank);
                    assert_eq!(rank_set(group, set), rank);
                    assert_eq!(mirror.set(table.turned()[rank as usize]), set.turned());
                    for k in 0..count {
                        let square = table.squares(k)[rank as usize];
                        let without = fewer.as_ref().unwrap().set(table.without(k)[rank as usize]);
                        assert_eq!(without | Bitboard(1 << square), set);
                        assert_eq!(without & Bitboard(1 << square), Bitboard::EMPTY);
                    }
                    for &to in table.steps(rank) {
                        let changed = table.set(to) ^ set;
                        assert_eq!(changed.len(), 2, "one piece moved");
                        let from = (changed & set).first().unwrap();
                        let to = (changed - set).first().unwrap();
                        assert!(steps_from(group, from).has(to));
                    }
                }
            }
        }
    }

    #[test]
    fn kings_step_back_and_men_do_not() {
        let kings = GroupTable::new(Group::WhiteKings, 2);
        let men = GroupTable::new(Group::WhiteMen, 2);
        for rank in 0..kings.len() {
            assert!(kings.steps(rank).iter().all(|&to| kings.steps(to).contains(&rank)));
        }
        for rank in 0..men.len() {
            assert!(men.steps(rank).iter().all(|&to| to < rank), "white men lower the rank");
        }
    }

    #[test]
    fn adding_undoes_removing() {
        let two = GroupTable::new(Group::BlackMen, 2);
        let three = GroupTable::new(Group::BlackMen, 3);
        for square in Square::all() {
            for (rank, &more) in two.with(square).iter().enumerate() {
                let set = two.set(rank as u32);
                let fits = Group::BlackMen.squares().has(square) && !set.has(square);
                assert_eq!(more != GroupTable::NONE, fits);
                if fits {
                    assert_eq!(three.set(more), set | Bitboard::of(square));
                }
            }
        }
    }
}
