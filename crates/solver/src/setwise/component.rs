//! One component: the words of all placements of the kings for one placement of the men.

use crownhead_index::product::{self, Group};
use crownhead_rules::Color;

use rayon::prelude::*;

use super::classify::{Classifier, Outer, Planes};
use super::groups::Groups;
use super::mobility::{Pieces, without_king_moves, without_man_moves};
use super::record::Record;
use super::rows::Scratch;
use super::scores::{Code, NONE, SQUARES, Scores};
use super::solve::Layout;
use super::store::{Finals, Words};
use super::vector::dispatch;
use crate::Phase;

/// Working words of one component, by side to move.
#[derive(Debug, Default)]
pub(super) struct Component {
    pub(super) wins: [Vec<u32>; 2],
    pub(super) losses: [Vec<u32>; 2],
    /// Valid positions without a capture.
    pub(super) quiet: [Vec<u32>; 2],
    /// Quiet positions of which no conversion avoids a loss.
    pub(super) open: [Vec<u32>; 2],
    /// Quiet positions without a king move.
    pub(super) stuck: [Vec<u32>; 2],
    /// Quiet positions without any move; empty unless distances are wanted.
    pub(super) immobile: [Vec<u32>; 2],
    /// Bits that stand for a position, whoever is to move.
    pub(super) valid: Vec<u32>,
}

/// By side to move, 32 codes for each word: at first the least behind conversions, at last the
/// position's own.
#[derive(Debug)]
pub(super) struct Codes(pub(super) [Vec<Code>; 2]);

impl Codes {
    pub(super) fn new(words: usize) -> Self {
        Self([(); 2].map(|()| vec![NONE; SQUARES * words]))
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|codes| codes.fill(NONE));
    }

    /// Puts the codes where they stay, from this word on; says whether they fit.
    pub(super) fn copy_to(&self, solved: &mut [Words; 2], first: usize) -> bool {
        let sides = self.0.iter().zip(solved);
        sides.fold(true, |fit, (codes, solved)| solved.scores.copy_from(first, codes) && fit)
    }
}

/// From so many words on, the rows of a component are classified on several threads, and the two
/// sides swept on one each.
pub(super) const LARGE: usize = 1 << 15;

