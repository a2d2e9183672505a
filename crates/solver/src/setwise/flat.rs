//! Materials whose components are single words: at most one king, the fast piece.
//!
//! Rows run across components here: all placements of one side's men for one of the other's. A
//! white man's step lowers its set's rank and a black man's raises it, so ranks are an order in
//! which every man move leads to a word that is done.

use crownhead_index::product::{Group, Level, levels};
use crownhead_rules::{Bitboard, Color, PieceKind};

use rayon::prelude::*;

use super::classify::{Classifier, Outer, Planes};
use super::component::{Codes, add_codes, add_moves, valid_positions};
use super::geometry::{EDGE, NEIGHBOUR, forward, origins, squares};
use super::groups::Groups;
use super::mobility::{Pieces, without_king_moves, without_man_moves};
use super::mutation::{Mutation, made};
use super::plies::{Distances, Keep};
use super::reach::Reach;
use super::record::Record;
use super::rows::Scratch;
use super::scores::{Code, NONE, SQUARES, before, lower_one};
use super::solve::Run;
use super::store::{Finals, Words, copy_finals};
use super::sweep::Plies;
use crate::{Phase, SolveError, Stage};

/// The moves of the fast piece inside its word: whose, and in which directions.
///
/// A fast man's step to its crown row, a promotion, leads to an invalid bit and so to nothing.
struct FastMoves {
    side: Color,
    directions: core::ops::Range<usize>,
    /// By direction: squares at the board's edge, without such a move.
    edges: [u32; 4],
}

impl FastMoves {
    fn new(fast: Group) -> Self {
        let side = fast.color();
        let directions = match fast.kind() {
            PieceKind::King => 0..4,
            PieceKind::Man => forward(side)[0]..forward(side)[0] + 2,
        };
        let edges = if made(Mutation::NoManEdge) { [0; 4] } else { EDGE };
        Self { side, directions, edges }
    }

    fn reaching(&self, losses: u32) -> u32 {
        self.directions.clone().fold(0, |all, d| all | origins(d, losses))
    }

    fn forced(&self, wins: u32) -> u32 {
        let step = |d: usize| origins(d, wins) | self.edges[d];
        self.directions.clone().fold(!0, |all, d| all & step(d))
    }
}

pub(super) struct Flat<'a> {
    classifier: &'a Classifier,
    fast: FastMoves,
}

impl<'a> Flat<'a> {
    pub(super) fn new(classifier: &'a Classifier) -> Self {
        Self { classifier, fast: FastMoves::new(classifier.index.fast()) }
    }

    pub(super) fn solve(
        &self,
        solved: &mut [Words; 2],
        mut distances: Option<&mut Distances>,
        run: &mut Run<'_>,
        mut record: Option<&mut Record>,
    ) -> Result<(), SolveError> {
        let batch_len = match rayon::current_num_threads() {
            1 => 1,
            _ if record.is_some() => 1,
            threads => 16 * threads,
        };
        let row_len = self.classifier.row_len();
        let mut workers: Vec<Worker> = Vec::new();
        workers.resize_with(batch_len, || Worker::new(row_len, run.means.keep));
        for (nth, level) in self.levels().into_iter().enumerate() {
            if run.skips(nth) {
                continue;
            }
            let level = self.wanted(level, run.means.reach);
            for batch in level.chunks(batch_len) {
                run.means.control.check()?;
                run.means.control.reach(Stage::Classify);
                run.means.control.reach(Stage::Men);
                if let ([worker, ..], [row]) = (&mut workers[..], batch) {
                    self.row(*row, worker, solved, record.as_deref_mut());
                } else {
                    let solved = &*solved;
                    let work = workers.par_iter_mut().zip(batch);
                    work.for_each(|(worker, &row)| self.row(row, worker, solved, None));
                }
                let finals = workers.iter().zip(batch);
                let finals: Vec<_> =
                    finals.map(|(worker, row)| worker.finals(row * row_len)).collect();
                copy_finals(solved, &finals);
                for (worker, row) in workers.iter().zip(batch) {
                    if let (Some(all), Some(part)) = (distances.as_deref_mut(), &worker.distances) {
                        all.copy_part(part, row * row_len);
                    }
                    if let Some(to_end) = &worker.to_end {
                        run.fits &= to_end.codes.copy_to(solved, row * row_len);
                    }
                }
                run.advance(batch.len() * row_len);
            }
            run.finish_level(nth, solved)?;
        }
        if let Some(all) = distances {
            workers.iter().filter_map(|worker| worker.distances.as_ref()).for_each(|d| all.join(d));
        }
        Ok(())
    }

