//! Sweeps king moves inside one component to the fixed point, ply by ply.
//!
//! A round takes what the round before has decided: a position that reaches a new loss of the
//! opponent is won, a position whose moves all reach wins of the opponent, at least one of them
//! new, is lost. Rounds are in step with plies, so that a round's number is the distance to the
//! next conversion. When much is new, a round goes over all words; when little is, it follows the
//! new words only.

mod dense;
mod frontier;
mod moves;
mod round;
mod schedule;

pub(super) use self::moves::KingMoves;
pub(super) use self::schedule::{Schedule, sweep_to_end};

use crownhead_rules::Color;

use self::round::Search;
use super::component::Component;
use super::plies::Distances;
use super::vector::{VectorPath, dispatch};

/// New bits of one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) word: u32,
    row: u32,
    pub(super) bits: u32,
}

/// What one round has decided for one side: its wins or its losses.
#[derive(Debug, Default)]
struct News {
    changes: Vec<Change>,
    /// How many words are new; more than `changes` holds only before the first round.
    words: usize,
    /// By row: whether it holds a new word.
    rows: Vec<bool>,
}

/// What a move can do with a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Win,
    Loss,
}

const VERDICTS: [Verdict; 2] = [Verdict::Loss, Verdict::Win];

/// Told of every round.
pub(super) trait Plies {
    /// Whether plies are of interest.
    const WANTED: bool;

    /// This side's words have new losses or wins at this ply.
    fn note(&mut self, ply: u32, side: Color, word: usize, bits: u32);

    /// The same for all of a round's wins or losses, before they are entered; `quiet` are this
    /// side's positions without a capture that are not decided.
    fn note_all(&mut self, ply: u32, of: (Color, Verdict), changes: &[Change], quiet: &[u32]);

    /// The words from this one on have losses and wins at ply 1, the first that is noted of them.
    fn note_one(&mut self, side: Color, first: usize, bits: &[u32]);
}

/// Nothing is kept of plies.
pub(super) struct NoPlies;

impl Plies for NoPlies {
    const WANTED: bool = false;

    #[inline(always)]
    fn note(&mut self, _ply: u32, _side: Color, _word: usize, _bits: u32) {}

    #[inline(always)]
    fn note_all(&mut self, _: u32, _: (Color, Verdict), _: &[Change], _: &[u32]) {}

    #[inline(always)]
    fn note_one(&mut self, _side: Color, _first: usize, _bits: &[u32]) {}
}

/// Working memory of a sweep.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    /// By side and verdict.
    news: [[News; 2]; 2],
    pending: [[Vec<Change>; 2]; 2],
    /// By side.
    searches: [Search; 2],
    limit: PhaseLimit,
}

/// How long a phase may last: a win must convert by a ply, and so must a loss.
///
/// Under a rule of `m` moves the loser claims a draw when each side has made `m` moves without a
/// conversion and it is to move. So the conversion must be ply `2m + 1` at the latest where the
/// winner moves first, and ply `2m` where the loser does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PhaseLimit {
    loss: u32,
}

impl PhaseLimit {
    /// No limit.
    pub(super) const NONE: Self = Self { loss: u32::MAX - 1 };

    /// So many moves of each side.
    pub(super) const fn moves(moves: u32) -> Self {
        Self { loss: 2 * moves }
    }

    const fn allows(self, verdict: Verdict, ply: u32) -> bool {
        match verdict {
            Verdict::Win => ply <= self.loss + 1,
            Verdict::Loss => ply <= self.loss,
        }
    }
}

impl Default for PhaseLimit {
    fn default() -> Self {
        Self::NONE
    }
}

impl Sweep {
    /// Working memory for sweeps within a limit.
    pub(super) fn new(limit: PhaseLimit) -> Self {
        Self { limit, ..Self::default() }
    }
}

dispatch! {
    /// Sweeps a component to its fixed point.
    pub(super) fn sweep(
        at: VectorPath,
        work: &mut Sweep,
        moves: &KingMoves,
        component: &mut Component,
    ) = sweep_values;
}

dispatch! {
    /// Sweeps a component to its fixed point, keeping the ply at which each position is decided:
    /// its distance to the next conversion.
    pub(super) fn sweep_plies(
        at: VectorPath,
        work: &mut Sweep,
        moves: &KingMoves,
        component: &mut Component,
        distances: &mut Distances,
    ) = sweep_with_plies;
}

#[inline(always)]
fn sweep_with_plies(
    path: VectorPath,
    work: &mut Sweep,
    moves: &KingMoves,
    component: &mut Component,
    distances: &mut Distances,
) {
    work.run(path, moves, component, distances);
}

#[inline(always)]
fn sweep_values(path: VectorPath, work: &mut Sweep, moves: &KingMoves, component: &mut Component) {
    work.run(path, moves, component, &mut NoPlies);
}

impl Sweep {
    /// Sweeps to the fixed point; returns the last ply at which anything was decided.
    #[inline(always)]
    fn run<P: Plies>(
        &mut self,
        path: VectorPath,
        moves: &KingMoves,
        component: &mut Component,
        plies: &mut P,
    ) -> u32 {
        self.resize(moves);
        Self::start(moves, component);
        if P::WANTED {
            self.note_start(moves, component, plies);
            self.win_at_once(moves, component, plies);
        }
        self.collect(moves, component);
        let mut ply = 1;
        loop {
            ply += 1;
            let in_time = [Verdict::Win, Verdict::Loss].map(|v| self.limit.allows(v, ply));
            self.find(path, moves, component, in_time);
            if !self.commit(moves, component, ply, plies) {
                return ply - 1;
            }
        }
    }

