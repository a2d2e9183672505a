use crownhead_rules::{Bitboard, Color, Position, Square};

use super::group::{Group, group_len, rank_set, unrank_set};
use crate::Material;

/// The group that gives the fast piece: white kings, else black kings, else white men.
///
/// In a canonical material White is the weaker side, so this is the smallest group of kings but
/// for a few materials (KMMvKK is the smallest), where one kind of promotion less changes the fast
/// group: over all materials to 6 pieces that takes 2% more words, and spares almost all
/// promotions a rearrangement of what they look up.
pub const fn fast_group(material: Material) -> Group {
    if material.white.kings > 0 {
        Group::WhiteKings
    } else if material.black.kings > 0 {
        Group::BlackKings
    } else if material.white.men > 0 {
        Group::WhiteMen
    } else {
        Group::BlackMen
    }
}

/// A word of a material and a bit of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Number of the word, below [`ProductIndex::words`].
    pub word: u64,
    /// Index of the fast piece's square, 0 to 31.
    pub bit: u32,
}

/// The layout of a material's words; see the [module](super).
///
/// ```
/// use crownhead_index::product::{Group, ProductIndex};
/// let index = ProductIndex::new("KKMvKM".parse().unwrap()).unwrap();
/// assert_eq!(index.fast(), Group::WhiteKings);
/// assert_eq!(index.dims(), [28, 496, 28, 1]);
/// assert_eq!(index.strides(), [496 * 28, 1, 496, 1]);
/// assert_eq!(index.component_words(), 496);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProductIndex {
    material: Material,
    fast: Group,
    counts: [u32; 4],
    dims: [u32; 4],
    strides: [u64; 4],
    words: u64,
}

impl ProductIndex {
    /// The layout with the usual [fast group](fast_group).
    ///
    /// `None` when the material has no piece or its words do not fit 64 bits.
    pub fn new(material: Material) -> Option<Self> {
        Self::with_fast(material, fast_group(material))
    }

    /// The layout with another fast group.
    ///
    /// `None` when the material has no piece of that group or its words do not fit 64 bits.
    pub fn with_fast(material: Material, fast: Group) -> Option<Self> {
        let mut counts = Group::ALL.map(|group| group.count(material));
        counts[fast as usize] = counts[fast as usize].checked_sub(1)?;
        let dims = Group::ALL.map(|group| group_len(group, counts[group as usize]));
        let mut strides = [0; 4];
        let mut words = 1u64;
        for group in Self::INNER_TO_OUTER {
            strides[group as usize] = words;
            words = words.checked_mul(u64::from(dims[group as usize]))?;
        }
        Some(Self { material, fast, counts, dims, strides, words })
    }

    /// The groups by ascending stride: white kings, black kings, white men, black men.
    pub const INNER_TO_OUTER: [Group; 4] =
        [Group::WhiteKings, Group::BlackKings, Group::WhiteMen, Group::BlackMen];

    /// The material.
    pub const fn material(&self) -> Material {
        self.material
    }

    /// The group that gives the fast piece.
    pub const fn fast(&self) -> Group {
        self.fast
    }

    /// How many pieces of each group are numbered: all but the fast one.
    pub const fn counts(&self) -> [u32; 4] {
        self.counts
    }

    /// How many sets of squares each group of numbered pieces has.
    pub const fn dims(&self) -> [u32; 4] {
        self.dims
    }

    /// How many words apart neighbouring ranks of each group are.
    pub const fn strides(&self) -> [u64; 4] {
        self.strides
    }

    /// How many words the material has for each side to move.
    pub const fn words(&self) -> u64 {
        self.words
    }

    /// How many words, the placements of numbered kings, one component has.
    pub fn component_words(&self) -> u64 {
        self.strides[Group::WhiteMen as usize]
    }

    /// The word with these ranks of the four groups.
    pub fn word(&self, ranks: [u32; 4]) -> u64 {
        (0..4).map(|g| self.strides[g] * u64::from(ranks[g])).sum()
    }

    /// The ranks of the four groups in a word.
    pub fn ranks(&self, word: u64) -> [u32; 4] {
        let mut rest = word;
        let mut ranks = [0; 4];
        for group in Self::INNER_TO_OUTER {
            let dim = u64::from(self.dims[group as usize]);
            ranks[group as usize] = (rest % dim) as u32;
            rest /= dim;
        }
        ranks
    }

