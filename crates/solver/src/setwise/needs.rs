//! What a build of one material takes, estimated before anything is built.

use std::collections::HashSet;

use crownhead_index::product::{Group, ProductIndex, group_len};
use crownhead_index::{Material, materials_to};
use crownhead_rules::Color;

use super::crowning::Crowning;
use super::leaves::Leaves;
use super::plies::Keep;
use super::solve::batch_len;
use super::views::view_words;

/// Views that may be kept from one material to the next, in bytes: they are soon made again.
pub(super) const VIEW_BYTES: u64 = 1 << 30;

/// Working memory for each word of a component, in bytes.
pub(super) const COMPONENT_BYTES: u64 = 4 * 13;

/// What a sweep lists for each word of a component, in bytes, as measured: news, changes, words
/// that a frontier touches.
const SWEEP_BYTES: u64 = 100;

/// Values of both sides to move, for each word, in bytes.
const VALUE_BYTES: u64 = 16;

/// Distances below 128 plies of both sides to move, for each word, in bytes.
const PLANE_BYTES: u64 = 4 * 7 * 2;

/// Distances to the end of both sides to move, for each word, in bytes.
const SCORE_BYTES: u64 = 32 * 2;

/// What is due at some later ply in a component, for each of its words, in bytes, as measured: a
/// list keeps the room that its ply took in any of many small components, and large ones are few.
const fn schedule_bytes(component_words: u64) -> u64 {
    if component_words < 1 << 12 { 2048 } else { 384 }
}

/// What is listed of a set of pieces, in bytes: its steps, its rank with and without each square.
const SET_BYTES: u64 = 320;

/// Lists of a thread, and what the allocator keeps for it.
const THREAD_BYTES: u64 = 1 << 20;

/// What is kept of a word for other materials, in bytes.
pub(super) const fn stored(keep: Keep) -> u64 {
    if matches!(keep, Keep::ToEnd) { VALUE_BYTES + SCORE_BYTES } else { VALUE_BYTES }
}

/// What is taken besides that while a material is built on so many threads, in bytes.
pub(super) fn working(index: &ProductIndex, keep: Keep, threads: usize) -> u64 {
    let planes = if keep == Keep::Plies { PLANE_BYTES } else { 0 };
    let (many, len) = match index.component_words() {
        // Rows of words.
        1 => (16 * threads, u64::from(index.dims().into_iter().max().unwrap_or(1))),
        len => (batch_len(len as usize, threads), len),
    };
    let own = match keep {
        Keep::ToEnd if index.component_words() == 1 => 2 * SCORE_BYTES,
        Keep::ToEnd => 2 * SCORE_BYTES + schedule_bytes(index.component_words()),
        // Few components have long distances.
        _ => planes / 4,
    };
    let flying = (many as u64).saturating_mul(len).min(index.words());
    [
        flying.saturating_mul(COMPONENT_BYTES + SWEEP_BYTES + own),
        planes.saturating_mul(index.words()),
        views(index, stored(keep)),
        kept_views(index, stored(keep)),
        tables(index.material()),
        THREAD_BYTES * (threads as u64 - 1),
    ]
    .into_iter()
    .fold(0, u64::saturating_add)
}

/// The views of parts, at so many bytes a word of both sides to move.
fn views(index: &ProductIndex, each: u64) -> u64 {
    (each / 2).saturating_mul(needed_views(index).fold(0, u64::saturating_add))
}

/// The most that views take that are kept from earlier materials: two of each, if the limits of
/// [`Cpu::build`](super::Cpu) do not come first.
fn kept_views(index: &ProductIndex, each: u64) -> u64 {
    let limit = most_kept(index);
    let material = index.material();
    if material.pieces() > 8 {
        return limit;
    }
    let words = |part| ProductIndex::new(part).map_or(0, |index| index.words());
    let all: u64 = materials_to(material.pieces() - 1).map(words).sum();
    (2 * each * all).min(limit)
}

/// Views of earlier materials are dropped before this one when they take more bytes than these.
pub(super) fn most_kept(index: &ProductIndex) -> u64 {
    index.words().saturating_mul(VALUE_BYTES / 2).min(VIEW_BYTES)
}

/// The tables of the groups of this material and its parts: of few groups they are of all sets.
fn tables(material: Material) -> u64 {
    let sets: u64 =
        (0..=material.pieces() - 2).map(|k| u64::from(group_len(Group::BlackKings, k))).sum();
    2 * SET_BYTES * sets
}

/// The views that are made of parts: the words of each, for one side to move.
pub(super) fn needed_views(index: &ProductIndex) -> impl Iterator<Item = u64> {
    let mut made = HashSet::new();
    Color::BOTH
        .into_iter()
        .flat_map(move |mover| {
            let crowned = Crowning::needed(index, mover).into_iter().flatten();
            Leaves::needed(index, mover).chain(crowned).map(move |view| (view, mover))
        })
        .filter(move |key| made.insert(*key))
        .map(|((material, fast), _)| view_words(material, fast))
}
