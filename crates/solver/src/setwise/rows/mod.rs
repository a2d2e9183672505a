//! The captures of a row of words at once.
//!
//! One capture of one piece is decided by one looked-up word for each lane, and those words lie
//! side by side. A capture that goes on over another numbered piece is rare: such lanes, or bits
//! of them, are left to the [search by word](super::word). What happens often is followed here: a
//! numbered piece takes a numbered one and then the fast one, since that can stand anywhere.

mod chain;
mod fetch;
mod kernels;
mod listed;

pub(super) use self::kernels::Scratch;

use crownhead_index::product::Group;
use crownhead_rules::{Color, PieceKind};

use self::chain::Chain;
use self::fetch::Row;
use self::kernels::{GoesOn, LaneLine, Line, Start, Sweeping};
use self::listed::Listed;
use super::classify::{Outer, Planes};
use super::geometry::{JUMP, NEIGHBOUR, OFF, back, crown_row, forward, squares};
use super::groups::{Groups, rank, ranks_without};
use super::leaves::{Ending, Leaves, Taken};
use super::mutation::{Mutation, made};
use super::vector::dispatch;
use super::word::{Found, Mover};

/// One row, one side to move.
struct Captures<'a> {
    leaves: &'a Leaves,
    outer: &'a Outer<'a>,
    side: Color,
    fast: Group,
    scratch: &'a mut Scratch,
}

dispatch! {
    /// Finds all captures of a row.
    pub(super) fn find(
        mover: &Mover<'_>,
        outer: &Outer<'_>,
        scratch: &mut Scratch,
        planes: &mut Planes<'_>,
    ) = find_all;
}

#[inline(always)]
fn find_all(mover: &Mover<'_>, outer: &Outer<'_>, scratch: &mut Scratch, planes: &mut Planes<'_>) {
    find_short(mover, outer, scratch);
    let sets = outer.lanes.table.sets();
    let fast_squares = mover.fast.squares().0;
    if kernels::goes_on(scratch, sets.len()) && !made(Mutation::ShortCaptures) {
        for (lane, &set) in sets.iter().enumerate() {
            if scratch.goes_on[lane] | scratch.fast_goes_on[lane] != 0 {
                by_word(mover, outer, scratch, lane, set);
            }
        }
    }
    kernels::finish(scratch, fast_squares, planes);
}

/// Finds, in one lane, the captures that go on.
fn by_word(mover: &Mover<'_>, outer: &Outer<'_>, scratch: &mut Scratch, lane: usize, set: u32) {
    let mut sets = outer.sets;
    sets[outer.lane as usize] = set;
    let mut found = Found {
        captures: scratch.captures[lane],
        wins: scratch.wins[lane],
        escapes: scratch.escapes[lane],
    };
    if scratch.goes_on[lane] != 0 {
        mover.by_numbered(sets, scratch.free[lane] & mover.fast.squares().0, &mut found);
    }
    mover.with_fast(sets, scratch.fast_goes_on[lane], &mut found);
    scratch.captures[lane] = found.captures;
    scratch.wins[lane] = found.wins;
    scratch.escapes[lane] = found.escapes;
}

/// All captures but those it leaves to the search by word.
#[inline(always)]
fn find_short(mover: &Mover<'_>, outer: &Outer<'_>, scratch: &mut Scratch) {
    let &Mover { leaves, side, fast } = mover;
    let sets = outer.lanes.table.sets();
    scratch.resize(sets.len());
    let of = |color, kind| outer.sets[Group::of(color, kind) as usize];
    let enemy = side.other();
    let start = Start {
        occupied: outer.occupied,
        enemies: of(enemy, PieceKind::Man) | of(enemy, PieceKind::King),
        lanes_are_enemies: outer.lane.color() == enemy,
        forward: forward(side)[0],
        fast_squares: if fast.color() == side { fast.squares().0 } else { 0 },
        fast_is_king: fast.kind() == PieceKind::King,
    };
    kernels::start(scratch, sets, start);
    let mut row = Captures { leaves, outer, side, fast, scratch };
    if fast.color() == side {
        row.fast_over_outer();
        row.fast_over_lanes();
    } else {
        row.outer_over_fast();
        row.lanes_over_fast();
    }
    row.outer_over_outer();
    row.outer_over_lanes();
    row.lanes_over_outer();
}

