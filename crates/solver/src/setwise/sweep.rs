//! Sweeps king moves inside one component to the fixed point.

use crownhead_index::product::{Group, ProductIndex};
use crownhead_rules::{Color, PieceKind};

use super::component::Component;
use super::geometry::{EDGE, origins};
use super::groups::Groups;

/// The king moves of one material's components.
pub(super) struct KingMoves {
    fast: Group,
    rows: usize,
    row_len: usize,
    black: &'static crownhead_index::product::GroupTable,
    white: &'static crownhead_index::product::GroupTable,
    kings: [bool; 2],
}

impl KingMoves {
    pub(super) fn new(index: &ProductIndex) -> Self {
        let table = |group: Group| Groups::shared().table(group, index.counts()[group as usize]);
        let kings = |side| index.material().side(side).kings > 0;
        let dim = |group: Group| index.dims()[group as usize] as usize;
        Self {
            fast: index.fast(),
            rows: dim(Group::BlackKings),
            row_len: dim(Group::WhiteKings),
            black: table(Group::BlackKings),
            white: table(Group::WhiteKings),
            kings: Color::BOTH.map(kings),
        }
    }

    pub(super) fn has_kings(&self, side: Color) -> bool {
        self.kings[side as usize]
    }

    fn neighbours(&self, side: Color, word: usize) -> impl Iterator<Item = usize> {
        let (row, lane) = (word / self.row_len, word % self.row_len);
        let row_len = self.row_len;
        let steps = match side {
            Color::Black => self.black.steps(row as u32),
            Color::White => self.white.steps(lane as u32),
        };
        steps.iter().map(move |&to| match side {
            Color::Black => to as usize * row_len + lane,
            Color::White => row * row_len + to as usize,
        })
    }

    fn owns_fast_king(&self, side: Color) -> bool {
        self.fast.color() == side && self.fast.kind() == PieceKind::King
    }

    /// Positions from which a king move leads to a bit of `losses`, the opponent's.
    fn reaching(&self, side: Color, losses: &[u32], word: usize) -> u32 {
        let mut found = 0;
        if self.owns_fast_king(side) {
            found |= (0..4).fold(0, |all, d| all | origins(d, losses[word]));
        }
        self.neighbours(side, word).fold(found, |all, to| all | losses[to])
    }

    /// Positions of which every king move leads to a bit of `wins`, the opponent's.
    fn forced(&self, side: Color, wins: &[u32], word: usize) -> u32 {
        let mut found = !0;
        if self.owns_fast_king(side) {
            found = (0..4).fold(!0, |all, d| all & (origins(d, wins[word]) | EDGE[d]));
        }
        self.neighbours(side, word).fold(found, |all, to| all & wins[to])
    }

    /// Sweeps one component to its fixed point, in the simplest way.
    pub(super) fn sweep(&self, component: &mut Component) {
        for side in Color::BOTH.into_iter().filter(|&side| !self.has_kings(side)) {
            component.lose_open(side);
        }
        let words = self.rows * self.row_len;
        loop {
            let mut changed = 0;
            for side in Color::BOTH.into_iter().filter(|&side| self.has_kings(side)) {
                let (own, other) = (side as usize, side.other() as usize);
                for word in 0..words {
                    let new = self.reaching(side, &component.losses[other], word)
                        & component.quiet[own][word]
                        & !component.wins[own][word];
                    component.wins[own][word] |= new;
                    changed |= new;
                }
                for word in 0..words {
                    let known = component.wins[own][word] | component.losses[own][word];
                    let new = self.forced(side, &component.wins[other], word)
                        & component.open[own][word]
                        & !known;
                    component.losses[own][word] |= new;
                    changed |= new;
                }
            }
            if changed == 0 {
                return;
            }
        }
    }
}
