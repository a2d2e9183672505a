//! The longest distances of finished words, each with the first position that has it.

use core::ops::Range;

use crownhead_index::product::{Group, Place, ProductIndex};
use crownhead_rules::Color;

use super::count::{counted, men, sets};
use super::plies::{BLOCK, Distances, LOOK};
use super::scores::{Kept, SQUARES, Scores, pairs};
use super::store::{Finals, Solved};
use super::vector::{VectorPath, dispatch};
use crate::Longest;

/// By side to move and by wins and losses: the most plies, and the first place that has them.
pub(super) type Found = [[Option<(u16, Place)>; 2]; 2];

/// The largest distances to conversion, by side to move and by wins and losses, each with the first
/// position in perfect-index order that has it.
pub(super) fn longest(
    solved: &Solved,
    distances: &Distances,
    path: VectorPath,
) -> [[Option<Longest>; 2]; 2] {
    if let Some(found) = distances.found() {
        return positions(solved, found);
    }
    let mut found = [[None; 2]; 2];
    find_in_planes(path, &solved.index, &solved.finals(), distances, &mut found);
    positions(solved, &found)
}

/// The one with more plies; of equal ones the first.
pub(super) fn first_longest(
    a: Option<(u16, Place)>,
    b: Option<(u16, Place)>,
) -> Option<(u16, Place)> {
    let key = |(plies, place): (u16, Place)| (plies, core::cmp::Reverse((place.word, place.bit)));
    if b.map(key) > a.map(key) { b } else { a }
}

/// The same of distances to the end of the game.
pub(super) fn longest_to_end(solved: &Solved, path: VectorPath) -> [[Option<Longest>; 2]; 2] {
    let mut found = [[None; 2]; 2];
    match solved.sides.each_ref().map(|words| &words.scores) {
        [Scores::Narrow(black), Scores::Narrow(white)] => {
            find_in_bytes(path, solved, [&black[..], &white[..]], &mut found);
        }
        [Scores::Wide(black), Scores::Wide(white)] => {
            find_in_pairs_of_bytes(path, solved, [&black[..], &white[..]], &mut found);
        }
        _ => {}
    }
    positions(solved, &found)
}

fn positions(solved: &Solved, found: &Found) -> [[Option<Longest>; 2]; 2] {
    core::array::from_fn(|side| {
        found[side].map(|found| {
            let (plies, place) = found?;
            let position = solved.index.position(place, Color::BOTH[side])?;
            Some(Longest { plies, position })
        })
    })
}

dispatch! {
    /// Takes the largest of a part's distances, whose first word is the part's, into those found
    /// in other parts.
    pub(super) fn find_in_planes(
        index: &ProductIndex,
        part: &Finals<'_>,
        distances: &Distances,
        found: &mut Found,
    ) = find_by_planes;
}

dispatch! {
    fn find_in_bytes(
        solved: &Solved,
        codes: [&[u8]; 2],
        found: &mut Found,
    ) = find_by_codes;
}

dispatch! {
    fn find_in_pairs_of_bytes(
        solved: &Solved,
        codes: [&[u16]; 2],
        found: &mut Found,
    ) = find_by_codes;
}

/// Whether these words of a part can have longer distances than were found, by what bounds say.
pub(super) fn may_be_longer(
    part: &Finals<'_>,
    words: Range<usize>,
    distances: &Distances,
    found: &Found,
) -> bool {
    each_wanted(part, words, distances, found).next().is_some()
}

/// The plies that would be the longest, by side and verdict, where these words can have them. Of
/// equally long ones the first counts.
#[inline(always)]
fn each_wanted(
    part: &Finals<'_>,
    words: Range<usize>,
    distances: &Distances,
    found: &Found,
) -> impl Iterator<Item = (u16, Color, usize)> {
    let first = (part.first + words.start) as u64;
    let sides = [(Color::Black, 0), (Color::Black, 1), (Color::White, 0), (Color::White, 1)];
    let each = sides.into_iter().map(move |(side, verdict)| {
        let plies = found[side as usize][verdict]
            .map_or(0, |(most, place)| most + u16::from(place.word < first));
        (plies, side, verdict)
    });
    each.filter(move |&(plies, side, verdict)| {
        distances.may_reach(plies, words.start / BLOCK, side, verdict)
    })
}

