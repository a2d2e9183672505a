//! One position of the tree.

use crownhead_rules::{FortyMoveClock, Move, Position, Prober};

use super::Engine;
use super::roots::moves_of;
use crate::ordering::Ordered;
use crate::pocket::table_score;
use crate::transposition::{Bound, Entry};
use crate::{Game, Limits, Score, evaluate, zobrist};

/// No line is longer, in plies.
pub(super) const MAX_PLY: u16 = 160;

/// A limit was met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// A position of the tree with what counts of the moves before it.
pub(super) struct Here {
    pub(super) position: Position,
    pub(super) key: u64,
    clock: FortyMoveClock,
}

impl Here {
    pub(super) fn root(game: &Game) -> Self {
        Self { position: *game.position(), key: game.key(), clock: game.clock() }
    }

    pub(super) fn after(&self, m: &Move) -> Self {
        Self {
            position: self.position.after(m),
            key: zobrist::key_after(self.key, &self.position, m),
            clock: self.clock.after(m),
        }
    }
}

/// Scores outside of it need not be exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// From some hundredths below a score to some above; open beyond what estimates reach.
    pub(super) fn about(score: Score, below: i32, above: i32) -> Self {
        let within = |bound: i32, open: Score| {
            if bound.abs() > i32::from(Score::MAX_ESTIMATE) { open } else { Score(bound as i16) }
        };
        let score = i32::from(score.0);
        Self {
            alpha: within(score - below, -Score::INFINITE),
            beta: within(score + above, Score::INFINITE),
        }
    }

    /// Only asks whether a score is above this one.
    pub(super) fn empty_above(alpha: Score) -> Self {
        Self { alpha, beta: Score(alpha.0 + 1) }
    }

    /// Seen from the other side.
    pub(super) fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    fn is_empty(self) -> bool {
        self.alpha.0 + 1 == self.beta.0
    }
}

