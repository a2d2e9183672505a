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
mod numbered;
mod scored;

pub(super) use self::kernels::Scratch;

use crownhead_index::product::Group;
use crownhead_rules::{Color, PieceKind};

use self::chain::Chain;
use self::fetch::Row;
use self::kernels::{GoesOn, LaneLine, Line, Start};
use super::classify::{Outer, Planes};
use super::geometry::{JUMP, NEIGHBOUR, OFF, back, crown_row, forward};
use super::groups::ranks_without;
use super::leaves::{Ending, Leaves, Taken};
use super::mutation::{Mutation, made};
use super::scores::{Code, word_mut};
use super::vector::dispatch;
use super::word::{Found, Mover};

/// One row, one side to move.
struct Captures<'a> {
    leaves: &'a Leaves,
    outer: &'a Outer<'a>,
    side: Color,
    fast: Group,
    scratch: &'a mut Scratch,
    /// The least codes behind captures, 32 for each lane, where they are wanted.
    best: Option<&'a mut [Code]>,
}

dispatch! {
    /// Finds all captures of a row.
    pub(super) fn find(
        mover: &Mover<'_>,
        outer: &Outer<'_>,
        scratch: &mut Scratch,
        planes: &mut Planes<'_>,
        best: Option<&mut [Code]>,
    ) = find_all;
}

#[inline(always)]
fn find_all(
    mover: &Mover<'_>,
    outer: &Outer<'_>,
    scratch: &mut Scratch,
    planes: &mut Planes<'_>,
    mut best: Option<&mut [Code]>,
) {
    find_short(mover, outer, scratch, best.as_deref_mut());
    let sets = outer.lanes.table.sets();
    let fast_squares = mover.fast.squares().0;
    if kernels::goes_on(scratch, sets.len()) && !made(Mutation::ShortCaptures) {
        for (lane, &set) in sets.iter().enumerate() {
            if scratch.goes_on[lane] | scratch.fast_goes_on[lane] != 0 {
                let best = best.as_deref_mut().map(|best| word_mut(best, lane));
                by_word(mover, outer, scratch, best, [lane as u32, set]);
            }
        }
    }
    kernels::finish(scratch, fast_squares, planes);
}

/// Finds, in one lane, the captures that go on.
fn by_word(
    mover: &Mover<'_>,
    outer: &Outer<'_>,
    scratch: &mut Scratch,
    best: Option<&mut [Code]>,
    [lane, set]: [u32; 2],
) {
    let lane = lane as usize;
    let mut sets = outer.sets;
    sets[outer.lane as usize] = set;
    let mut found = Found {
        captures: scratch.captures[lane],
        wins: scratch.wins[lane],
        escapes: scratch.escapes[lane],
        best,
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
fn find_short(
    mover: &Mover<'_>,
    outer: &Outer<'_>,
    scratch: &mut Scratch,
    best: Option<&mut [Code]>,
) {
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
    let mut row = Captures { leaves, outer, side, fast, scratch, best };
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
        if let Some(best) = self.best.as_deref_mut() {
            scored::line(best, self.scratch, row, line, goes_on);
        }
    }

    /// A capture by or of the `k`-th piece of the lanes, looked up in the fetched words of the row.
    #[inline(always)]
    fn lane_line(&mut self, row: Row<'_>, k: usize, bits: &[u32], line: LaneLine, goes_on: GoesOn) {
        kernels::lane_line(self.scratch, bits, line, goes_on);
        if let Some(best) = self.best.as_deref_mut() {
            let table = &self.outer.lanes.table;
            let (squares, ranks) = (table.squares(k as u32), table.without(k as u32));
            scored::lane_line(best, self.scratch, row, squares, ranks, line, goes_on);
        }
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
                self.lane_line(kept, k, bits, line, GoesOn::Fast);
            }
            if !king {
                let crowned = self.leaves.get(Ending::FastCrowned, taken);
                let crowned = Row::new(crowned, self.outer, &[]);
                crowned.gather(lanes.table.without(k as u32), &mut self.scratch.fetched);
                for d in self.directions(PieceKind::Man) {
                    let line = LaneLine { d, landings: crown, lane_moves: false };
                    self.lane_line(crowned, k, bits, line, GoesOn::Never);
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
                    self.lane_line(row, k, bits, line, Self::goes_on(kind, crowned));
                }
            }
        }
    }
}
