//! One material: its components level by level.

use crownhead_index::product::{Group, ProductIndex, levels};
use crownhead_rules::Color;

use super::classify::{Captures, Classifier};
use super::component::Component;
use super::flat::Flat;
use super::groups::Groups;
use super::record::Record;
use super::rows::Scratch;
use super::store::{Solved, Store, Words};
use super::sweep::KingMoves;
use super::views::Views;
use crate::{Control, Phase, SolveError};

/// Builds one material from its parts in the store.
pub(super) fn solve(
    store: &Store,
    views: &Views,
    index: ProductIndex,
    control: &Control<'_>,
    captures: Captures,
    record: Option<&mut Record>,
) -> Result<Solved, SolveError> {
    let classifier = Classifier::new(store, views, index, captures)?;
    let words = index.words() as usize;
    let mut solved = [(); 2].map(|()| Words { wins: vec![!0; words], losses: vec![0; words] });
    if index.component_words() == 1 {
        Flat::new(&classifier).solve(&mut solved, control, record)?;
    } else {
        by_components(&classifier, &mut solved, control, record)?;
    }
    Ok(Solved { index, sides: solved.map(|words| words.into()) })
}

fn by_components(
    classifier: &Classifier,
    solved: &mut [Words; 2],
    control: &Control<'_>,
    mut record: Option<&mut Record>,
) -> Result<(), SolveError> {
    let index = classifier.index;
    let table = |group: Group| Groups::shared().table(group, index.counts()[group as usize]);
    let moves = KingMoves::new(&index);
    let len = index.component_words() as usize;
    let mut component = Component::new(len);
    let mut scratch = Scratch::default();
    for level in levels(table(Group::BlackMen), table(Group::WhiteMen)) {
        for at in level.components {
            control.check()?;
            let first = index.word([at.black, 0, at.white, 0]) as usize;
            component.classify(classifier, at, &mut scratch);
            component.record(record.as_deref_mut(), Phase::Classify, first);
            component.add_men(classifier, solved, at);
            component.record(record.as_deref_mut(), Phase::Men, first);
            moves.sweep(&mut component);
            component.record(record.as_deref_mut(), Phase::Sweep, first);
            for side in Color::BOTH.map(|side| side as usize) {
                solved[side].wins[first..first + len].copy_from_slice(&component.wins[side]);
                solved[side].losses[first..first + len].copy_from_slice(&component.losses[side]);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_index::materials_to;

    /// Both ways of finding captures, in every material to 4 pieces.
    #[test]
    fn rows_and_words_find_the_same_captures() {
        let (store, views) = (Store::default(), Views::default());
        for material in materials_to(4) {
            let index = ProductIndex::new(material).unwrap();
            let solve = |captures| {
                let mut record = Record::new(&index, Phase::Classify);
                let control = Control::default();
                let solved = solve(&store, &views, index, &control, captures, Some(&mut record));
                (solved.unwrap(), record)
            };
            let (solved, by_word) = solve(Captures::ByWord);
            let (_, by_row) = solve(Captures::ByRow);
            assert!(by_word == by_row, "{material}");
            store.insert(material, solved);
        }
    }
}