const KINDS: [PieceKind; 2] = [PieceKind::Man, PieceKind::King];

impl<'a> Captures<'a> {
    #[inline(always)]
    fn own(&self, kind: PieceKind) -> Group {
        Group::of(self.side, kind)
    }

    #[inline(always)]
    fn enemy(&self, kind: PieceKind) -> Group {
        Group::of(self.side.other(), kind)
    }

    #[inline(always)]
    fn directions(&self, kind: PieceKind) -> core::ops::Range<usize> {
        match kind {
            PieceKind::King => 0..4,
            PieceKind::Man => forward(self.side)[0]..forward(self.side)[0] + 2,
        }
    }

    #[inline(always)]
    fn crowns(&self, kind: PieceKind, landing: u8) -> bool {
        kind == PieceKind::Man && crown_row(self.side) >> landing & 1 != 0
    }

    #[inline(always)]
    fn outer_free(&self, square: u8) -> bool {
        square != OFF && self.outer.occupied >> square & 1 == 0
    }

    #[inline(always)]
    fn lane_is(&self, group: Group) -> bool {
        self.outer.lane == group
    }

    #[inline(always)]
    fn goes_on(kind: PieceKind, crowned: bool) -> GoesOn {
        match (crowned, kind) {
            (true, _) => GoesOn::Never,
            (false, PieceKind::King) => GoesOn::King,
            (false, PieceKind::Man) => GoesOn::Man,
        }
    }

    #[inline(always)]
    fn lanes_are_enemies(&self) -> bool {
        self.outer.lane.color() != self.side
    }

    #[inline(always)]
    fn line(&mut self, row: Row<'_>, line: Line, goes_on: GoesOn) {
        let lanes = self.outer.lanes.table.len() as usize;
        let mut fetched = core::mem::take(&mut self.scratch.fetched);
        let (wins, losses) = row.all(lanes, &mut fetched);
        kernels::line(self.scratch, wins, losses, line, goes_on);
        self.scratch.fetched = fetched;
    }

    /// The fast piece takes an outer piece.
    #[inline(always)]
    fn fast_over_outer(&mut self) {
        let mut ends = Vec::new();
        let kind = self.fast.kind();
        for victim in KINDS.map(|kind| self.enemy(kind)) {
            for (square, rank) in ranks_without(victim, self.outer.sets[victim as usize]) {
                let taken = Taken::one(victim.kind());
                for d in self.directions(kind) {
                    let (to, from) = (NEIGHBOUR[d][square], NEIGHBOUR[back(d)][square]);
                    if !self.outer_free(to) || !self.outer_free(from) {
                        continue;
                    }
                    if !self.lanes_are_enemies() {
                        let mut chain = Chain::by_fast(self, kind, 1 << from);
                        chain.take(victim, square);
                        self.follow(chain, to, &mut ends);
                        continue;
                    }
                    let crowned = self.crowns(kind, to);
                    let ending = if crowned { Ending::FastCrowned } else { Ending::Kept };
                    let goes_on = if crowned { GoesOn::Never } else { GoesOn::Fast };
                    let leaf = self.leaves.get(ending, taken);
                    let row = Row::new(leaf, self.outer, &[(victim, rank)]);
                    let line = Line::new(1 << to, 1 << from);
                    self.line(row, line, goes_on);
                }
            }
        }
        for (row, line) in ends {
            self.line(row, line, GoesOn::Never);
        }
    }

    /// The fast piece takes a piece of the lanes.
    #[inline(always)]
    fn fast_over_lanes(&mut self) {
        let lane = self.outer.lane;
        if lane.color() == self.side {
            return;
        }
        let crown = crown_row(self.side);
        let king = self.fast.kind() == PieceKind::King;
        let taken = Taken::one(lane.kind());
        let kept = Row::new(self.leaves.get(Ending::Kept, taken), self.outer, &[]);
        let lanes = self.outer.lanes;
        for (k, bits) in lanes.bits.iter().enumerate() {
            kept.gather(lanes.table.without(k as u32), &mut self.scratch.fetched);
            for d in self.directions(self.fast.kind()) {
                let landings = if king { !0 } else { !crown };
                let line = LaneLine { d, landings, lane_moves: false };
                kernels::lane_line(self.scratch, bits, line, GoesOn::Fast);
            }
            if !king {
                let crowned = self.leaves.get(Ending::FastCrowned, taken);
                let crowned = Row::new(crowned, self.outer, &[]);
                crowned.gather(lanes.table.without(k as u32), &mut self.scratch.fetched);
                for d in self.directions(PieceKind::Man) {
                    let line = LaneLine { d, landings: crown, lane_moves: false };
                    kernels::lane_line(self.scratch, bits, line, GoesOn::Never);
                }
            }
        }
    }

