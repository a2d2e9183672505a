//! Solved materials as words, and other arrangements of them.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use crownhead_index::Material;
use crownhead_index::product::ProductIndex;
use crownhead_rules::Color;

use super::plane::Plane;
use super::scores::{Scores, Width};

/// What is known with one side to move: a bit for each position.
///
/// On invalid bits `wins` is 1 and `losses` is 0, so that a quiet move onto an occupied square
/// neither wins (OR over the opponent's losses) nor saves (AND over the opponent's wins).
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) wins: Plane,
    pub(super) losses: Plane,
    /// Distances to the end, where they are kept.
    pub(super) scores: Scores,
}

impl Words {
    /// Without any valid bit, in memory.
    pub(super) fn new(words: usize) -> Self {
        let (wins, losses) = (Plane::filled(!0, words), Plane::filled(0, words));
        Self { wins, losses, scores: Scores::Nothing }
    }

    /// The same with distances to the end, each in so many bytes.
    pub(super) fn with_scores(words: usize, width: Width) -> Self {
        Self { scores: Scores::new(width, words), ..Self::new(words) }
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * (self.wins.len() + self.losses.len()) as u64 + self.scores.bytes()
    }
}

/// Words that are final, by side to move, and the number of the first.
pub(super) struct Finals<'a> {
    pub(super) first: usize,
    pub(super) wins: [&'a [u32]; 2],
    pub(super) losses: [&'a [u32]; 2],
}

impl<'a> Finals<'a> {
    /// A side's wins and losses.
    pub(super) const fn decided(&self, side: Color) -> [&'a [u32]; 2] {
        [self.wins[side as usize], self.losses[side as usize]]
    }
}

/// Puts final words where they stay, the planes side by side.
pub(super) fn copy_finals(solved: &mut [Words; 2], finals: &[Finals<'_>]) {
    let [black, white] = solved;
    let [a, b, c, d] = [&mut black.wins, &mut black.losses, &mut white.wins, &mut white.losses];
    let copy = |plane: &mut Plane, words: for<'f> fn(&'f Finals<'_>) -> &'f [u32]| {
        for part in finals {
            let words = words(part);
            plane[part.first..part.first + words.len()].copy_from_slice(words);
        }
    };
    let black = || {
        copy(a, |part| part.wins[0]);
        copy(b, |part| part.losses[0]);
    };
    let white = || {
        copy(c, |part| part.wins[1]);
        copy(d, |part| part.losses[1]);
    };
    rayon::join(black, white);
}

/// A material in some arrangement, with one side to move.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) index: ProductIndex,
    pub(super) words: Arc<Words>,
}

/// A finished material: its usual arrangement, both sides to move.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    pub(super) index: ProductIndex,
    pub(super) sides: [Arc<Words>; 2],
}

impl Solved {
    pub(super) fn side(&self, color: Color) -> Table {
        Table { index: self.index, words: self.sides[color as usize].clone() }
    }

    /// All words.
    pub(super) fn finals(&self) -> Finals<'_> {
        let [black, white] = &self.sides;
        let (wins, losses) = ([&*black.wins, &white.wins], [&*black.losses, &white.losses]);
        Finals { first: 0, wins, losses }
    }
}

/// All finished materials, by canonical material.
#[derive(Debug, Default)]
pub(super) struct Store {
    solved: RwLock<HashMap<Material, Solved>>,
}

impl Store {
    pub(super) fn get(&self, canonical: Material) -> Option<Solved> {
        self.read().get(&canonical).cloned()
    }

    pub(super) fn has(&self, canonical: Material) -> bool {
        self.read().contains_key(&canonical)
    }

    pub(super) fn insert(&self, canonical: Material, solved: Solved) {
        self.solved.write().unwrap_or_else(|e| e.into_inner()).insert(canonical, solved);
    }

    pub(super) fn remove(&self, canonical: Material) {
        self.solved.write().unwrap_or_else(|e| e.into_inner()).remove(&canonical);
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, HashMap<Material, Solved>> {
        self.solved.read().unwrap_or_else(|e| e.into_inner())
    }
}
