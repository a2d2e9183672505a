//! A round that follows the news: gathers the words from which a move leads to a new word, and
//! looks at each once.

use crownhead_rules::Color;

use super::super::component::Component;
use super::super::mutation::{Mutation, made};
use super::moves::{KingMoves, forced, reaching};
use super::round::Search;
use super::{Change, Verdict};

/// Finds what one side wins or loses by the opponent's news.
#[inline(always)]
pub(super) fn find(
    moves: &KingMoves,
    component: &Component,
    side: Color,
    verdict: Verdict,
    news: &[Change],
    search: &mut Search,
    out: &mut Vec<Change>,
) {
    let undecided = component.undecided(side, verdict);
    let Search { gathered, touched, .. } = search;
    gather(moves, side, news, undecided, gathered, touched);
    let source = component.decided(side.other(), verdict.cause());
    for change in touched.drain(..) {
        let mut bits = core::mem::take(&mut gathered[change.word as usize]);
        if verdict == Verdict::Loss {
            bits = verify(moves, side, source, change, bits);
        }
        if bits != 0 {
            out.push(Change { bits, ..change });
        }
    }
}

/// Undecided positions from which a move leads to a new bit.
#[inline(always)]
fn gather(
    moves: &KingMoves,
    side: Color,
    news: &[Change],
    undecided: &[u32],
    gathered: &mut [u32],
    touched: &mut Vec<Change>,
) {
    let dropped = usize::from(made(Mutation::DroppedWord));
    for new in news.iter().skip(dropped) {
        let mut add = |row: usize, word: usize, bits: u32| {
            let bits = bits & undecided[word];
            if bits != 0 {
                if gathered[word] == 0 {
                    touched.push(Change { word: word as u32, row: row as u32, bits: 0 });
                }
                gathered[word] |= bits;
            }
        };
        let (row, word) = (new.row as usize, new.word as usize);
        if moves.owns_fast(side) {
            add(row, word, reaching(new.bits));
        }
        moves.neighbours(side, row, word, |row, word| {
            add(row, word, new.bits);
            true
        });
    }
}

/// Those of the bits of which every king move leads into the plane.
#[inline(always)]
pub(super) fn verify(moves: &KingMoves, side: Color, source: &[u32], at: Change, bits: u32) -> u32 {
    let (row, word) = (at.row as usize, at.word as usize);
    let mut bits = bits;
    if moves.owns_fast(side) {
        bits &= forced(source[word]);
    }
    moves.neighbours(side, row, word, |_, to| {
        bits &= source[to];
        bits != 0
    });
    bits
}