    fn resize(&mut self, moves: &KingMoves) {
        self.searches.iter_mut().for_each(|search| search.resize(moves));
    }

    /// Decides what has no king move.
    #[inline(always)]
    fn start(moves: &KingMoves, component: &mut Component) {
        for side in Color::BOTH {
            if moves.has_kings(side) {
                component.lose_stuck(side);
            } else {
                component.lose_open(side);
            }
            component.close_decided(side);
        }
    }

    /// Notes what is decided so far: without any move 0 plies from the end, else 1 ply from a
    /// conversion.
    #[inline(always)]
    fn note_start(&mut self, moves: &KingMoves, component: &Component, plies: &mut impl Plies) {
        let lanes = moves.lanes;
        let bits = &mut self.searches[0].row[..lanes];
        for side in Color::BOTH {
            let at = side as usize;
            for first in (0..moves.words()).step_by(lanes) {
                let words = first..first + lanes;
                let (wins, losses) =
                    (&component.wins[at][words.clone()], &component.losses[at][words.clone()]);
                let immobile = &component.immobile[at][words.clone()];
                let valid = &component.valid[words];
                for lane in 0..lanes {
                    bits[lane] = wins[lane] & valid[lane] | losses[lane] & !immobile[lane];
                }
                plies.note_one(side, first, bits);
            }
        }
    }

    /// A king move after which the opponent has no move ends the game: a win in 1 ply.
    #[inline(always)]
    fn win_at_once(
        &mut self,
        moves: &KingMoves,
        component: &mut Component,
        plies: &mut impl Plies,
    ) {
        for side in Color::BOTH.into_iter().filter(|&side| moves.has_kings(side)) {
            let immobile = &component.immobile[side.other() as usize];
            // Few rows have such a position.
            let some = |words: &[u32]| words.iter().fold(0, |any, bits| any | bits) != 0;
            let rows = immobile.chunks_exact(moves.lanes).enumerate();
            let ends = rows.filter(|(_, words)| some(words)).flat_map(|(row, words)| {
                words.iter().enumerate().filter(|(_, bits)| **bits != 0).map(
                    move |(lane, &bits)| Change {
                        word: (row * moves.lanes + lane) as u32,
                        row: row as u32,
                        bits,
                    },
                )
            });
            let ends: Vec<Change> = ends.collect();
            let mut found = Vec::new();
            let search = &mut self.searches[side as usize];
            frontier::find(moves, component, side, Verdict::Win, &ends, search, &mut found);
            for change in found {
                component.decide(side, Verdict::Win, change.word as usize, change.bits);
                plies.note(1, side, change.word as usize, change.bits);
            }
        }
    }

    /// Takes everything decided as the first news.
    #[inline(always)]
    fn collect(&mut self, moves: &KingMoves, component: &Component) {
        for side in Color::BOTH {
            for verdict in VERDICTS {
                let news = &mut self.news[side as usize][verdict as usize];
                news.words = 0;
                news.changes.clear();
                news.rows.clear();
                news.rows.resize(moves.rows, false);
                if moves.has_kings(side.other()) {
                    news.collect(moves, component.decided(side, verdict), &component.valid);
                }
            }
        }
    }
}

impl Verdict {
    /// What the opponent's verdict after a move is.
    const fn cause(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
        }
    }
}

impl News {
    /// Takes all valid bits as new.
    #[inline(always)]
    fn collect(&mut self, moves: &KingMoves, plane: &[u32], valid: &[u32]) {
        let rows = plane.chunks_exact(moves.lanes).zip(valid.chunks_exact(moves.lanes));
        for ((plane, valid), has_news) in rows.zip(&mut self.rows) {
            let mut new = 0;
            for (plane, valid) in plane.iter().zip(valid) {
                new += u32::from(plane & valid != 0);
            }
            self.words += new as usize;
            *has_news = new > 0;
        }
        if self.words * 4 >= moves.words() {
            // Too many to be followed one by one.
            return;
        }
        for row in 0..moves.rows {
            for word in row * moves.lanes..(row + 1) * moves.lanes {
                let bits = plane[word] & valid[word];
                if bits != 0 {
                    self.changes.push(Change { word: word as u32, row: row as u32, bits });
                }
            }
        }
    }
}

impl Component {
    #[inline(always)]
    fn decided(&self, side: Color, verdict: Verdict) -> &[u32] {
        match verdict {
            Verdict::Win => &self.wins[side as usize],
            Verdict::Loss => &self.losses[side as usize],
        }
    }

    /// Positions that could still be won, or lost.
    #[inline(always)]
    fn undecided(&self, side: Color, verdict: Verdict) -> &[u32] {
        match verdict {
            Verdict::Win => &self.quiet[side as usize],
            Verdict::Loss => &self.open[side as usize],
        }
    }

    #[inline(always)]
    fn decide(&mut self, side: Color, verdict: Verdict, word: usize, bits: u32) {
        let side = side as usize;
        match verdict {
            Verdict::Win => self.wins[side][word] |= bits,
            Verdict::Loss => self.losses[side][word] |= bits,
        }
        self.quiet[side][word] &= !bits;
        self.open[side][word] &= !bits;
    }
}
