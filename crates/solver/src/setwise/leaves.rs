//! The tables that the captures of one side lead to, arranged for look-up by one word.

use std::sync::Arc;

use crownhead_index::Material;
use crownhead_index::product::{Group, ProductIndex};
use crownhead_rules::{Color, PieceKind};

use super::scores::Scores;
use super::store::{Store, Words};
use super::views::Views;
use crate::SolveError;

/// Where a capture ends.
#[derive(Clone, Debug, Default)]
pub(super) enum Leaf {
    /// The material does not allow it.
    #[default]
    Impossible,
    /// The opponent has no piece left.
    Won,
    /// A word of another material, the opponent to move.
    Look(Arrangement),
}

/// A table by the ranks of its groups.
#[derive(Clone, Debug)]
pub(super) struct Arrangement {
    words: Arc<Words>,
    /// Words between neighbouring ranks.
    pub(super) strides: [usize; 4],
}

impl Arrangement {
    pub(super) fn new(index: &ProductIndex, words: Arc<Words>) -> Self {
        Self { words, strides: index.strides().map(|stride| stride as usize) }
    }

    pub(super) fn wins(&self) -> &[u32] {
        &self.words.wins
    }

    pub(super) fn losses(&self) -> &[u32] {
        &self.words.losses
    }

    pub(super) fn scores(&self) -> &Scores {
        &self.words.scores
    }
}

/// How many men and kings a capture has taken, the fast piece not counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Taken {
    pub(super) men: usize,
    pub(super) kings: usize,
}

impl Taken {
    pub(super) const fn one(kind: PieceKind) -> Self {
        match kind {
            PieceKind::Man => Self { men: 1, kings: 0 },
            PieceKind::King => Self { men: 0, kings: 1 },
        }
    }

    #[must_use]
    pub(super) const fn and(self, kind: PieceKind) -> Self {
        let one = Self::one(kind);
        Self { men: self.men + one.men, kings: self.kings + one.kings }
    }
}

/// What kind of capture a leaf ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// The fast piece is what it was, wherever it stands; no man was crowned.
    Kept,
    /// A numbered man was crowned, the fast piece is what it was.
    KeptCrowned,
    /// The fast piece, a man, was crowned.
    FastCrowned,
    /// The fast piece was taken; a man took it and is the fast piece now.
    ByMan,
    /// The fast piece was taken; a king took it and is the fast piece now.
    ByKing,
    /// The fast piece was taken; a man took it, was crowned, and is the fast piece now.
    ByCrowned,
}

const ENDINGS: [Ending; 6] = [
    Ending::Kept,
    Ending::KeptCrowned,
    Ending::FastCrowned,
    Ending::ByMan,
    Ending::ByKing,
    Ending::ByCrowned,
];

/// All leaves of one side's captures in one material.
#[derive(Debug)]
pub(super) struct Leaves {
    /// By ending, men taken and kings taken.
    table: [Vec<Leaf>; 6],
    kings: usize,
}

impl Leaves {
    /// Finds or makes the arrangements.
    pub(super) fn new(
        store: &Store,
        views: &Views,
        index: &ProductIndex,
        mover: Color,
    ) -> Result<Self, SolveError> {
        let counts = Group::ALL.map(|group| group.count(index.material()) as usize);
        let enemy = |kind| counts[Group::of(mover.other(), kind) as usize];
        let (men, kings) = (enemy(PieceKind::Man), enemy(PieceKind::King));
        let mut table: [Vec<Leaf>; 6] = Default::default();
        for (ending, leaves) in ENDINGS.into_iter().zip(&mut table) {
            for men in 0..=men {
                for kings in 0..=kings {
                    let target = target(index, mover, ending, Taken { men, kings });
                    leaves.push(target.leaf(store, views, mover)?);
                }
            }
        }
        Ok(Self { table, kings: kings + 1 })
    }

    /// The materials that are looked up, each with the group that must be fast.
    pub(super) fn needed(
        index: &ProductIndex,
        mover: Color,
    ) -> impl Iterator<Item = (Material, Group)> {
        let enemy = |kind| Group::of(mover.other(), kind).count(index.material()) as usize;
        let (men, kings) = (enemy(PieceKind::Man), enemy(PieceKind::King));
        let taken =
            (0..=men).flat_map(move |men| (0..=kings).map(move |kings| Taken { men, kings }));
        let targets =
            move |taken| ENDINGS.into_iter().map(move |ending| target(index, mover, ending, taken));
        taken.flat_map(targets).filter_map(|target| match target {
            Target::Material(material, fast) => Some((material, fast)),
            _ => None,
        })
    }

    #[inline]
    pub(super) fn get(&self, ending: Ending, taken: Taken) -> &Leaf {
        &self.table[ending as usize][taken.men * self.kings + taken.kings]
    }
}

enum Target {
    Impossible,
    Won,
    Material(Material, Group),
}

impl Target {
    fn leaf(&self, store: &Store, views: &Views, mover: Color) -> Result<Leaf, SolveError> {
        Ok(match *self {
            Self::Impossible => Leaf::Impossible,
            Self::Won => Leaf::Won,
            Self::Material(material, fast) => {
                let table = views.get(store, material, fast, mover.other())?;
                Leaf::Look(Arrangement::new(&table.index, table.words))
            }
        })
    }
}

fn target(index: &ProductIndex, mover: Color, ending: Ending, taken: Taken) -> Target {
    let fast = index.fast();
    let own = |kind| Group::of(mover, kind);
    let enemy = |kind| Group::of(mover.other(), kind);
    let fast_is_own = fast.color() == mover;
    let (takes_fast, crowns, new_fast) = match ending {
        Ending::Kept => (false, false, fast),
        Ending::KeptCrowned => (false, true, fast),
        Ending::FastCrowned if fast != own(PieceKind::Man) => return Target::Impossible,
        Ending::FastCrowned => (false, true, own(PieceKind::King)),
        Ending::ByMan => (true, false, own(PieceKind::Man)),
        Ending::ByKing => (true, false, own(PieceKind::King)),
        Ending::ByCrowned => (true, true, own(PieceKind::King)),
    };
    if takes_fast && fast_is_own || !takes_fast && taken == Taken::default() {
        return Target::Impossible;
    }
    let mut counts = Group::ALL.map(|group| i32::from(group.count(index.material()) as u8));
    counts[enemy(PieceKind::Man) as usize] -= taken.men as i32;
    counts[enemy(PieceKind::King) as usize] -= taken.kings as i32;
    counts[fast as usize] -= i32::from(takes_fast);
    if crowns {
        counts[own(PieceKind::Man) as usize] -= 1;
        counts[own(PieceKind::King) as usize] += 1;
    }
    if counts.iter().any(|&count| count < 0) {
        return Target::Impossible;
    }
    let material = super::material(counts.map(|count| count as u8));
    if material.side(mover.other()).pieces() == 0 {
        return Target::Won;
    }
    // No capture takes so many, or its piece has gone: then nothing needs that material either.
    if new_fast.count(material) == 0 || !index.material().has_part(&material) {
        return Target::Impossible;
    }
    Target::Material(material, new_fast)
}