impl<P: Prober> Engine<'_, P> {
    /// The score of a position `ply` plies from the root, searched `depth` plies deep: right if
    /// inside the window, or else a bound on the same side.
    pub(super) fn node(
        &mut self,
        here: &Here,
        window: Window,
        depth: u8,
        ply: u16,
        limits: &Limits<'_>,
    ) -> Result<Score, Stopped> {
        self.count(limits)?;
        let position = &here.position;
        if let Some(score) = self.known(here, ply) {
            return Ok(score);
        }
        // Nothing here is better than to win at once, or worse than to have lost.
        let alpha = window.alpha.max(Score::loss_in(ply));
        let beta = window.beta.min(Score::win_in(ply + 1));
        if alpha >= beta {
            return Ok(alpha);
        }
        let window = Window { alpha, beta };
        let entry = self.table.probe(here.key);
        if let Some(entry) = entry
            && let Some(score) = self.cutoff(entry, window, depth, ply)
        {
            return Ok(score);
        }
        if depth == 0
            && let Some(score) = self.end_of_depth(position, ply)
        {
            return Ok(score);
        }
        if ply >= MAX_PLY {
            return Ok(evaluate(position));
        }
        let table_move = entry.and_then(|entry| entry.best).filter(|_| self.features.table_move);
        self.search_moves(here, window, depth, ply, table_move, limits)
    }

    fn count(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        if self.nodes >= limits.nodes || (self.nodes & 63 == 0 && (limits.stop)()) {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// What needs no search: repetition, the 40-move rule, and the tables.
    fn known(&mut self, here: &Here, ply: u16) -> Option<Score> {
        let since = usize::from(here.clock.plies()).min(self.path.len());
        let earlier = self.path[self.path.len() - since..].iter().rev();
        if earlier.skip(3).step_by(2).any(|key| *key == here.key) {
            return Some(Score::DRAW);
        }
        if here.position.occupied().len() <= self.table_pieces
            && let Some(score) = table_score(&here.position, ply, self.tables)
        {
            self.table_hits += 1;
            return Some(score);
        }
        if here.clock.is_draw_claimable() && here.position.has_move() {
            return Some(Score::DRAW);
        }
        None
    }

    /// The stored score, where it answers the window's question.
    fn cutoff(&self, entry: Entry, window: Window, depth: u8, ply: u16) -> Option<Score> {
        if !self.features.transpositions || entry.depth < depth || !window.is_empty() {
            return None;
        }
        let score = entry.score.above(ply);
        let answers = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        answers.then_some(score)
    }

    /// The score where the depth is used up; `None` where captures are to be played out first.
    fn end_of_depth(&self, position: &Position, ply: u16) -> Option<Score> {
        if position.has_capture(position.side_to_move) {
            return if self.features.quiescence { None } else { Some(evaluate(position)) };
        }
        Some(if position.has_move() { evaluate(position) } else { Score::loss_in(ply) })
    }

    fn search_moves(
        &mut self,
        here: &Here,
        window: Window,
        depth: u8,
        ply: u16,
        table_move: Option<u8>,
        limits: &Limits<'_>,
    ) -> Result<Score, Stopped> {
        let position = &here.position;
        let moves = moves_of(position);
        let next_depth = depth.saturating_sub(1);
        let mut best = (Score::loss_in(ply), None);
        let mut alpha = window.alpha;
        let mut quiet_before = heapless::Vec::<Move, 8>::new();
        let features = self.features;
        let mut left =
            Ordered::new(position, moves, table_move, &self.memory, usize::from(ply), &features);
        self.memory.enter(usize::from(ply));
        let mut number = 0;
        while let Some((in_order, m)) = left.next() {
            let child = here.after(&m);
            self.path.push(here.key).map_err(|_| Stopped)?;
            let reduction = self.reduction(&m, depth, number);
            let open = Window { alpha, beta: window.beta };
            let searched = self.scout(&child, open, (next_depth, reduction), ply, number, limits);
            self.path.pop();
            let score = searched?;
            if score > best.0 || best.1.is_none() {
                best = (score.max(best.0), Some(in_order));
            }
            alpha = alpha.max(score);
            if alpha >= window.beta {
                if !m.is_capture() {
                    self.learn(position, ply, &m, &quiet_before, depth);
                }
                break;
            }
            if !m.is_capture() {
                // The first few are enough to learn from.
                let _ = quiet_before.push(m);
            }
            number += 1;
        }
        self.remember(here.key, best, window, depth, ply);
        Ok(best.0)
    }

    /// Searches a move: later ones less deep and with an empty window first, and in full only if
    /// that says that they may be better.
    fn scout(
        &mut self,
        child: &Here,
        Window { alpha, beta }: Window,
        (depth, reduction): (u8, u8),
        ply: u16,
        number: usize,
        limits: &Limits<'_>,
    ) -> Result<Score, Stopped> {
        let empty = Window::empty_above(alpha);
        if reduction > 0 {
            let less = depth.saturating_sub(reduction);
            let score = -self.node(child, empty.turned(), less, ply + 1, limits)?;
            if score <= alpha {
                return Ok(score);
            }
        }
        if number > 0 && self.features.scout && beta > empty.beta {
            let score = -self.node(child, empty.turned(), depth, ply + 1, limits)?;
            if score <= alpha || score >= beta {
                return Ok(score);
            }
        }
        Ok(-self.node(child, Window { alpha, beta }.turned(), depth, ply + 1, limits)?)
    }

    /// By how many plies a move is searched less deep at first.
    fn reduction(&self, m: &Move, depth: u8, number: usize) -> u8 {
        if !self.features.reductions || depth < 3 || number < 2 || m.is_capture() || m.crowns() {
            return 0;
        }
        1 + u8::from(number >= 4 && depth >= 5) + u8::from(number >= 7 && depth >= 8)
    }

    fn learn(&mut self, position: &Position, ply: u16, good: &Move, before: &[Move], depth: u8) {
        let color = position.side_to_move;
        self.memory.reward(color, usize::from(ply), good, depth);
        before.iter().for_each(|m| self.memory.punish(color, m, depth));
    }

    fn remember(
        &self,
        key: u64,
        (score, best): (Score, Option<u8>),
        window: Window,
        depth: u8,
        ply: u16,
    ) {
        let bound = if score >= window.beta {
            Bound::Lower
        } else if score <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        // Where nothing was good enough, the first of equals is not the best.
        let best = best.filter(|_| bound != Bound::Upper);
        let entry = Entry { score: score.below(ply), depth, bound, best };
        self.table.store(key, entry, self.age);
    }
}
