use std::collections::BTreeMap;
use std::vec::Vec;

use crownhead_rules::Square;

use super::group::{Group, advancement as advanced};
use super::table::GroupTable;

/// A placement of the numbered men: the ranks of black's and white's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Component {
    /// Rank of the set of black men.
    pub black: u32,
    /// Rank of the set of white men.
    pub white: u32,
}

/// The components whose men have advanced equally far.
///
/// A man's move leads to the level before, which is one row further advanced; so the components of
/// one level are independent of each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Level {
    /// Rows advanced, summed over the numbered men of both sides.
    pub advancement: u32,
    /// In ascending order; placements with two men on one square are left out.
    pub components: Vec<Component>,
}

/// All components by level, the most advanced first: the order in which they are solved.
///
/// Components in which two men share a square hold no position and are not listed.
pub fn levels(black_men: &GroupTable, white_men: &GroupTable) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    for black in 0..black_men.len() {
        for white in 0..white_men.len() {
            let (black_set, white_set) = (black_men.set(black), white_men.set(white));
            if !(black_set & white_set).is_empty() {
                continue;
            }
            let advancement =
                advanced(black_men.group(), black_set) + advanced(white_men.group(), white_set);
            while levels.len() <= advancement as usize {
                levels.push(Level { advancement: levels.len() as u32, components: Vec::new() });
            }
            levels[advancement as usize].components.push(Component { black, white });
        }
    }
    levels.retain(|level| !level.components.is_empty());
    levels.reverse();
    levels
}

/// The components of one level, without listing all others; none if no placement has advanced so
/// far.
pub fn level(black_men: &GroupTable, white_men: &GroupTable, advancement: u32) -> Level {
    let rows = |table: &GroupTable, rank| advanced(table.group(), table.set(rank));
    let mut white_by_rows: Vec<Vec<u32>> = Vec::new();
    white_by_rows.resize_with(advancement as usize + 1, Vec::new);
    for white in 0..white_men.len() {
        if let Some(ranks) = white_by_rows.get_mut(rows(white_men, white) as usize) {
            ranks.push(white);
        }
    }
    let mut components = Vec::new();
    for black in 0..black_men.len() {
        let Some(rest) = advancement.checked_sub(rows(black_men, black)) else { continue };
        let whites = white_by_rows[rest as usize].iter();
        let disjoint = |&white: &u32| (black_men.set(black) & white_men.set(white)).is_empty();
        components.extend(whites.copied().filter(disjoint).map(|white| Component { black, white }));
    }
    Level { advancement, components }
}

/// How far the components of each level have advanced and how many they are, the most advanced
/// first, for so many men of each side: what [`levels`] lists, counted.
///
/// ```
/// use crownhead_index::product::level_lens;
/// // A lone man can stand on 28 squares, four in a row.
/// assert_eq!(level_lens(1, 0), [(6, 4), (5, 4), (4, 4), (3, 4), (2, 4), (1, 4), (0, 4)]);
/// ```
pub fn level_lens(black_men: u32, white_men: u32) -> Vec<(u32, u64)> {
    // By men of each side and advancement: placements on the squares seen so far.
    let mut counts = BTreeMap::from([((0, 0, 0), 1)]);
    for square in Square::all() {
        let mut next = counts.clone();
        for group in [Group::BlackMen, Group::WhiteMen] {
            if !group.squares().has(square) {
                continue;
            }
            let rows = advanced(group, square.into());
            for (&(black, white, advancement), &placements) in &counts {
                let (black, white) = match group {
                    Group::BlackMen => (black + 1, white),
                    _ => (black, white + 1),
                };
                if black <= black_men && white <= white_men {
                    *next.entry((black, white, advancement + rows)).or_default() += placements;
                }
            }
        }
        counts = next;
    }
    let full = counts.into_iter().filter(|&((b, w, _), _)| (b, w) == (black_men, white_men));
    let mut lens: Vec<(u32, u64)> = full.map(|((_, _, rows), len)| (rows, len)).collect();
    lens.reverse();
    lens
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::Group;
    use super::*;

    #[test]
    fn men_move_to_the_level_before() {
        let black = GroupTable::new(Group::BlackMen, 2);
        let white = GroupTable::new(Group::WhiteMen, 1);
        let levels = levels(&black, &white);
        let mut level_of = BTreeMap::new();
        for level in &levels {
            for &component in &level.components {
                level_of.insert(component, level.advancement);
            }
        }
        let disjoint = |c: &Component| (black.set(c.black) & white.set(c.white)).is_empty();
        for (&component, &level) in &level_of {
            let black_moves =
                black.steps(component.black).iter().map(|&black| Component { black, ..component });
            let white_moves =
                white.steps(component.white).iter().map(|&white| Component { white, ..component });
            for to in black_moves.chain(white_moves).filter(disjoint) {
                assert_eq!(level_of[&to], level + 1);
            }
        }
        assert!(levels.is_sorted_by(|a, b| a.advancement > b.advancement));
        assert_eq!(level_of.len(), 378 * 28 - 24 * 27, "24 shared squares, 27 for the other man");
    }

    #[test]
    fn a_level_alone_and_its_length_are_those_of_all_levels() {
        for (black, white) in [(0, 0), (1, 0), (0, 2), (1, 1), (2, 1), (2, 2)] {
            let black = GroupTable::new(Group::BlackMen, black);
            let white = GroupTable::new(Group::WhiteMen, white);
            let all = levels(&black, &white);
            let lens: Vec<(u32, u64)> =
                all.iter().map(|l| (l.advancement, l.components.len() as u64)).collect();
            assert_eq!(level_lens(black.count(), white.count()), lens);
            for expected in all {
                assert_eq!(level(&black, &white, expected.advancement), expected);
            }
            assert!(level(&black, &white, 100).components.is_empty());
        }
    }
}
