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
use super::super::vector::dispatch;
use super::{Change, KingMoves, Plies, Sweep, Verdict, frontier};

/// What conversions decide, by half the ply.
type Buckets = Vec<Vec<Change>>;

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

fn add(buckets: &mut Buckets, pairs: usize, word: u32, row: u32, bit: u32) {
    if buckets.len() <= pairs {
        buckets.resize_with(pairs + 1, Vec::new);
    }
    let bucket = &mut buckets[pairs];
    match bucket.last_mut() {
        Some(last) if last.word == word => last.bits |= bit,
        _ => bucket.push(Change { word, row, bits: bit }),
    }
}

impl Schedule {
    /// Whether nothing is due at this ply or later.
    fn is_done(&self, ply: u32) -> bool {
        let at = ply as usize / 2;
        let all = self.wins.iter().chain(&self.losses).chain(&self.open);
        all.into_iter().all(|buckets| buckets.len() <= at)
    }

    fn clear(&mut self) {
        let all = self.wins.iter_mut().chain(&mut self.losses).chain(&mut self.open);
        all.for_each(Vec::clear);
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
        squares(bits).for_each(|square| codes[square] = code);
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
        work: &mut Sweep,
        moves: &KingMoves,
        component: &mut Component,
        codes: &mut Codes,
        schedule: &mut Schedule,
    ) = sweep_by_schedule;
}

#[inline(always)]
fn sweep_by_schedule(
    work: &mut Sweep,
    moves: &KingMoves,
    component: &mut Component,
    codes: &mut Codes,
    schedule: &mut Schedule,
) {
    work.run_to_end(moves, component, codes, schedule);
}

impl Sweep {
    #[inline(always)]
    fn run_to_end(
        &mut self,
        moves: &KingMoves,
        component: &mut Component,
        codes: &mut Codes,
        schedule: &mut Schedule,
    ) {
        self.resize(moves);
        self.forget_news(moves);
        schedule.clear();
        for side in Color::BOTH {
            self.schedule_side(moves, component, side, &mut codes.0[side as usize], schedule);
        }
        let mut ply = 0;
        loop {
            let verdict = if ply & 1 == 0 { Verdict::Loss } else { Verdict::Win };
            for side in Color::BOTH {
                self.enter_due(moves, component, side, schedule, ply);
                if moves.has_kings(side) {
                    self.find(moves, component, side, verdict);
                }
            }
            ply += 1;
            if !self.commit(component, ply - 1, &mut Decided(codes)) && schedule.is_done(ply) {
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

    /// Takes back what conversions decide and puts it on the schedule. Captures to which no king move
    /// can lead are decided for good.
    #[inline(always)]
    fn schedule_side(
        &mut self,
        moves: &KingMoves,
        component: &mut Component,
        side: Color,
        codes: &mut [Code],
        schedule: &mut Schedule,
    ) {
        let at = side as usize;
        let late = usize::from(made(Mutation::LateConversion));
        let is_reached = if moves.has_kings(side.other()) { !0 } else { 0 };
        for row in 0..moves.rows {
            for word in row * moves.lanes..(row + 1) * moves.lanes {
                let valid = component.valid[word];
                let (won, lost) = (component.wins[at][word] & valid, component.losses[at][word]);
                let (quiet, open) = (component.quiet[at][word], component.open[at][word] & !won);
                let later = quiet | is_reached;
                let (stuck, ended) = (component.stuck[at][word], component.immobile[at][word]);
                let best = &mut codes[SQUARES * word..][..SQUARES];
                let (word32, row) = (word as u32, row as u32);
                for square in squares(won & later) {
                    let pairs = usize::from(pairs(best[square])) + late;
                    add(&mut schedule.wins[at], pairs, word32, row, 1 << square);
                }
                for square in squares(lost & later) {
                    let pairs = usize::from(pairs(best[square])) + 1;
                    add(&mut schedule.losses[at], pairs, word32, row, 1 << square);
                }
                for square in squares(ended & open) {
                    add(&mut schedule.losses[at], 0, word32, row, 1 << square);
                }
                let mut waits = 0;
                for square in squares(open & !ended) {
                    if best[square] != NONE || stuck >> square & 1 != 0 {
                        waits |= 1 << square;
                        let pairs = usize::from(pairs(best[square])) + 1;
                        add(&mut schedule.open[at], pairs, word32, row, 1 << square);
                    }
                }
                if made(Mutation::OpenAtOnce) {
                    waits = 0;
                }
                component.wins[at][word] = !valid | won & !later;
                component.losses[at][word] = lost & !later;
                component.open[at][word] = open & !ended & !waits;
                component.quiet[at][word] = quiet & !ended;
                let now = (won | lost) & !later;
                for (square, code) in best.iter_mut().enumerate() {
                    *code = if now >> square & 1 != 0 { before(*code) } else { NONE };
                }
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
        schedule: &mut Schedule,
        ply: u32,
    ) {
        let (at, pairs) = (side as usize, ply as usize / 2);
        let due = |buckets: &mut [Buckets; 2]| {
            buckets[at].get_mut(pairs).map(core::mem::take).unwrap_or_default()
        };
        if ply & 1 == 1 {
            let pending = &mut self.pending[at][Verdict::Win as usize];
            for change in due(&mut schedule.wins) {
                // A king move may have won sooner.
                let bits = change.bits & !component.wins[at][change.word as usize];
                if bits != 0 {
                    pending.push(Change { bits, ..change });
                }
            }
            return;
        }
        let pending = &mut self.pending[at][Verdict::Loss as usize];
        pending.extend(due(&mut schedule.losses));
        for change in due(&mut schedule.open) {
            let word = change.word as usize;
            let bits = change.bits & !component.wins[at][word] & !component.losses[at][word];
            component.open[at][word] |= bits;
            let source = &component.wins[side.other() as usize];
            let lost = frontier::verify(moves, side, source, change, bits);
            if lost != 0 {
                pending.push(Change { bits: lost, ..change });
            }
        }
    }
}
