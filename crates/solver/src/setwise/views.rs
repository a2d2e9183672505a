//! Other arrangements of solved materials: colours swapped, or another fast group.
//!
//! A capture is looked up with one word read if the material it leads to is arranged like the one
//! that is built: the same side called black, the same group fast. Where the store has it
//! otherwise, the whole material is rearranged once, and the view kept while it is of use.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crownhead_index::Material;
use crownhead_index::product::{Group, ProductIndex};
use crownhead_rules::Color;
use rayon::prelude::*;

use super::groups::{Groups, rank};
use super::mutation::{Mutation, made};
use super::plane::Plane;
use super::scores::{Kept, NONE, SQUARES, Scores};
use super::store::{Solved, Store, Table, Words};
use super::vector::{VectorPath, dispatch};
use crate::SolveError;

type Key = (Material, Group, Color);

/// Planes of views that take more bytes than this lie in files, where there is a directory for them.
pub(super) const IN_MEMORY: u64 = 1 << 26;

/// Views made so far.
#[derive(Debug, Default)]
pub(super) struct Views {
    made: Mutex<HashMap<Key, Table>>,
    space: Space,
}

/// Where the planes of views lie.
#[derive(Clone, Default, Debug)]
struct Space {
    /// The directory for planes of more bytes than these.
    files: Option<(PathBuf, u64)>,
}

impl Space {
    fn plane(&self, word: u32, words: usize) -> Result<Plane, SolveError> {
        match &self.files {
            Some((directory, most)) if 4 * words as u64 > *most => {
                Plane::scratch(directory, word, words).map_err(|source| SolveError::Io {
                    path: directory.clone(),
                    action: "cannot make a file in",
                    source,
                })
            }
            _ => Ok(Plane::filled(word, words)),
        }
    }
}

impl Views {
    /// Keeps large views in files in this directory.
    pub(super) fn in_directory(directory: PathBuf) -> Self {
        Self { space: Space { files: Some((directory, IN_MEMORY)) }, ..Self::default() }
    }

    /// The material, in this orientation, with this group fast and this side to move.
    pub(super) fn get(
        &self,
        store: &Store,
        material: Material,
        fast: Group,
        side: Color,
    ) -> Result<Table, SolveError> {
        let canonical = material.canonical();
        let part = || SolveError::NotSolved { material: canonical, part: canonical };
        let solved = store.get(canonical).ok_or_else(part)?;
        if solved.index.material() == material && solved.index.fast() == fast {
            return Ok(solved.side(side));
        }
        let key = (material, fast, side);
        if let Some(table) = self.lock().get(&key) {
            return Ok(table.clone());
        }
        let table = rearrange(&self.space, &solved, material, fast, side)?;
        Ok(self.lock().entry(key).or_insert(table).clone())
    }

    /// Forgets all views of materials for which this does not hold.
    pub(super) fn retain(&self, keep: impl Fn(Material) -> bool) {
        self.lock().retain(|key, _| keep(key.0));
    }

    /// The memory they take, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.lock().values().map(|table| table.words.bytes()).sum()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Table>> {
        self.made.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// The words that a view of this material takes, for one side to move; 0 if the store has it so.
pub(super) fn view_words(material: Material, fast: Group) -> u64 {
    let stored = ProductIndex::new(material.canonical());
    if stored.is_some_and(|index| index.material() == material && index.fast() == fast) {
        return 0;
    }
    ProductIndex::with_fast(material, fast).map_or(u64::MAX / 64, |index| index.words())
}

/// How the words of the source are found from ranks in the view's orientation.
struct Source<'a> {
    words: &'a Words,
    index: ProductIndex,
    turned: bool,
}

impl Source<'_> {
    /// What a rank of a set of `count` pieces of the view's group adds to the source's word.
    fn offset(&self, group: Group, count: u32, rank: u32) -> usize {
        let (group, rank) = if self.turned {
            (group.mirror(), Groups::shared().table(group, count).turned()[rank as usize])
        } else {
            (group, rank)
        };
        (self.index.strides()[group as usize] * u64::from(rank)) as usize
    }

    fn offsets(&self, group: Group, count: u32) -> Vec<usize> {
        let len = Groups::shared().table(group, count).len();
        (0..len).map(|rank| self.offset(group, count, rank)).collect()
    }
}

/// White to move in a colour-symmetric material, from Black to move.
pub(super) fn turned(index: &ProductIndex, black: &Words) -> Result<Words, SolveError> {
    let source = Source { words: black, index: *index, turned: true };
    let (fast, space) = (index.fast().mirror(), Space::default());
    if fast == index.fast() {
        reorder(&space, &source, index)
    } else {
        transpose(&space, &source, index, fast)
    }
}

