//! Distances to the end of the game inside one component: decisions enter at their exact ply.
//!
//! A conversion decides its position at the ply that the table of the material it leads to gives:
//! wins and losses by capture are *due* then. A quiet position all of whose conversions lose waits
//! for the slowest of them before king moves into the opponent's wins can make it a loss: until
//! that ply it is not *open*.

use crownhead_rules::Color;

use super::super::component::{Codes, Component};
use super::super::geometry::squares;
use super::super::mutation::{Mutation, made};
use super::super::scores::{Code, NONE, SQUARES, before, pairs};
use super::super::vector::{VectorPath, dispatch};
use super::{Change, KingMoves, Plies, Sweep, Verdict, frontier};

/// What conversions decide, by half the ply.
#[derive(Debug, Default)]
struct Buckets {
    /// Memory is kept from one component to the next.
    due: Vec<Vec<Change>>,
    /// So many are in use; all after them are empty.
    used: usize,
}

impl Buckets {
    /// Adds positions of one word, each to the bucket of its code, or so many later.
    #[inline(always)]
    fn add(&mut self, codes: &[Code], at: Change, later: usize) {
        let mut rest = at.bits;
        while rest != 0 {
            let code = codes[rest.trailing_zeros() as usize];
            let bits = if rest & (rest - 1) == 0 { rest } else { equal(codes, code) & rest };
            self.push(usize::from(pairs(code)) + later, Change { bits, ..at });
            rest &= !bits;
        }
    }

    #[inline(always)]
    fn push(&mut self, pairs: usize, change: Change) {
        if self.used <= pairs {
            self.extend(pairs + 1);
        }
        self.due[pairs].push(change);
    }

    #[cold]
    fn extend(&mut self, used: usize) {
        self.used = used;
        if self.due.len() < used {
            self.due.resize_with(used, Vec::new);
        }
    }

    fn due(&self, pairs: usize) -> &[Change] {
        self.due.get(pairs).map_or(&[], |due| due)
    }

    fn clear(&mut self) {
        self.due[..self.used].iter_mut().for_each(Vec::clear);
        self.used = 0;
    }
}

/// The squares with this code.
#[inline(always)]
fn equal(codes: &[Code], code: Code) -> u32 {
    let mut squares = 0;
    for (square, &other) in codes.iter().enumerate() {
        squares |= u32::from(other == code) << square;
    }
    squares
}

/// What is due in one component.
#[derive(Debug, Default)]
pub(in super::super) struct Schedule {
    /// By side: wins at ply `2k + 1`.
    wins: [Buckets; 2],
    /// By side: losses by capture, or for want of any move, at ply `2k`.
    losses: [Buckets; 2],
    /// By side: positions that can be lost from ply `2k` on.
    open: [Buckets; 2],
}

impl Schedule {
    /// Whether nothing is due at this ply or later.
    fn is_done(&self, ply: u32) -> bool {
        let at = ply as usize / 2;
        let all = self.wins.iter().chain(&self.losses).chain(&self.open);
        all.into_iter().all(|buckets| buckets.used <= at)
    }

    fn clear(&mut self) {
        let all = self.wins.iter_mut().chain(&mut self.losses).chain(&mut self.open);
        all.for_each(Buckets::clear);
    }
}

/// The codes of a component that is being swept.
struct Decided<'a>(&'a mut Codes);

impl Plies for Decided<'_> {
    const WANTED: bool = true;

    #[inline(always)]
    fn note(&mut self, ply: u32, side: Color, word: usize, bits: u32) {
        let pairs = (ply / 2) as u16;
        let code = if ply & 1 == 0 { pairs } else { !pairs };
        let codes = &mut self.0.0[side as usize][SQUARES * word..][..SQUARES];
        if bits & bits.wrapping_sub(1) == 0 {
            squares(bits).for_each(|square| codes[square] = code);
            return;
        }
        for (square, to) in codes.iter_mut().enumerate() {
            // By masks, or the compiler makes 32 branches of it.
            let here = ((bits >> square & 1) as u16).wrapping_neg();
            *to = *to & !here | code & here;
        }
    }

    #[inline(always)]
    fn note_all(
        &mut self,
        ply: u32,
        (side, _): (Color, Verdict),
        changes: &[Change],
        quiet: &[u32],
    ) {
        for change in changes {
            // Codes of captures are known before.
            let word = change.word as usize;
            self.note(ply, side, word, change.bits & quiet[word]);
        }
    }

    #[inline(always)]
    fn note_one(&mut self, side: Color, first: usize, bits: &[u32]) {
        for (word, &bits) in bits.iter().enumerate() {
            self.note(1, side, first + word, bits);
        }
    }
}

dispatch! {
    /// Sweeps a classified component, man moves included, to its fixed point. The codes, at first
    /// the least behind conversions, are the positions' own at the end.
    pub(in super::super) fn sweep_to_end(
        at: VectorPath,
        work: &mut Sweep,
        moves: &KingMoves,
        component: &mut Component,
        codes: &mut Codes,
        schedule: &mut Schedule,
    ) = sweep_by_schedule;
}

