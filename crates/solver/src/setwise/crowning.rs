//! Promotions: looked up when a row is classified, like captures.

use crownhead_index::Material;
use crownhead_index::product::{Group, ProductIndex};
use crownhead_rules::{Color, PieceKind};

use super::classify::{Outer, Planes};
use super::geometry::{EDGE, NEIGHBOUR, crown_row, forward, origins, squares, steps};
use super::groups::{Groups, rank};
use super::leaves::Arrangement;
use super::scores::{Code, lower_one, word_mut};
use super::store::Store;
use super::vector::{VectorPath, dispatch};
use super::views::Views;
use crate::SolveError;

/// The tables that one side's quiet promotions lead to.
#[derive(Debug)]
pub(super) struct Crowning {
    side: Color,
    /// Where a numbered man is crowned.
    numbered: Option<Arrangement>,
    /// Where the fast piece is crowned.
    fast: Option<Arrangement>,
}

impl Crowning {
    pub(super) fn new(
        store: &Store,
        views: &Views,
        index: &ProductIndex,
        side: Color,
    ) -> Result<Self, SolveError> {
        let mut crowning = Self { side, numbered: None, fast: None };
        let [numbered, fast] = Self::needed(index, side);
        let arrange = |(material, fast)| {
            let table = views.get(store, material, fast, side.other())?;
            Ok(Arrangement::new(&table.index, table.words))
        };
        crowning.numbered = numbered.map(arrange).transpose()?;
        crowning.fast = fast.map(arrange).transpose()?;
        Ok(crowning)
    }

    /// The material that promotions lead to with the group that must be fast there: for a numbered
    /// man and for the fast piece.
    pub(super) fn needed(index: &ProductIndex, side: Color) -> [Option<(Material, Group)>; 2] {
        let (men, kings) = (Group::of(side, PieceKind::Man), Group::of(side, PieceKind::King));
        let mut counts = Group::ALL.map(|group| group.count(index.material()) as u8);
        if counts[men as usize] == 0 {
            return [None; 2];
        }
        counts[men as usize] -= 1;
        counts[kings as usize] += 1;
        let to = super::material(counts);
        [
            (index.counts()[men as usize] > 0).then_some((to, index.fast())),
            (index.fast() == men).then_some((to, kings)),
        ]
    }

    fn men(&self) -> Group {
        Group::of(self.side, PieceKind::Man)
    }

    fn kings(&self) -> Group {
        Group::of(self.side, PieceKind::King)
    }

    /// The squares from which a man of this side steps to its crown row.
    fn last_row(&self) -> u32 {
        steps(crown_row(self.side)) & !crown_row(self.side)
    }

    /// Adds all promotions in a row to what its quiet positions reach.
    pub(super) fn add(
        &self,
        outer: &Outer<'_>,
        planes: &mut Planes<'_>,
        mut best: Option<&mut [Code]>,
        path: VectorPath,
    ) {
        if let Some(table) = &self.numbered {
            let best = best.as_deref_mut();
            if outer.lane == self.men() {
                self.lane_men(table, outer, planes, best);
            } else {
                self.outer_men(table, outer, planes, best, path);
            }
        }
        if let Some(table) = &self.fast {
            self.fast_man(table, outer, planes, best);
        }
    }

