//! The longest distances of finished words, each with the first position that has it.

use crownhead_index::product::{Group, Place};
use crownhead_rules::Color;

use super::count::{counted, men, sets};
use super::plies::{BLOCK, Distances};
use super::scores::{Kept, SQUARES, Scores, pairs};
use super::store::{Solved, Words};
use super::vector::{VectorPath, dispatch};
use crate::Longest;

/// By side to move and by wins and losses.
type Found = [[Option<(u16, Place)>; 2]; 2];

/// The largest distances to conversion, by side to move and by wins and losses, each with the first
/// position in perfect-index order that has it.
pub(super) fn longest(
    solved: &Solved,
    distances: &Distances,
    path: VectorPath,
) -> [[Option<Longest>; 2]; 2] {
    let mut found = [[None; 2]; 2];
    find_in_planes(path, solved, distances, &mut found);
    positions(solved, &found)
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
    fn find_in_planes(
        solved: &Solved,
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

#[inline(always)]
fn find_by_planes(solved: &Solved, distances: &Distances, found: &mut Found) {
    let may_be_longer = |found: &Found, block: core::ops::Range<usize>| {
        Color::BOTH.into_iter().any(|side| {
            let ([win, loss], words) = (&found[side as usize], &solved.sides[side as usize]);
            let exceed = |found: &Option<(u16, Place)>, verdict, mask| {
                let most = found.map(|(most, _)| most);
                let block_number = block.start / BLOCK;
                most.is_none_or(|most| distances.may_exceed(most, block_number, side, verdict))
                    && distances.exceed(most, side, block.clone(), mask)
            };
            exceed(win, 0, &words.wins)
                || exceed(loss, 1, &words.losses)
                // A loss in no plies has no bit in any plane.
                || loss.is_none() && words.losses[block.clone()].iter().any(|&bits| bits != 0)
        })
    };
    each_word(solved, found, may_be_longer, |found, side, word, decided| {
        for (found, decided) in found.iter_mut().zip(decided) {
            if decided == 0 {
                continue;
            }
            let (plies, longest) = distances.longest(side, word, decided);
            if found.is_none_or(|(most, _)| most < plies) {
                *found = Some((plies, Place { word: word as u64, bit: longest.trailing_zeros() }));
            }
        }
    });
}

#[inline(always)]
fn find_by_codes<T: Kept>(solved: &Solved, codes: [&[T]; 2], found: &mut Found) {
    let may_be_longer = |found: &Found, block: core::ops::Range<usize>| {
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
    each_word(solved, found, may_be_longer, |found, side, word, decided| {
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

/// Calls `look` with the counted wins and losses of each word in order, of both sides to move, but
/// for blocks of words in which nothing can be longer.
#[inline(always)]
fn each_word(
    solved: &Solved,
    found: &mut Found,
    may_be_longer: impl Fn(&Found, core::ops::Range<usize>) -> bool,
    mut look: impl FnMut(&mut [Option<(u16, Place)>; 2], Color, usize, [u32; 2]),
) {
    let (index, sets) = (&solved.index, sets(&solved.index));
    let words = index.words() as usize;
    let (mut word, mut block_end, mut longer) = (0, 0, false);
    for component in 0..index.words() / index.component_words() {
        let [black_men, white_men] = men(&sets, component);
        for &black_kings in sets[Group::BlackKings as usize] {
            for &white_kings in sets[Group::WhiteKings as usize] {
                if word == block_end {
                    block_end = words.min(word + BLOCK);
                    longer = may_be_longer(found, word..block_end);
                }
                if longer {
                    let sets = [black_men, black_kings, white_men, white_kings];
                    let counted = counted(index.fast(), sets);
                    for side in Color::BOTH {
                        let decided = decided(&solved.sides[side as usize], word, counted);
                        look(&mut found[side as usize], side, word, decided);
                    }
                }
                word += 1;
            }
        }
    }
}

#[inline(always)]
fn decided(words: &Words, word: usize, counted: u32) -> [u32; 2] {
    [words.wins[word] & counted, words.losses[word] & counted]
}