#[inline(always)]
fn sweep_by_schedule(
    path: VectorPath,
    work: &mut Sweep,
    moves: &KingMoves,
    component: &mut Component,
    codes: &mut Codes,
    schedule: &mut Schedule,
) {
    work.run_to_end(path, moves, component, codes, schedule);
}

impl Sweep {
    #[inline(always)]
    fn run_to_end(
        &mut self,
        path: VectorPath,
        moves: &KingMoves,
        component: &mut Component,
        codes: &mut Codes,
        schedule: &mut Schedule,
    ) {
        self.resize(moves);
        self.forget_news(moves);
        schedule.clear();
        for side in Color::BOTH {
            Self::schedule_side(moves, component, side, &mut codes.0[side as usize], schedule);
        }
        let mut ply = 0;
        loop {
            for side in Color::BOTH {
                self.enter_due(moves, component, side, schedule, ply);
            }
            self.find(path, moves, component, [ply & 1 == 1, ply & 1 == 0]);
            ply += 1;
            let any = self.commit(moves, component, ply - 1, &mut Decided(codes));
            if !any && schedule.is_done(ply) {
                return;
            }
        }
    }

    fn forget_news(&mut self, moves: &KingMoves) {
        for news in self.news.iter_mut().flatten() {
            news.words = 0;
            news.changes.clear();
            news.rows.clear();
            news.rows.resize(moves.rows, false);
        }
    }

    /// Takes back what conversions decide and puts it on the schedule. The codes of captures, and of
    /// positions without a move, are what they will be at the end.
    #[inline(always)]
    fn schedule_side(
        moves: &KingMoves,
        component: &mut Component,
        side: Color,
        codes: &mut [Code],
        schedule: &mut Schedule,
    ) {
        let at = side as usize;
        let late = usize::from(made(Mutation::LateConversion));
        // Captures to which no king move leads are of no interest here.
        let is_reached = if moves.has_kings(side.other()) { !0 } else { 0 };
        for row in 0..moves.rows {
            for word in row * moves.lanes..(row + 1) * moves.lanes {
                let valid = component.valid[word];
                let (won, lost) = (component.wins[at][word] & valid, component.losses[at][word]);
                let (quiet, open) = (component.quiet[at][word], component.open[at][word] & !won);
                let (stuck, ended) = (component.stuck[at][word], component.immobile[at][word]);
                if valid == 0 {
                    continue;
                }
                let best = &mut codes[SQUARES * word..][..SQUARES];
                let change = |bits| Change { word: word as u32, row: row as u32, bits };
                let later = quiet | is_reached;
                schedule.wins[at].add(best, change(won & later), late);
                schedule.losses[at].add(best, change(lost & later), 1);
                if ended != 0 {
                    schedule.losses[at].push(0, change(ended));
                }
                // Without a slow conversion to wait for, kings moves alone say when it is lost.
                let waits = open & !ended & (stuck | !equal(best, NONE));
                schedule.open[at].add(best, change(waits), 1);
                let captures = (won | lost) & !quiet;
                for (square, code) in best.iter_mut().enumerate() {
                    let own = before(*code);
                    *code = if captures >> square & 1 != 0 { own } else { NONE };
                }
                squares(ended).for_each(|square| best[square] = 0);
                component.wins[at][word] = !valid | won & !later;
                component.losses[at][word] = lost & !later;
                let waits = if made(Mutation::OpenAtOnce) { 0 } else { waits };
                component.open[at][word] = open & !ended & !waits;
                component.quiet[at][word] = quiet & !ended;
            }
        }
    }

    /// Enters what is due at a ply, and looks at positions that can be lost from now on.
    #[inline(always)]
    fn enter_due(
        &mut self,
        moves: &KingMoves,
        component: &mut Component,
        side: Color,
        schedule: &Schedule,
        ply: u32,
    ) {
        let (at, pairs) = (side as usize, ply as usize / 2);
        let [wins, losses] = &mut self.pending[at];
        if ply & 1 == 1 {
            for &change in schedule.wins[at].due(pairs) {
                // A king move may have won sooner.
                let bits = change.bits & !component.wins[at][change.word as usize];
                if bits != 0 {
                    wins.push(Change { bits, ..change });
                }
            }
            return;
        }
        losses.extend_from_slice(schedule.losses[at].due(pairs));
        for &change in schedule.open[at].due(pairs) {
            let word = change.word as usize;
            let bits = change.bits & !component.wins[at][word];
            component.open[at][word] |= bits;
            let source = &component.wins[side.other() as usize];
            let lost = frontier::verify(moves, side, source, change, bits);
            if lost != 0 {
                losses.push(Change { bits: lost, ..change });
            }
        }
    }
}