    /// From this square on the row before the crown row to each square there that no outer piece
    /// occupies: the first word with the man gone and the king added, lanes left out.
    fn targets<'t>(
        &self,
        table: &'t Arrangement,
        outer: &'t Outer<'_>,
        from: usize,
    ) -> impl Iterator<Item = (usize, usize)> + 't {
        let (men, kings, side) = (self.men(), self.kings(), self.side);
        let to = forward(side).map(|d| NEIGHBOUR[d][from] as usize);
        let free = move |&to: &usize| to < 32 && outer.occupied >> to & 1 == 0;
        to.into_iter().filter(free).map(move |to| {
            let mut sets = outer.sets;
            sets[men as usize] &= !(1 << from);
            sets[kings as usize] |= 1 << to;
            if kings == outer.lane {
                sets[kings as usize] = 0;
            }
            let part = |g: Group| table.strides[g as usize] * rank(g, sets[g as usize]) as usize;
            (to, Group::ALL.into_iter().filter(|&g| g != outer.lane).map(part).sum())
        })
    }

    fn outer_men(
        &self,
        table: &Arrangement,
        outer: &Outer<'_>,
        planes: &mut Planes<'_>,
        mut best: Option<&mut [Code]>,
        path: VectorPath,
    ) {
        let stride = table.strides[outer.lane as usize];
        for from in squares(outer.sets[self.men() as usize] & self.last_row()) {
            for (to, base) in self.targets(table, outer, from) {
                let lanes = &outer.lanes.table;
                if self.kings() == outer.lane {
                    let with = &Groups::shared().with(outer.lane, lanes.count())[to];
                    for (lane, &rank) in with.iter().enumerate() {
                        if lanes.sets()[lane] >> to & 1 == 0 {
                            let word = base + stride * rank as usize;
                            add(planes, best.as_deref_mut(), lane, table, word);
                        }
                    }
                } else if stride == 1 {
                    let words = base..base + lanes.sets().len();
                    let (wins, losses) = (&table.wins()[words.clone()], &table.losses()[words]);
                    crown(path, planes, lanes.sets(), 1 << to, wins, losses);
                    if let Some(best) = best.as_deref_mut() {
                        for (lane, set) in lanes.sets().iter().enumerate() {
                            if set >> to & 1 == 0 {
                                let best = word_mut(best, lane);
                                table.scores().lower_word(base + lane, planes.quiet[lane], best);
                            }
                        }
                    }
                } else {
                    for (lane, set) in lanes.sets().iter().enumerate() {
                        if set >> to & 1 == 0 {
                            add(planes, best.as_deref_mut(), lane, table, base + stride * lane);
                        }
                    }
                }
            }
        }
    }

    fn lane_men(
        &self,
        table: &Arrangement,
        outer: &Outer<'_>,
        planes: &mut Planes<'_>,
        mut best: Option<&mut [Code]>,
    ) {
        let stride = table.strides[outer.lane as usize];
        for from in squares(self.last_row()) {
            for (_, base) in self.targets(table, outer, from) {
                for &[lane, rest] in &outer.lanes.holding[from] {
                    let word = base + stride * rest as usize;
                    add(planes, best.as_deref_mut(), lane as usize, table, word);
                }
            }
        }
    }

    fn fast_man(
        &self,
        table: &Arrangement,
        outer: &Outer<'_>,
        planes: &mut Planes<'_>,
        mut best: Option<&mut [Code]>,
    ) {
        let base = outer.base(&table.strides);
        let stride = table.strides[outer.lane as usize];
        for lane in 0..planes.wins.len() {
            let word = base + stride * lane;
            let (wins, losses) = (table.wins()[word], table.losses()[word]);
            for d in forward(self.side) {
                let quiet = planes.quiet[lane] & self.last_row();
                planes.wins[lane] |= origins(d, losses) & quiet;
                planes.open[lane] &= origins(d, wins) | EDGE[d] | !self.last_row();
                let Some(best) = best.as_deref_mut() else { continue };
                for from in squares(quiet & !EDGE[d]) {
                    let code = table.scores().at(word, NEIGHBOUR[d][from].into());
                    lower_one(best, lane, from as u32, code);
                }
            }
        }
    }
}

/// A promotion leads from this lane to that word of a table.
#[inline]
fn add(
    planes: &mut Planes<'_>,
    best: Option<&mut [Code]>,
    lane: usize,
    table: &Arrangement,
    word: usize,
) {
    planes.add(lane, table, word);
    if let Some(best) = best {
        table.scores().lower_word(word, planes.quiet[lane], word_mut(best, lane));
    }
}

dispatch! {
    /// The same promotion in every lane in which nothing stands on its square.
    fn crown(
        planes: &mut Planes<'_>,
        sets: &[u32],
        square: u32,
        wins: &[u32],
        losses: &[u32],
    ) = crown_lanes;
}

#[inline(always)]
fn crown_lanes(planes: &mut Planes<'_>, sets: &[u32], square: u32, wins: &[u32], losses: &[u32]) {
    let n = sets.len();
    let (wins, losses) = (&wins[..n], &losses[..n]);
    let (to_wins, open) = (&mut planes.wins[..n], &mut planes.open[..n]);
    let quiet = &planes.quiet[..n];
    for lane in 0..n {
        let able = if sets[lane] & square == 0 { !0 } else { 0 };
        to_wins[lane] |= losses[lane] & quiet[lane] & able;
        open[lane] &= wins[lane] | !able;
    }
}
