//! Captures of a numbered piece by a numbered one.

use crownhead_index::product::Group;
use crownhead_rules::PieceKind;

use super::super::geometry::{JUMP, NEIGHBOUR, back, squares};
use super::super::groups::{Groups, rank, ranks_without};
use super::super::leaves::{Ending, Taken};
use super::fetch::Row;
use super::kernels::{self, Line, Sweeping};
use super::listed::Listed;
use super::{Captures, KINDS, scored};

impl<'a> Captures<'a> {
    /// How a capture can go on over the fast piece from a landing square.
    #[inline(always)]
    fn over_fast_from(&self, kind: PieceKind, crowned: bool, at: u8) -> [[u32; 2]; 4] {
        let mut next = [[0; 2]; 4];
        if crowned || self.fast.color() == self.side {
            return next;
        }
        for d in self.directions(kind) {
            let (over, to) = (NEIGHBOUR[d][at as usize], JUMP[d][at as usize]);
            if self.outer_free(to) && self.outer_free(over) {
                next[d] = [1 << over & self.fast.squares().0, 1 << to];
            }
        }
        next
    }

    #[inline(always)]
    fn sweeping(&self, kind: PieceKind, crowned: bool, landing: u8) -> Sweeping {
        Sweeping {
            landing: 1 << landing,
            fast_squares: self.fast.squares().0,
            over_fast: self.over_fast_from(kind, crowned, landing),
        }
    }

    /// An outer piece takes an outer piece.
    #[inline(always)]
    pub(super) fn outer_over_outer(&mut self) {
        let enemies = self.enemy(PieceKind::Man);
        let enemy_men = self.outer.sets[enemies as usize];
        let enemy_kings = self.outer.sets[self.enemy(PieceKind::King) as usize];
        for kind in KINDS {
            let mover = self.own(kind);
            for from in squares(self.outer.sets[mover as usize]) {
                for d in self.directions(kind) {
                    let (over, to) = (NEIGHBOUR[d][from], JUMP[d][from]);
                    if !self.outer_free(to) || (enemy_men | enemy_kings) >> over & 1 == 0 {
                        continue;
                    }
                    let man = enemy_men >> over & 1 != 0;
                    let victim = self.enemy(if man { PieceKind::Man } else { PieceKind::King });
                    self.outer_takes_outer(mover, from, victim, over, to);
                }
            }
        }
    }

    #[inline(always)]
    fn outer_takes_outer(&mut self, mover: Group, from: usize, victim: Group, over: u8, to: u8) {
        let (kind, outer) = (mover.kind(), self.outer);
        let taken = Taken::one(victim.kind());
        let crowned = self.crowns(kind, to);
        let capture = self.sweeping(kind, crowned, to);
        let rest = outer.sets[mover as usize] & !(1 << from);
        let victims = rank(victim, outer.sets[victim as usize] & !(1 << over));
        let row = self.after(mover, rest, to, crowned, Some((victim, victims)), taken);
        let lanes = outer.lanes.table.len() as usize;
        let mut fetched = core::mem::take(&mut self.scratch.fetched);
        let kings_are_lanes = crowned && self.lane_is(self.own(PieceKind::King));
        let with = kings_are_lanes.then(|| {
            &Groups::shared().with(outer.lane, outer.lanes.table.count())[to as usize][..]
        });
        let (wins, losses) = if let Some(with) = with {
            row.gather(with, &mut fetched);
            (&fetched.wins[..lanes], &fetched.losses[..lanes])
        } else {
            row.all(lanes, &mut fetched)
        };
        let goes_on = Self::goes_on(kind, crowned);
        kernels::sweeping(self.scratch, wins, losses, capture, goes_on);
        self.scratch.fetched = fetched;
        if let Some(best) = self.best.as_deref_mut() {
            scored::sweeping(best, self.scratch, row, with, capture, goes_on);
        }
        for [square, landing] in capture.over_fast.into_iter().filter(|next| next[0] != 0) {
            let crowned = self.crowns(kind, landing.trailing_zeros() as u8);
            let leaf = self.leaves.get(Self::taking_fast(kind, crowned), taken);
            let rest = rank(mover, rest);
            let row = Row::new(leaf, outer, &[(mover, rest), (victim, victims)]);
            let line = Line {
                through: landing | 1 << to,
                began_numbered: true,
                ..Line::new(landing, square)
            };
            self.line(row, line, Self::goes_on(kind, crowned));
        }
    }