#[inline(always)]
fn find_by_planes(
    index: &ProductIndex,
    part: &Finals<'_>,
    distances: &Distances,
    found: &mut Found,
) {
    let may_be_longer = |found: &Found, block: Range<usize>| {
        each_wanted(part, block.clone(), distances, found).any(|(plies, side, verdict)| {
            let decided = part.decided(side)[verdict];
            distances.reach(plies, side, block.clone(), &decided[block.clone()])
        })
    };
    each_word(index, part, found, may_be_longer, |found, side, word, decided| {
        for (found, decided) in found.iter_mut().zip(decided) {
            if decided != 0 {
                let (plies, longest) = distances.longest(side, word, decided);
                let word = (part.first + word) as u64;
                let place = Place { word, bit: longest.trailing_zeros() };
                *found = first_longest(*found, Some((plies, place)));
            }
        }
    });
}

#[inline(always)]
fn find_by_codes<T: Kept>(solved: &Solved, codes: [&[T]; 2], found: &mut Found) {
    let may_be_longer = |found: &Found, block: Range<usize>| {
        let block = SQUARES * block.start..SQUARES * block.end;
        found.iter().zip(codes).any(|([win, loss], codes)| {
            // Losses have the codes that are not negative, larger for longer ones, wins the negative
            // ones, less for longer ones; nothing has the code of the shortest win.
            let (mut longest_loss, mut longest_win) = (-1i16, -1i16);
            for code in &codes[block.clone()] {
                let code = code.code() as i16;
                longest_loss = longest_loss.max(code);
                longest_win = longest_win.min(code);
            }
            let longer = |found: &Option<(u16, Place)>, pairs: i16| {
                found.is_none_or(|(most, _)| i32::from(pairs) > i32::from(most / 2))
            };
            longer(win, !longest_win) || longer(loss, longest_loss)
        })
    };
    let part = &solved.finals();
    each_word(&solved.index, part, found, may_be_longer, |found, side, word, decided| {
        let codes = &codes[side as usize][SQUARES * word..][..SQUARES];
        for (verdict, (found, decided)) in found.iter_mut().zip(decided).enumerate() {
            for bit in super::geometry::squares(decided) {
                let plies = 2 * pairs(codes[bit].code()) + 1 - verdict as u16;
                if found.is_none_or(|(most, _)| most < plies) {
                    *found = Some((plies, Place { word: word as u64, bit: bit as u32 }));
                }
            }
        }
    });
}

/// Calls `look` with the counted wins and losses of each word of a part in order, of both sides to
/// move, but for blocks of words in which nothing can be longer. A part is some components.
#[inline(always)]
fn each_word(
    index: &ProductIndex,
    part: &Finals<'_>,
    found: &mut Found,
    may_be_longer: impl Fn(&Found, Range<usize>) -> bool,
    mut look: impl FnMut(&mut [Option<(u16, Place)>; 2], Color, usize, [u32; 2]),
) {
    let sets = sets(index);
    let (words, component_words) = (part.wins[0].len(), index.component_words());
    let first = part.first as u64 / component_words;
    let (mut word, mut block_end, mut longer) = (0, 0, false);
    for component in first..first + words as u64 / component_words {
        let [black_men, white_men] = men(&sets, component);
        for &black_kings in sets[Group::BlackKings as usize] {
            for &white_kings in sets[Group::WhiteKings as usize] {
                if word == block_end {
                    block_end = words.min(word + LOOK);
                    longer = may_be_longer(found, word..block_end);
                }
                if longer {
                    let sets = [black_men, black_kings, white_men, white_kings];
                    let counted = counted(index.fast(), sets);
                    for side in Color::BOTH {
                        let decided = part.decided(side).map(|words| words[word] & counted);
                        look(&mut found[side as usize], side, word, decided);
                    }
                }
                word += 1;
            }
        }
    }
}