    #[inline(always)]
    fn taking_fast(kind: PieceKind, crowned: bool) -> Ending {
        match (kind, crowned) {
            (PieceKind::King, _) => Ending::ByKing,
            (PieceKind::Man, false) => Ending::ByMan,
            (PieceKind::Man, true) => Ending::ByCrowned,
        }
    }

    /// An outer piece takes the fast piece.
    #[inline(always)]
    fn outer_over_fast(&mut self) {
        let mut ends = Vec::new();
        for kind in KINDS {
            let mover = self.own(kind);
            for (from, rank) in ranks_without(mover, self.outer.sets[mover as usize]) {
                for d in self.directions(kind) {
                    let (over, to) = (NEIGHBOUR[d][from], JUMP[d][from]);
                    if !self.outer_free(to) || !self.outer_free(over) {
                        continue;
                    }
                    let square = 1 << over & self.fast.squares().0;
                    if !self.lanes_are_enemies() {
                        let chain = Chain::over_fast(self, mover, from, rank, square);
                        self.follow(chain, to, &mut ends);
                        continue;
                    }
                    let crowned = self.crowns(kind, to);
                    let leaf = self.leaves.get(Self::taking_fast(kind, crowned), Taken::default());
                    let row = Row::new(leaf, self.outer, &[(mover, rank)]);
                    let line = Line::new(1 << to, square);
                    self.line(row, line, Self::goes_on(kind, crowned));
                }
            }
        }
        for (row, line) in ends {
            self.line(row, line, GoesOn::Never);
        }
    }

    /// A piece of the lanes takes the fast piece.
    #[inline(always)]
    fn lanes_over_fast(&mut self) {
        let lane = self.outer.lane;
        if lane.color() != self.side {
            return;
        }
        let kind = lane.kind();
        let crown = crown_row(self.side);
        let lanes = self.outer.lanes;
        for crowned in [false, true] {
            if crowned && kind == PieceKind::King {
                continue;
            }
            let leaf = self.leaves.get(Self::taking_fast(kind, crowned), Taken::default());
            let row = Row::new(leaf, self.outer, &[]);
            let landings = match (kind, crowned) {
                (PieceKind::King, _) => !0,
                (PieceKind::Man, false) => !crown,
                (PieceKind::Man, true) => crown,
            };
            for (k, bits) in lanes.bits.iter().enumerate() {
                row.gather(lanes.table.without(k as u32), &mut self.scratch.fetched);
                for d in self.directions(kind) {
                    let line = LaneLine { d, landings, lane_moves: true };
                    kernels::lane_line(self.scratch, bits, line, Self::goes_on(kind, crowned));
                }
            }
        }
    }

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
    fn outer_over_outer(&mut self) {
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
        let (wins, losses) = if crowned && self.lane_is(self.own(PieceKind::King)) {
            let with = &Groups::shared().with(outer.lane, outer.lanes.table.count())[to as usize];
            row.gather(with, &mut fetched);
            (&fetched.wins[..lanes], &fetched.losses[..lanes])
        } else {
            row.all(lanes, &mut fetched)
        };
        kernels::sweeping(self.scratch, wins, losses, capture, Self::goes_on(kind, crowned));
        self.scratch.fetched = fetched;
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
    fn outer_over_lanes(&mut self) {
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
                        capture.add(self.scratch, lane as usize, rank, rank);
                    }
                }
            }
        }
    }

    /// A piece of the lanes takes an outer piece.
    #[inline(always)]
    fn lanes_over_outer(&mut self) {
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
                        capture.add(self.scratch, lane as usize, rank, rest);
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
