//! From words in product-index order to positions in perfect-index order and back.
//!
//! The bits of valid squares below the other pieces of the fast group, squares ascending, word
//! after word, are the perfect index.

use crownhead_index::Material;
use crownhead_index::product::{Group, Place, ProductIndex, unrank_set};
use crownhead_rules::{Bitboard, Color, Value};
use crownhead_solver::{Counts, Entry as TableEntry, EntrySource, SolveError, Summary};

use crate::arena::Entry;

/// The words of a material in order.
pub(crate) struct Walk {
    index: ProductIndex,
    sets: [Vec<u32>; 4],
}

/// The squares of one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Squares {
    /// Those that give a position.
    pub(crate) valid: u32,
    /// Those that give each position once.
    pub(crate) distinct: u32,
}

impl Walk {
    pub(crate) fn new(index: ProductIndex) -> Self {
        let sets = |group: Group| {
            let count = index.counts()[group as usize];
            let len = index.dims()[group as usize];
            (0..len).map(|rank| unrank_set(group, count, rank).0).collect()
        };
        Self { sets: Group::ALL.map(sets), index }
    }

    /// The squares of a word.
    pub(crate) fn squares(&self, word: u64) -> Squares {
        let ranks = self.index.ranks(word);
        let sets: [u32; 4] = core::array::from_fn(|g| self.sets[g][ranks[g] as usize]);
        let mut taken = 0u32;
        for set in sets {
            if taken & set != 0 {
                return Squares { valid: 0, distinct: 0 };
            }
            taken |= set;
        }
        let valid = self.index.fast().squares().0 & !taken;
        let others = sets[self.index.fast() as usize];
        let below = if others == 0 { !0 } else { (1 << others.trailing_zeros()) - 1 };
        Squares { valid, distinct: valid & below }
    }

    /// Calls with word and bit of every position in perfect-index order.
    pub(crate) fn positions<X>(
        &self,
        mut visit: impl FnMut(u64, u32) -> Result<(), X>,
    ) -> Result<(), X> {
        for word in 0..self.index.words() {
            let mut rest = self.squares(word).distinct;
            while rest != 0 {
                visit(word, rest.trailing_zeros())?;
                rest &= rest - 1;
            }
        }
        Ok(())
    }
}

/// The value of one bit of an entry.
pub(crate) fn value(entry: Entry, bit: u32) -> TableEntry {
    match (entry[0] >> bit & 1, entry[1] >> bit & 1) {
        (0, 0) => TableEntry::DRAW,
        (0, _) => TableEntry::loss(0),
        _ => TableEntry::win(0),
    }
}

/// The entries of a material from its values in perfect-index order.
pub(crate) fn entries_from(
    index: ProductIndex,
    source: &dyn EntrySource,
) -> Result<(Vec<Entry>, Summary), SolveError> {
    let walk = Walk::new(index);
    let material = index.material();
    let words = index.words() as usize;
    let mut entries = vec![[!0, 0]; 2 * words];
    let mut summary = Summary { material, sides: [Counts::default(); 2] };
    for &side in Summary::sides_of(material) {
        let slice = &mut entries[side as usize * words..][..words];
        let mut run =
            Run { source, side, first: 0, values: Vec::new(), used: 0, left: positions(material) };
        walk.positions(|word, bit| {
            let value = run.next()?;
            count(&mut summary.sides[side as usize], value);
            set(&mut slice[word as usize], bit, value);
            Ok::<_, SolveError>(())
        })?;
    }
    repeat(&walk, &mut entries);
    Ok((entries, summary))
}

fn positions(material: Material) -> u64 {
    material.placements::<u64>().unwrap_or(0)
}

fn count(counts: &mut Counts, value: Value) {
    match value {
        Value::Win => counts.wins += 1,
        Value::Loss => counts.losses += 1,
        Value::Draw => counts.draws += 1,
    }
}

fn set(entry: &mut Entry, bit: u32, value: Value) {
    let won = u32::from(value == Value::Win);
    let lost = u32::from(value == Value::Loss);
    entry[0] = entry[0] & !(1 << bit) | won << bit;
    entry[1] = entry[1] & !(1 << bit) | lost << bit;
}

/// Fills in the places that repeat a position: with another of several fast pieces as the fast
/// one, and with White to move where colours are symmetric.
fn repeat(walk: &Walk, entries: &mut [Entry]) {
    let index = &walk.index;
    let words = index.words();
    let symmetric = index.material().is_symmetric();
    for side in Color::BOTH {
        let turned = symmetric && side == Color::White;
        for word in 0..words {
            let squares = walk.squares(word);
            let again = if turned { squares.valid } else { squares.valid & !squares.distinct };
            for square in Bitboard(again) {
                let bit = square.index();
                let Some(position) = index.position(Place { word, bit }, side) else { continue };
                let position = if turned { position.mirror() } else { position };
                let Some(place) = index.place(&position) else { continue };
                let from = entries[(position.side_to_move as u64 * words + place.word) as usize];
                let value = value(from, place.bit).value();
                set(&mut entries[(side as u64 * words + word) as usize], bit, value);
            }
        }
    }
}

/// Values of a source, read in runs.
struct Run<'a> {
    source: &'a dyn EntrySource,
    side: Color,
    first: u64,
    values: Vec<TableEntry>,
    used: usize,
    left: u64,
}

impl Run<'_> {
    const LEN: u64 = 1 << 16;

    fn next(&mut self) -> Result<Value, SolveError> {
        if self.used == self.values.len() {
            self.values.resize(self.left.min(Self::LEN) as usize, TableEntry::DRAW);
            self.source.read(self.side, self.first, &mut self.values)?;
            self.first += self.values.len() as u64;
            self.left -= self.values.len() as u64;
            self.used = 0;
        }
        self.used += 1;
        Ok(self.values[self.used - 1].value())
    }
}

#[cfg(test)]
mod tests {
    use crownhead_index::{PerfectIndex, materials_to};

    use super::*;

    #[test]
    fn words_walk_in_perfect_index_order() {
        for material in materials_to(3) {
            let index = ProductIndex::new(material).unwrap();
            let perfect: PerfectIndex = PerfectIndex::new(material).unwrap();
            let mut rank = 0;
            Walk::new(index)
                .positions(|word, bit| {
                    let position = index.position(Place { word, bit }, Color::White).unwrap();
                    assert_eq!(perfect.rank(&position), Some(rank), "{material} {word} {bit}");
                    rank += 1;
                    Ok::<_, ()>(())
                })
                .unwrap();
            assert_eq!(rank, perfect.len());
        }
    }
}