    /// The table after an outer piece moved to a square.
    #[inline(always)]
    fn after(
        &self,
        mover: Group,
        rest: u32,
        to: u8,
        crowned: bool,
        victim: Option<(Group, u32)>,
        taken: Taken,
    ) -> Row<'a> {
        let kings = self.own(PieceKind::King);
        let ending = if crowned { Ending::KeptCrowned } else { Ending::Kept };
        let leaf = self.leaves.get(ending, taken);
        let mut changed = [(mover, rank(mover, rest | 1 << to)); 3];
        if crowned {
            changed[0] = (mover, rank(mover, rest));
            changed[1] = (kings, rank(kings, self.outer.sets[kings as usize] | 1 << to));
            if self.lane_is(kings) {
                changed[1] = changed[0];
            }
        }
        changed[2] = victim.unwrap_or(changed[0]);
        Row::new(leaf, self.outer, &changed)
    }

    /// An outer piece takes a piece of the lanes.
    #[inline(always)]
    pub(super) fn outer_over_lanes(&mut self) {
        let (outer, lane) = (self.outer, self.outer.lane);
        if lane.color() == self.side {
            return;
        }
        let taken = Taken::one(lane.kind());
        for kind in KINDS {
            let mover = self.own(kind);
            for from in squares(outer.sets[mover as usize]) {
                for d in self.directions(kind) {
                    let (over, to) = (NEIGHBOUR[d][from], JUMP[d][from]);
                    if !self.outer_free(to) || !self.outer_free(over) {
                        continue;
                    }
                    let crowned = self.crowns(kind, to);
                    let rest = outer.sets[mover as usize] & !(1 << from);
                    let row = self.after(mover, rest, to, crowned, None, taken);
                    let changed = (mover, rank(mover, rest));
                    let capture = self.listed(kind, crowned, to, taken, row, changed);
                    for &[lane, rank] in &outer.lanes.holding[over as usize] {
                        let best = self.best.as_deref_mut();
                        capture.add(self.scratch, best, lane as usize, rank, rank);
                    }
                }
            }
        }
    }

    /// A piece of the lanes takes an outer piece.
    #[inline(always)]
    pub(super) fn lanes_over_outer(&mut self) {
        let (outer, lane) = (self.outer, self.outer.lane);
        if lane.color() != self.side {
            return;
        }
        let (kind, count) = (lane.kind(), outer.lanes.table.count());
        let kings = self.own(PieceKind::King);
        for victim in KINDS.map(|kind| self.enemy(kind)) {
            let taken = Taken::one(victim.kind());
            for (square, victims) in ranks_without(victim, outer.sets[victim as usize]) {
                for d in self.directions(kind) {
                    let (to, from) = (NEIGHBOUR[d][square], NEIGHBOUR[back(d)][square]);
                    if !self.outer_free(to) || !self.outer_free(from) {
                        continue;
                    }
                    let crowned = self.crowns(kind, to);
                    let ending = if crowned { Ending::KeptCrowned } else { Ending::Kept };
                    let crown = rank(kings, outer.sets[kings as usize] | 1 << to);
                    let taking = (victim, victims);
                    let changed = [taking, if crowned { (kings, crown) } else { taking }];
                    let row = Row::new(self.leaves.get(ending, taken), outer, &changed);
                    let capture = self.listed(kind, crowned, to, taken, row, taking);
                    let with = &Groups::shared().with(lane, count - 1)[to as usize];
                    for &[lane, rest] in &outer.lanes.holding[from as usize] {
                        let rank = if crowned { rest } else { with[rest as usize] };
                        let best = self.best.as_deref_mut();
                        capture.add(self.scratch, best, lane as usize, rank, rest);
                    }
                }
            }
        }
    }

    /// A capture that is looked up lane by lane: in `row`, or, if it goes on over the fast piece,
    /// with this one change of the outer pieces.
    #[inline(always)]
    fn listed(
        &self,
        kind: PieceKind,
        crowned: bool,
        to: u8,
        taken: Taken,
        row: Row<'a>,
        changed: (Group, u32),
    ) -> Listed<'a> {
        let sweeping = self.sweeping(kind, crowned, to);
        let next = sweeping.over_fast.map(|[square, landing]| {
            let crowned = square != 0 && self.crowns(kind, landing.trailing_zeros() as u8);
            let row = match square {
                0 => Row::Won,
                _ => {
                    let leaf = self.leaves.get(Self::taking_fast(kind, crowned), taken);
                    Row::new(leaf, self.outer, &[changed])
                }
            };
            (row, Self::goes_on(kind, crowned))
        });
        Listed { sweeping, goes_on: Self::goes_on(kind, crowned), row, next }
    }
}