fn rearrange(
    space: &Space,
    solved: &Solved,
    material: Material,
    fast: Group,
    side: Color,
) -> Result<Table, SolveError> {
    let turned = solved.index.material() != material;
    let index = ProductIndex::with_fast(material, fast).expect("the solved material's words fit");
    let (color, source_fast) = if turned {
        (side.other(), solved.index.fast().mirror())
    } else {
        (side, solved.index.fast())
    };
    let words = &solved.sides[color as usize];
    let source = Source { words, index: solved.index, turned };
    let words = if source_fast == fast {
        reorder(space, &source, &index)?
    } else {
        transpose(space, &source, &index, source_fast)?
    };
    Ok(Table { index, words: Arc::new(words) })
}

/// Where the rows of a view, all sets of its white kings for one placement of the rest, come from.
struct Rows {
    offsets: [Vec<usize>; 4],
    dims: [usize; 4],
}

impl Rows {
    fn new(source: &Source<'_>, index: &ProductIndex) -> Self {
        let offsets = Group::ALL.map(|group| source.offsets(group, index.counts()[group as usize]));
        Self { offsets, dims: index.dims().map(|dim| dim as usize) }
    }

    fn len(&self) -> usize {
        self.dims[Group::WhiteKings as usize]
    }

    /// The source's words of one row.
    fn words(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let [_, black_kings, white_men, _] = self.dims;
        let base = self.offsets[0][row / (white_men * black_kings)]
            + self.offsets[2][row / black_kings % white_men]
            + self.offsets[1][row % black_kings];
        self.offsets[3].iter().map(move |offset| base + offset)
    }

    /// Fills a plane of so many entries a word, row by row.
    fn fill<T: Copy + Send + Sync>(
        &self,
        out: &mut [T],
        each: usize,
        fill: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let rows = out.par_chunks_mut(self.len() * each).enumerate().with_min_len(64);
        rows.for_each(|(row, out)| {
            self.words(row).zip(out.chunks_exact_mut(each)).for_each(|(word, out)| fill(word, out));
        });
    }
}

/// The same fast group: words only change their places, and are reversed if the board is turned.
fn reorder(space: &Space, source: &Source<'_>, index: &ProductIndex) -> Result<Words, SolveError> {
    let (rows, reverse) =
        (Rows::new(source, index), source.turned && !made(Mutation::MirroredView));
    let plane = |words: &[u32]| {
        let mut out = space.plane(0, index.words() as usize)?;
        rows.fill(&mut out, 1, |word, out| {
            out[0] = if reverse { words[word].reverse_bits() } else { words[word] };
        });
        Ok(out)
    };
    let (wins, losses) = rayon::join(|| plane(&source.words.wins), || plane(&source.words.losses));
    let scores = match &source.words.scores {
        Scores::Nothing => Scores::Nothing,
        Scores::Narrow(codes) => Scores::Narrow(reorder_codes(&rows, index, codes, reverse)),
        Scores::Wide(codes) => Scores::Wide(reorder_codes(&rows, index, codes, reverse)),
    };
    Ok(Words { wins: wins?, losses: losses?, scores })
}

fn reorder_codes<T: Kept + Default>(
    rows: &Rows,
    index: &ProductIndex,
    codes: &[T],
    reverse: bool,
) -> Vec<T> {
    let mut all = vec![T::default(); index.words() as usize * SQUARES];
    rows.fill(&mut all, SQUARES, |word, out| {
        out.copy_from_slice(&codes[SQUARES * word..SQUARES * (word + 1)]);
        if reverse {
            out.reverse();
        }
    });
    all
}

/// A block of 32 words, one for each square of the wanted fast group, turned into 32 words, one
/// for each square of the source's.
fn transpose(
    space: &Space,
    source: &Source<'_>,
    index: &ProductIndex,
    source_fast: Group,
) -> Result<Words, SolveError> {
    let exchange = Exchange::new(source, index, source_fast);
    let fill = |words: &[u32], invalid: u32| {
        let mut out = space.plane(invalid, index.words() as usize)?;
        exchange_all(VectorPath::detect(), &exchange, words, invalid, source.turned, &mut out);
        Ok(out)
    };
    let (wins, losses) =
        rayon::join(|| fill(&source.words.wins, !0), || fill(&source.words.losses, 0));
    let (words, turned) = (index.words() as usize, source.turned);
    let scores = match &source.words.scores {
        Scores::Nothing => Scores::Nothing,
        Scores::Narrow(codes) => Scores::Narrow(exchange_codes(&exchange, codes, turned, words)),
        Scores::Wide(codes) => Scores::Wide(exchange_codes(&exchange, codes, turned, words)),
    };
    Ok(Words { wins: wins?, losses: losses?, scores })
}

/// What [`exchange_words`] does, with codes for bits.
fn exchange_codes<T: Kept>(exchange: &Exchange, codes: &[T], turned: bool, words: usize) -> Vec<T> {
    let mut out = vec![T::keep(NONE).0; SQUARES * words];
    for &[other_source, other_view] in &exchange.others {
        for (source_rest, to) in &exchange.source_rests {
            for (view_rest, from) in &exchange.view_rests {
                let (first, source) = (other_view + view_rest, other_source + source_rest);
                for &(square, offset) in to {
                    let bit = if turned { SQUARES - 1 - square } else { square };
                    let out = &mut out[SQUARES * (first + offset)..][..SQUARES];
                    for &(fast, offset) in from {
                        out[fast] = codes[SQUARES * (source + offset) + bit];
                    }
                }
            }
        }
    }
    out
}

