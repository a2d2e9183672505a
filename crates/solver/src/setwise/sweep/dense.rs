//! A round over all words.

use crownhead_rules::Color;

use super::super::component::Component;
use super::moves::{KingMoves, Numbered, forced, reaching};
use super::{Change, Verdict};

/// Finds what one side wins or loses by moves into the opponent's plane, in which these rows have
/// news.
#[inline(always)]
pub(super) fn find(
    moves: &KingMoves,
    component: &Component,
    side: Color,
    verdict: Verdict,
    new_rows: &[bool],
    row_bits: &mut [u32],
    out: &mut Vec<Change>,
) {
    let source = component.decided(side.other(), verdict.cause());
    let undecided = component.undecided(side, verdict);
    let lanes = moves.lanes;
    let row_bits = &mut row_bits[..lanes];
    for row in 0..moves.rows {
        if !concerned(moves, side, row, new_rows) {
            continue;
        }
        let words = row * lanes..(row + 1) * lanes;
        let undecided = &undecided[words.clone()];
        let mut any = 0;
        for word in undecided {
            any |= word;
        }
        if any == 0 {
            continue;
        }
        let found = match verdict {
            Verdict::Win => wins(moves, side, row, source, new_rows, undecided, row_bits),
            Verdict::Loss => losses(moves, side, row, source, undecided, row_bits),
        };
        if !found {
            continue;
        }
        for (lane, &bits) in row_bits.iter().enumerate() {
            if bits != 0 {
                out.push(Change { word: (words.start + lane) as u32, row: row as u32, bits });
            }
        }
    }
}

/// Whether a move from this row leads to news.
#[inline(always)]
fn concerned(moves: &KingMoves, side: Color, row: usize, new_rows: &[bool]) -> bool {
    let here = new_rows[row];
    match moves.numbered[side as usize] {
        Numbered::Rows(table) => {
            moves.owns_fast(side) && here
                || table.steps(row as u32).iter().any(|&to| new_rows[to as usize])
        }
        _ => here,
    }
}

/// Which positions of a row reach the set; says whether any does.
#[inline(always)]
fn wins(
    moves: &KingMoves,
    side: Color,
    row: usize,
    source: &[u32],
    new_rows: &[bool],
    undecided: &[u32],
    out: &mut [u32],
) -> bool {
    let lanes = out.len();
    let here = &source[row * lanes..(row + 1) * lanes];
    if moves.owns_fast(side) {
        for lane in 0..lanes {
            out[lane] = reaching(here[lane]);
        }
    } else {
        out.fill(0);
    }
    match moves.numbered[side as usize] {
        Numbered::No => {}
        Numbered::Rows(table) => {
            for &to in table.steps(row as u32) {
                if !new_rows[to as usize] {
                    continue;
                }
                let there = &source[to as usize * lanes..(to as usize + 1) * lanes];
                for lane in 0..lanes {
                    out[lane] |= there[lane];
                }
            }
        }
        Numbered::Lanes(table) => {
            let (offsets, steps) = (table.step_offsets(), table.step_ranks());
            for lane in 0..lanes {
                if undecided[lane] != 0 {
                    let steps = &steps[offsets[lane] as usize..offsets[lane + 1] as usize];
                    for &to in steps {
                        out[lane] |= here[to as usize];
                    }
                }
            }
        }
    }
    let mut any = 0;
    for lane in 0..lanes {
        out[lane] &= undecided[lane];
        any |= out[lane];
    }
    any != 0
}

/// Which positions of a row have moves into the set only; says whether any has.
#[inline(always)]
fn losses(
    moves: &KingMoves,
    side: Color,
    row: usize,
    source: &[u32],
    undecided: &[u32],
    out: &mut [u32],
) -> bool {
    let lanes = out.len();
    let here = &source[row * lanes..(row + 1) * lanes];
    let mut any = 0;
    if moves.owns_fast(side) {
        for lane in 0..lanes {
            out[lane] = forced(here[lane]) & undecided[lane];
            any |= out[lane];
        }
        if any == 0 {
            return false;
        }
    } else {
        out.copy_from_slice(undecided);
    }
    match moves.numbered[side as usize] {
        Numbered::No => true,
        Numbered::Rows(table) => {
            for &to in table.steps(row as u32) {
                let there = &source[to as usize * lanes..(to as usize + 1) * lanes];
                let mut any = 0;
                for lane in 0..lanes {
                    out[lane] &= there[lane];
                    any |= out[lane];
                }
                if any == 0 {
                    return false;
                }
            }
            true
        }
        Numbered::Lanes(table) => {
            let (offsets, steps) = (table.step_offsets(), table.step_ranks());
            let mut any = 0;
            for lane in 0..lanes {
                let mut bits = out[lane];
                if bits != 0 {
                    for &to in &steps[offsets[lane] as usize..offsets[lane + 1] as usize] {
                        bits &= here[to as usize];
                        if bits == 0 {
                            break;
                        }
                    }
                    out[lane] = bits;
                    any |= bits;
                }
            }
            any != 0
        }
    }
}