    /// The rows by how far the outer men have advanced, the furthest first.
    fn levels(&self) -> Vec<Vec<usize>> {
        if self.classifier.lane == Group::BlackMen {
            return vec![vec![0]];
        }
        let men = self.classifier.index.counts()[Group::BlackMen as usize];
        let table = |count| Groups::shared().table(Group::BlackMen, count);
        let rows = |level: Level| level.components.iter().map(|at| at.black as usize).collect();
        let white = Groups::shared().table(Group::WhiteMen, 0);
        levels(table(men), white).into_iter().map(rows).collect()
    }

    /// The rows in which Black's men can stand; of White's men, which a row has all placements of,
    /// nothing is asked.
    fn wanted(&self, mut rows: Vec<usize>, reach: Option<Reach>) -> Vec<usize> {
        if let Some(reach) = reach.filter(|_| self.classifier.lane != Group::BlackMen) {
            let men = self.classifier.index.counts()[Group::BlackMen as usize];
            let table = Groups::shared().table(Group::BlackMen, men);
            rows.retain(|&row| reach.has(table.set(row as u32), Bitboard::EMPTY));
        }
        rows
    }

    /// Solves one row, with all rows that black men's moves lead to solved.
    fn row(
        &self,
        at: usize,
        worker: &mut Worker,
        solved: &[Words; 2],
        mut record: Option<&mut Record>,
    ) {
        let Worker { rows: row, scratch, distances, to_end } = worker;
        let ranks = match self.classifier.lane {
            Group::BlackMen => [0; 4],
            _ => [at as u32, 0, 0, 0],
        };
        let outer = self.classifier.outer(ranks);
        for side in Color::BOTH {
            let best = to_end.as_mut().map(|to_end| to_end.begin(side));
            self.classifier.row(side, &outer, &mut row[side as usize].planes(), best, scratch);
        }
        if let Some(to_end) = to_end.as_mut() {
            to_end.look_round(self, &outer, row);
        }
        let first = at * self.classifier.row_len();
        // Without kings the fast piece is a man: that phase has not begun before its moves.
        let men_only = self.classifier.index.fast().kind() == PieceKind::Man;
        let early = if men_only { Phase::Men } else { Phase::Classify };
        keep(row, record.as_deref_mut(), Phase::Classify..=early, first);
        if self.classifier.lane != Group::BlackMen {
            self.outer_moves(at, row, solved, to_end.as_mut());
        }
        self.lane_moves(row, to_end.as_mut(), |row, lane| {
            if !men_only {
                keep_word(row, record.as_deref_mut(), Phase::Men, first, lane);
            }
        });
        if let Some(distances) = distances {
            distances.clear();
            self.note_distances(&outer, row, distances);
            let Classifier { index, path, .. } = self.classifier;
            distances.find_longest(index, &finals(row, first), *path);
        }
        keep(row, record, Phase::Sweep..=Phase::Sweep, first);
    }

    fn outer_moves(
        &self,
        at: usize,
        row: &mut [Row; 2],
        solved: &[Words; 2],
        mut to_end: Option<&mut ToEnd>,
    ) {
        let len = row[0].wins.len();
        let index = &self.classifier.index;
        let table = Groups::shared().table(Group::BlackMen, index.counts()[0]);
        let target = &solved[Color::White as usize];
        let row = &mut row[Color::Black as usize];
        for &to in table.steps(at as u32) {
            let words = to as usize * len..(to as usize + 1) * len;
            let (wins, losses) = (&target.wins[words.clone()], &target.losses[words]);
            add_moves(self.classifier.path, &mut row.planes(), wins, losses);
            if let Some(to_end) = to_end.as_deref_mut() {
                let best = &mut to_end.codes.0[Color::Black as usize];
                let (first, quiet) = (to as usize * len, &row.quiet);
                add_codes(self.classifier.path, &target.scores, first, quiet, best);
            }
        }
    }

