use std::vec::Vec;

use super::group::advancement;
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
            let advancement = advancement(black_men.group(), black_set)
                + advancement(white_men.group(), white_set);
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
}