/// Which words form a block: for each placement of the other groups and the rest of both fast
/// groups, 32 words of the source and up to 32 of the view.
struct Exchange {
    /// Source and view offsets for each placement of the two other groups.
    others: Vec<[usize; 2]>,
    /// For each rest of the source's fast group: its source offset, and for each square below the
    /// rest the view offset of both together.
    source_rests: Vec<(usize, Vec<(usize, usize)>)>,
    /// For each rest of the view's fast group: its view offset, and for each free square the
    /// source offset of both together.
    view_rests: Vec<(usize, Vec<(usize, usize)>)>,
}

impl Exchange {
    fn new(source: &Source<'_>, index: &ProductIndex, source_fast: Group) -> Self {
        let fast = index.fast();
        let view =
            |group: Group, rank: u32| (index.strides()[group as usize] * u64::from(rank)) as usize;
        let full = |group: Group| group.count(index.material());
        let others: Vec<Group> =
            Group::ALL.into_iter().filter(|&g| g != fast && g != source_fast).collect();
        let table = |group: Group, count| Groups::shared().table(group, count);
        let ranks = |group: Group| 0..table(group, full(group)).len();
        let both = |group, rank| [source.offset(group, full(group), rank), view(group, rank)];
        let others = ranks(others[0]).flat_map(|a| {
            let others = &others;
            ranks(others[1]).map(move |b| {
                let (a, b) = (both(others[0], a), both(others[1], b));
                [a[0] + b[0], a[1] + b[1]]
            })
        });
        let rests = |group: Group| {
            let table = table(group, full(group) - 1);
            (0..table.len()).map(move |rank| (rank, table.set(rank).0))
        };
        let free = |group: Group, set: u32| {
            (0..32).filter(move |&s| (group.squares().0 & !set) >> s & 1 != 0)
        };
        let source_rests = rests(source_fast).map(|(rest, set)| {
            // Equivalent words of the view are all filled, from the lowest piece.
            let below = |s: &usize| set.trailing_zeros() > *s as u32;
            let to = |s: usize| (s, view(source_fast, rank(source_fast, set | 1 << s)));
            let squares = free(source_fast, set).filter(below).map(to).collect();
            (source.offset(source_fast, full(source_fast) - 1, rest), squares)
        });
        let view_rests = rests(fast).map(|(rest, set)| {
            let to = |s: usize| (s, source.offset(fast, full(fast), rank(fast, set | 1 << s)));
            (view(fast, rest), free(fast, set).map(to).collect())
        });
        Self {
            others: others.collect(),
            source_rests: source_rests.collect(),
            view_rests: view_rests.collect(),
        }
    }
}

dispatch! {
    fn exchange_all(
        exchange: &Exchange,
        words: &[u32],
        invalid: u32,
        turned: bool,
        out: &mut [u32],
    ) = exchange_words;
}

#[inline(always)]
fn exchange_words(exchange: &Exchange, words: &[u32], invalid: u32, turned: bool, out: &mut [u32]) {
    for &[other_source, other_view] in &exchange.others {
        for (source_rest, to) in &exchange.source_rests {
            for (view_rest, from) in &exchange.view_rests {
                let mut block = [invalid; 32];
                for &(square, offset) in from {
                    block[square] = words[other_source + source_rest + offset];
                }
                if turned {
                    block = block.map(u32::reverse_bits);
                }
                transpose_bits(&mut block);
                for &(square, offset) in to {
                    out[other_view + view_rest + offset] = block[square];
                }
            }
        }
    }
}

/// Swaps rows and columns of a 32 by 32 bit matrix.
#[inline(always)]
fn transpose_bits(block: &mut [u32; 32]) {
    let mut mask = 0x0000_ffff_u32;
    let mut width = 16;
    while width > 0 {
        let mut k = 0;
        while k < 32 {
            let swap = (block[k] >> width ^ block[k | width]) & mask;
            block[k] ^= swap << width;
            block[k | width] ^= swap;
            k = ((k | width) + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let mut block: [u32; 32] =
            core::array::from_fn(|i| (i as u32 + 7).wrapping_mul(0x9e37_79b9));
        let before = block;
        transpose_bits(&mut block);
        for (i, row) in block.iter().enumerate() {
            for (j, column) in before.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }

    #[test]
    fn planes_in_files_are_planes_like_others_and_leave_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let space = Space { files: Some((directory.path().to_owned(), 16)) };
        for (word, words) in [(0, 4), (0, 5), (!0, 5), (7, 100_000)] {
            let mut plane = space.plane(word, words).unwrap();
            assert_eq!(matches!(plane, Plane::File(_)), words > 4);
            assert!(plane.len() == words && plane.iter().all(|&w| w == word));
            plane[words - 1] ^= 1;
            assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        }
    }
}