    /// Calls `men_done` for each word when all man moves have been added.
    fn lane_moves(
        &self,
        row: &mut [Row; 2],
        mut to_end: Option<&mut ToEnd>,
        mut men_done: impl FnMut(&mut [Row; 2], usize),
    ) {
        let lane = self.classifier.lane;
        let table = Groups::shared().table(lane, self.classifier.index.counts()[lane as usize]);
        let len = row[0].wins.len();
        let mover = lane.color() as usize;
        let other = lane.color().other() as usize;
        for i in 0..len {
            let at = if lane == Group::BlackMen { len - 1 - i } else { i };
            for &to in table.steps(at as u32) {
                let to = to as usize;
                row[mover].wins[at] |= row[other].losses[to] & row[mover].quiet[at];
                row[mover].open[at] &= row[other].wins[to];
                if let Some(to_end) = to_end.as_deref_mut() {
                    to_end.add(lane.color(), at, row[mover].quiet[at], to);
                }
            }
            men_done(row, at);
            self.fast_moves(row, at);
            if let Some(to_end) = to_end.as_deref_mut() {
                to_end.finish(&self.fast, row, at);
            }
        }
    }

    /// The fast piece's moves, which is the last step for this word: its opponent has none.
    fn fast_moves(&self, row: &mut [Row; 2], at: usize) {
        let (own, other) = (self.fast.side as usize, self.fast.side.other() as usize);
        let row_other = &mut row[other];
        row_other.losses[at] |= row_other.open[at] & !row_other.wins[at];
        let (wins, losses) = (row_other.wins[at], row_other.losses[at]);
        let row = &mut row[own];
        row.converted[at] = [row.wins[at], row.losses[at]];
        row.wins[at] |= self.fast.reaching(losses) & row.quiet[at];
        row.losses[at] |= self.fast.forced(wins) & row.open[at] & !row.wins[at];
    }
}

impl Flat<'_> {
    /// Notes the plies to the next conversion of a finished row.
    ///
    /// All moves are conversions but those of a fast king, whose opponent has none of his own: so
    /// it is at most two plies.
    fn note_distances(&self, outer: &Outer<'_>, row: &[Row; 2], distances: &mut Distances) {
        let fast = self.classifier.index.fast();
        let path = self.classifier.path;
        let len = row[0].wins.len();
        let mut valid = vec![0; len];
        valid_positions(path, outer, fast.squares().0, &mut valid);
        let immobile = Color::BOTH.map(|side| {
            let Row { quiet, losses, .. } = &row[side as usize];
            let mut positions: Vec<u32> = quiet.iter().zip(losses).map(|(q, l)| q & l).collect();
            without_king_moves(path, outer, Pieces { side, fast }, &mut positions);
            without_man_moves(path, outer, Pieces { side, fast }, &mut positions);
            positions
        });
        let (mut one, mut two) = (vec![0; len], vec![0; len]);
        for side in Color::BOTH {
            let (own, other) = (side as usize, side.other() as usize);
            let of = &row[own];
            let mut stuck = of.losses.clone();
            let king_moves = fast == Group::of(side, PieceKind::King);
            if king_moves {
                without_king_moves(path, outer, Pieces { side, fast }, &mut stuck);
            }
            let (one, two) = (&mut one[..len], &mut two[..len]);
            let mut any = [0; 2];
            for lane in 0..len {
                let ends = self.fast.reaching(immobile[other][lane]) & of.quiet[lane];
                let [wins, losses] = of.converted[lane];
                let (soon_won, soon_lost) =
                    if king_moves { (wins | ends, losses | stuck[lane]) } else { (!0, !0) };
                let won = of.wins[lane] & valid[lane];
                let lost = of.losses[lane] & !immobile[own][lane];
                one[lane] = won & soon_won | lost & soon_lost;
                two[lane] = won & !soon_won | lost & !soon_lost;
                any[0] |= won & !soon_won;
                any[1] |= lost & !soon_lost;
            }
            distances.note_one(side, 0, one);
            distances.note_two(side, two, any.map(|bits| bits != 0));
        }
    }
}

/// Keeps a row if its phase is among these.
fn keep(
    row: &mut [Row; 2],
    record: Option<&mut Record>,
    phases: core::ops::RangeInclusive<Phase>,
    first: usize,
) {
    if let Some(record) = record.filter(|record| phases.contains(&record.phase)) {
        for side in Color::BOTH {
            record.keep(side, first, &row[side as usize].planes());
        }
    }
}

fn keep_word(
    row: &mut [Row; 2],
    record: Option<&mut Record>,
    phase: Phase,
    first: usize,
    lane: usize,
) {
    if let Some(record) = record.filter(|record| record.phase == phase) {
        for side in Color::BOTH {
            record.keep(side, first + lane, &row[side as usize].planes().part(lane..lane + 1));
        }
    }
}

/// Distances to the end of one row.
struct ToEnd {
    /// The least codes behind moves; the positions' own in words that are done.
    codes: Codes,
    valid: Vec<u32>,
    immobile: [Vec<u32>; 2],
}