    /// Where a position stands when `fast`, a square of the fast group, is the fast piece's.
    ///
    /// `None` when the position is of another material or that square has no such piece.
    pub fn place_with(&self, position: &Position, fast: Square) -> Option<Place> {
        if Material::of(position) != self.material {
            return None;
        }
        let mut sets = groups(position);
        if !sets[self.fast as usize].has(fast) {
            return None;
        }
        sets[self.fast as usize] ^= Bitboard::of(fast);
        let ranks = Group::ALL.map(|group| rank_set(group, sets[group as usize]));
        Some(Place { word: self.word(ranks), bit: fast.index() })
    }

    /// Where a position stands with the lowest piece of the fast group as the fast piece: of the
    /// equivalent places the one that is counted.
    ///
    /// `None` when the position is of another material.
    pub fn place(&self, position: &Position) -> Option<Place> {
        self.place_with(position, groups(position)[self.fast as usize].first()?)
    }

    /// The position at a place, or `None` for an invalid bit: two pieces share a square or the fast
    /// piece cannot stand there.
    pub fn position(&self, place: Place, side_to_move: Color) -> Option<Position> {
        let ranks = self.ranks(place.word);
        let mut sets = Group::ALL
            .map(|group| unrank_set(group, self.counts[group as usize], ranks[group as usize]));
        let fast = self.fast.squares() & Bitboard(1 << place.bit);
        let taken = sets.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
        if (fast - taken).is_empty() {
            return None;
        }
        sets[self.fast as usize] |= fast;
        let [black_men, black_kings, white_men, white_kings] = sets;
        let position = Position { black_men, black_kings, white_men, white_kings, side_to_move };
        position.is_legal().then_some(position)
    }
}

/// The four sets of a position in the order of the groups.
const fn groups(position: &Position) -> [Bitboard; 4] {
    [position.black_men, position.black_kings, position.white_men, position.white_kings]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_positions(name: &str, fast: Group) -> (u64, u64) {
        let index = ProductIndex::with_fast(name.parse().unwrap(), fast).unwrap();
        let (mut all, mut counted) = (0, 0);
        for word in 0..index.words() {
            assert_eq!(index.word(index.ranks(word)), word);
            for bit in 0..32 {
                let place = Place { word, bit };
                let Some(position) = index.position(place, Color::White) else { continue };
                let square = Square::from_index(bit).unwrap();
                assert_eq!(index.place_with(&position, square), Some(place));
                all += 1;
                counted += u64::from(index.place(&position) == Some(place));
            }
        }
        (all, counted)
    }

    #[test]
    fn each_position_is_counted_once() {
        // The published numbers of positions.
        assert_eq!(count_positions("KKvK", Group::WhiteKings), (14_880, 14_880));
        assert_eq!(count_positions("KKvK", Group::BlackKings), (2 * 14_880, 14_880));
        assert_eq!(count_positions("KMvM", Group::BlackKings), (22_800, 22_800));
        assert_eq!(count_positions("MMvM", Group::WhiteMen), (9_936, 9_936));
        assert_eq!(count_positions("MMvM", Group::BlackMen), (2 * 9_936, 9_936));
    }

    /// The perfect ranks of the counted bits of every `step`-th word, in order.
    fn counted_ranks(name: &str, step: usize) -> impl Iterator<Item = u32> {
        let material: Material = name.parse().unwrap();
        let index = ProductIndex::new(material).unwrap();
        let perfect: crate::PerfectIndex = crate::PerfectIndex::new(material).unwrap();
        let words = (0..index.words()).step_by(step);
        words.flat_map(|word| (0..32).map(move |bit| Place { word, bit })).filter_map(
            move |place| {
                let position = index.position(place, Color::Black)?;
                (index.place(&position) == Some(place)).then(|| perfect.rank(&position).unwrap())
            },
        )
    }

    #[test]
    fn the_counted_bits_are_the_perfect_index() {
        for name in ["KKvK", "KMvK", "KvMM", "MMvM", "MMvMM"] {
            assert!(counted_ranks(name, 1).eq(0..counted_ranks(name, 1).count() as u32), "{name}");
        }
        for name in ["KMMvKK", "KMvKM", "MMMvK", "KKvKK"] {
            assert!(counted_ranks(name, 101).is_sorted_by(|a, b| a < b), "{name}");
        }
    }

    #[test]
    fn absent_groups_and_foreign_positions_have_no_place() {
        let material: Material = "KvM".parse().unwrap();
        assert_eq!(ProductIndex::with_fast(material, Group::WhiteKings), None);
        let index = ProductIndex::new(material).unwrap();
        assert_eq!(index.place(&Position::START), None);
    }
}