/// One row of a component.
struct Part<'a> {
    planes: [Planes<'a>; 2],
    stuck: [&'a mut [u32]; 2],
    immobile: Option<[&'a mut [u32]; 2]>,
    valid: &'a mut [u32],
    best: Option<[&'a mut [Code]; 2]>,
}

impl Part<'_> {
    fn classify(mut self, classifier: &Classifier, outer: &Outer<'_>, scratch: &mut Scratch) {
        let fast = classifier.index.fast();
        valid_positions(classifier.path, outer, fast.squares().0, self.valid);
        for side in Color::BOTH {
            let planes = &mut self.planes[side as usize];
            let best = self.best.as_mut().map(|best| &mut *best[side as usize]);
            classifier.row(side, outer, planes, best, scratch);
            let stuck = &mut *self.stuck[side as usize];
            stuck.copy_from_slice(planes.quiet);
            without_king_moves(classifier.path, outer, Pieces { side, fast }, stuck);
            if let Some(immobile) = self.immobile.as_mut() {
                let immobile = &mut *immobile[side as usize];
                immobile.copy_from_slice(stuck);
                // Few rows have a position without any king move.
                if stuck.iter().any(|&bits| bits != 0) {
                    let of = Pieces { side, fast };
                    without_man_moves(classifier.path, outer, of, immobile);
                }
            }
        }
    }
}

impl Component {
    /// Working memory for so many words, with what distances need or without.
    pub(super) fn new(words: usize, distances: bool) -> Self {
        let plane = || [vec![0; words], vec![0; words]];
        let valid = vec![0; words];
        Self {
            wins: plane(),
            losses: plane(),
            quiet: plane(),
            open: plane(),
            stuck: plane(),
            immobile: if distances { plane() } else { Default::default() },
            valid,
        }
    }

    #[inline(always)]
    pub(super) fn planes(&mut self, side: Color, words: core::ops::Range<usize>) -> Planes<'_> {
        let side = side as usize;
        Planes {
            wins: &mut self.wins[side][words.clone()],
            losses: &mut self.losses[side][words.clone()],
            quiet: &mut self.quiet[side][words.clone()],
            open: &mut self.open[side][words],
        }
    }

    /// Keeps what is known if this is the phase that is recorded.
    pub(super) fn record(&mut self, record: Option<&mut Record>, phase: Phase, first: usize) {
        if let Some(record) = record.filter(|record| record.phase == phase) {
            for side in Color::BOTH {
                record.keep(side, first, &self.planes(side, 0..self.wins[0].len()));
            }
        }
    }

    /// Captures and promotions.
    pub(super) fn classify(
        &mut self,
        classifier: &Classifier,
        at: product::Component,
        scratch: &mut Scratch,
        mut codes: Option<&mut Codes>,
    ) {
        if let Some(codes) = codes.as_deref_mut() {
            codes.clear();
        }
        let (row_len, len) = (classifier.row_len(), self.valid.len());
        let outer = |row: usize| classifier.outer([at.black, row as u32, at.white, 0]);
        if len < LARGE || rayon::current_num_threads() == 1 {
            for (row, part) in self.parts(row_len, codes).enumerate() {
                part.classify(classifier, &outer(row), scratch);
            }
        } else {
            let parts: Vec<_> = self.parts(row_len, codes).enumerate().collect();
            let parts = parts.into_par_iter().with_min_len(16);
            parts.for_each_init(Scratch::default, |scratch, (row, part)| {
                part.classify(classifier, &outer(row), scratch);
            });
        }
    }

    /// The words in parts of this length.
    fn parts<'a>(
        &'a mut self,
        len: usize,
        codes: Option<&'a mut Codes>,
    ) -> impl Iterator<Item = Part<'a>> {
        let mut best =
            codes.map(|codes| codes.0.each_mut().map(|codes| codes.chunks_mut(SQUARES * len)));
        let mut chunks =
            [&mut self.wins, &mut self.losses, &mut self.quiet, &mut self.open, &mut self.stuck]
                .map(|planes| planes.each_mut().map(|plane| plane.chunks_mut(len)));
        let mut immobile = self.immobile.each_mut().map(|plane| plane.chunks_mut(len));
        self.valid.chunks_mut(len).map(move |valid| {
            let [wins, losses, quiet, open, stuck] = chunks.each_mut().map(|sides| {
                sides.each_mut().map(|chunks| chunks.next().expect("as long as the valid bits"))
            });
            let ([w0, w1], [l0, l1], [q0, q1], [o0, o1]) = (wins, losses, quiet, open);
            let planes = [
                Planes { wins: w0, losses: l0, quiet: q0, open: o0 },
                Planes { wins: w1, losses: l1, quiet: q1, open: o1 },
            ];
            let [black, white] = immobile.each_mut().map(|chunks| chunks.next());
            let immobile = black.zip(white).map(<[&mut [u32]; 2]>::from);
            let best = best.as_mut().map(|best| {
                best.each_mut().map(|chunks| chunks.next().expect("as long as the words"))
            });
            Part { planes, stuck, immobile, valid, best }
        })
    }

    /// Man moves, to components solved before.
    pub(super) fn add_men(
        &mut self,
        classifier: &Classifier,
        layout: &Layout<'_>,
        solved: &[Words; 2],
        at: product::Component,
        mut codes: Option<&mut Codes>,
    ) {
        let index = &classifier.index;
        let len = self.wins[0].len();
        for (side, men) in [(Color::Black, Group::BlackMen), (Color::White, Group::WhiteMen)] {
            let table = Groups::shared().table(men, index.counts()[men as usize]);
            let rank = if side == Color::Black { at.black } else { at.white };
            for &to in table.steps(rank) {
                let to = match side {
                    Color::Black => product::Component { black: to, ..at },
                    Color::White => product::Component { white: to, ..at },
                };
                // Where it is not there, two men share a square, and the words would change nothing.
                let Some(first) = layout.first(to) else { continue };
                let target = &solved[side.other() as usize];
                let (wins, losses) =
                    (&target.wins[first..first + len], &target.losses[first..first + len]);
                let planes = &mut self.planes(side, 0..len);
                add_moves(classifier.path, planes, wins, losses);
                if let Some(codes) = codes.as_deref_mut() {
                    let (quiet, best) = (&self.quiet[side as usize], &mut codes.0[side as usize]);
                    add_codes(classifier.path, &target.scores, first, quiet, best);
                }
            }
        }
    }

    /// The values, which stay from this word on.
    pub(super) fn finals(&self, first: usize) -> Finals<'_> {
        let [wins, losses] =
            [&self.wins, &self.losses].map(|planes| planes.each_ref().map(|plane| &plane[..]));
        Finals { first, wins, losses }
    }

    /// A side without moves inside the component has lost whatever is open.
    #[inline(always)]
    pub(super) fn lose_open(&mut self, side: Color) {
        let planes = self.planes(side, 0..self.wins[0].len());
        for word in 0..planes.wins.len() {
            planes.losses[word] |= planes.open[word] & !planes.wins[word];
        }
    }

    /// A side loses the open positions in which it has no move.
    #[inline(always)]
    pub(super) fn lose_stuck(&mut self, side: Color) {
        let side = side as usize;
        let n = self.valid.len();
        let (losses, wins) = (&mut self.losses[side][..n], &self.wins[side][..n]);
        let (open, stuck) = (&self.open[side][..n], &self.stuck[side][..n]);
        for word in 0..n {
            losses[word] |= stuck[word] & open[word] & !wins[word];
        }
    }

    /// Leaves only undecided positions in `quiet` and `open`.
    #[inline(always)]
    pub(super) fn close_decided(&mut self, side: Color) {
        let side = side as usize;
        let n = self.valid.len();
        let (losses, wins) = (&self.losses[side][..n], &self.wins[side][..n]);
        let (quiet, open) = (&mut self.quiet[side][..n], &mut self.open[side][..n]);
        for word in 0..n {
            let undecided = !(wins[word] | losses[word]);
            quiet[word] &= undecided;
            open[word] &= undecided;
        }
    }
}