impl ToEnd {
    fn new(len: usize) -> Self {
        let plane = || vec![0; len];
        Self { codes: Codes::new(len), valid: plane(), immobile: [plane(), plane()] }
    }

    /// Forgets the last row.
    fn begin(&mut self, side: Color) -> &mut [Code] {
        let codes = &mut self.codes.0[side as usize];
        codes.fill(NONE);
        codes
    }

    /// Finds the positions of a classified row, and those without a move.
    fn look_round(&mut self, flat: &Flat<'_>, outer: &Outer<'_>, row: &[Row; 2]) {
        let fast = flat.classifier.index.fast();
        let path = flat.classifier.path;
        valid_positions(path, outer, fast.squares().0, &mut self.valid);
        for side in Color::BOTH {
            let positions = &mut self.immobile[side as usize];
            positions.copy_from_slice(&row[side as usize].quiet);
            without_king_moves(path, outer, Pieces { side, fast }, positions);
            without_man_moves(path, outer, Pieces { side, fast }, positions);
        }
    }

    /// A man's move leads from a word to another of the row, which is done.
    fn add(&mut self, mover: Color, at: usize, quiet: u32, to: usize) {
        let [black, white] = &mut self.codes.0;
        let (best, there) = match mover {
            Color::Black => (black, white),
            Color::White => (white, black),
        };
        let best = &mut best[SQUARES * at..][..SQUARES];
        let there = &there[SQUARES * to..][..SQUARES];
        for square in 0..SQUARES {
            let out = ((quiet >> square & 1) as u16).wrapping_sub(1);
            best[square] = best[square].min(there[square] | out);
        }
    }

    /// The word's positions are decided: first those of the side whose piece is not the fast one.
    fn finish(&mut self, fast: &FastMoves, row: &[Row; 2], at: usize) {
        let other = fast.side.other();
        self.decide(other, &row[other as usize], at);
        let quiet = row[fast.side as usize].quiet[at];
        for d in fast.directions.clone() {
            for from in squares(quiet & !EDGE[d]) {
                let to = usize::from(NEIGHBOUR[d][from]);
                let code = self.codes.0[other as usize][SQUARES * at + to];
                lower_one(&mut self.codes.0[fast.side as usize], at, from as u32, code);
            }
        }
        self.decide(fast.side, &row[fast.side as usize], at);
    }

    fn decide(&mut self, side: Color, row: &Row, at: usize) {
        let decided = (row.wins[at] | row.losses[at]) & self.valid[at];
        let ended = self.immobile[side as usize][at];
        let codes = &mut self.codes.0[side as usize][SQUARES * at..][..SQUARES];
        for (square, code) in codes.iter_mut().enumerate() {
            let own = if ended >> square & 1 != 0 { 0 } else { before(*code) };
            *code = if decided >> square & 1 != 0 { own } else { NONE };
        }
    }
}

/// The working memory of one thread's row.
struct Worker {
    rows: [Row; 2],
    scratch: Scratch,
    distances: Option<Distances>,
    to_end: Option<ToEnd>,
}

impl Worker {
    fn new(len: usize, keep: Keep) -> Self {
        let wanted = keep != Keep::Nothing;
        Self {
            rows: [Row::new(len), Row::new(len)],
            scratch: Scratch::default(),
            distances: (wanted && keep != Keep::ToEnd).then(|| Distances::new(len, keep)),
            to_end: (keep == Keep::ToEnd).then(|| ToEnd::new(len)),
        }
    }

    /// The values, which stay from this word on.
    fn finals(&self, first: usize) -> Finals<'_> {
        finals(&self.rows, first)
    }
}

fn finals([black, white]: &[Row; 2], first: usize) -> Finals<'_> {
    let (wins, losses) = ([&black.wins[..], &white.wins], [&black.losses[..], &white.losses]);
    Finals { first, wins, losses }
}

/// Working words of a row.
struct Row {
    wins: Vec<u32>,
    losses: Vec<u32>,
    quiet: Vec<u32>,
    open: Vec<u32>,
    /// Wins and losses before the fast piece's moves.
    converted: Vec<[u32; 2]>,
}

impl Row {
    fn new(len: usize) -> Self {
        let plane = || vec![0; len];
        let converted = vec![[0; 2]; len];
        Self { wins: plane(), losses: plane(), quiet: plane(), open: plane(), converted }
    }

    fn planes(&mut self) -> Planes<'_> {
        Planes {
            wins: &mut self.wins,
            losses: &mut self.losses,
            quiet: &mut self.quiet,
            open: &mut self.open,
        }
    }
}