dispatch! {
    /// Adds the same quiet move in every word, into words of one more advanced component.
    pub(super) fn add_moves(planes: &mut Planes<'_>, wins: &[u32], losses: &[u32]) = add_words;
}

dispatch! {
    /// Adds the same quiet move in every word to the least codes, into words from this one on.
    pub(super) fn add_codes(
        scores: &Scores,
        first: usize,
        quiet: &[u32],
        best: &mut [Code],
    ) = add_scores;
}

#[inline(always)]
fn add_scores(scores: &Scores, first: usize, quiet: &[u32], best: &mut [Code]) {
    scores.lower_to(first, quiet, best);
}

#[inline(always)]
fn add_words(planes: &mut Planes<'_>, wins: &[u32], losses: &[u32]) {
    let n = wins.len();
    let losses = &losses[..n];
    let (to_wins, open) = (&mut planes.wins[..n], &mut planes.open[..n]);
    let quiet = &planes.quiet[..n];
    for word in 0..n {
        to_wins[word] |= losses[word] & quiet[word];
        open[word] &= wins[word];
    }
}

dispatch! {
    /// The bits of a row that stand for a position.
    pub(super) fn valid_positions(outer: &Outer<'_>, squares: u32, valid: &mut [u32]) = valid_words;
}

#[inline(always)]
fn valid_words(outer: &Outer<'_>, squares: u32, valid: &mut [u32]) {
    let pieces: u32 = outer.sets.iter().map(|set| set.count_ones()).sum();
    let squares = if pieces == outer.occupied.count_ones() { squares } else { 0 };
    for (valid, &set) in valid.iter_mut().zip(outer.lanes.table.sets()) {
        *valid = if set & outer.occupied == 0 { squares & !(outer.occupied | set) } else { 0 };
    }
}
