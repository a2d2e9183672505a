//! One round: what both sides win and lose by each other's news, and entering it.
//!
//! A round reads what earlier rounds have decided and keeps what it finds aside, and each side's
//! planes are its own. So the two sides of a large component are looked at on two threads.

use crownhead_rules::Color;

use super::super::component::{Component, LARGE};
use super::super::vector::{VectorPath, dispatch};
use super::{Change, KingMoves, News, Plies, Sweep, VERDICTS, Verdict, dense, frontier};

/// Working memory of the search for what one side wins and loses in a round.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// One row of accumulated bits.
    pub(super) row: Vec<u32>,
    /// Bits gathered for the words that a frontier touches; all 0 between uses.
    pub(super) gathered: Vec<u32>,
    pub(super) touched: Vec<Change>,
}

impl Search {
    pub(super) fn resize(&mut self, moves: &KingMoves) {
        self.row.resize(moves.lanes, 0);
        self.gathered.resize(moves.words(), 0);
    }
}

/// One side's part of a round.
struct Round<'a> {
    moves: &'a KingMoves,
    component: &'a Component,
    side: Color,
    /// What is looked for: wins, losses.
    verdicts: [bool; 2],
    /// The opponent's.
    news: &'a [News; 2],
}

impl Round<'_> {
    #[inline(always)]
    fn find(&self, search: &mut Search, out: &mut [Vec<Change>; 2]) {
        for verdict in VERDICTS {
            if self.moves.has_kings(self.side) && self.verdicts[verdict as usize] {
                self.find_verdict(verdict, search, &mut out[verdict as usize]);
            }
        }
    }

    #[inline(always)]
    fn find_verdict(&self, verdict: Verdict, search: &mut Search, out: &mut Vec<Change>) {
        let &Self { moves, component, side, .. } = self;
        let news = &self.news[verdict.cause() as usize];
        if news.words == 0 {
            return;
        }
        // A word of the frontier touches several others, and not in order.
        let cost = if moves.words() > 300_000 { 16 } else { 4 };
        if news.words * cost < moves.words() {
            frontier::find(moves, component, side, verdict, &news.changes, search, out);
        } else {
            dense::find(moves, component, side, verdict, &news.rows, &mut search.row, out);
        }
    }
}

dispatch! {
    fn find_apart(
        round: &Round<'_>,
        search: &mut Search,
        out: &mut [Vec<Change>; 2],
    ) = find_side;
}

#[inline(always)]
fn find_side(round: &Round<'_>, search: &mut Search, out: &mut [Vec<Change>; 2]) {
    round.find(search, out);
}

/// One side's planes.
struct Side<'a> {
    wins: &'a mut [u32],
    losses: &'a mut [u32],
    quiet: &'a mut [u32],
    open: &'a mut [u32],
}

impl Side<'_> {
    /// Enters what was found, which becomes the news.
    fn commit(self, pending: &mut [Vec<Change>; 2], news: &mut [News; 2]) {
        for verdict in VERDICTS {
            let decided = match verdict {
                Verdict::Win => &mut *self.wins,
                Verdict::Loss => &mut *self.losses,
            };
            let (found, news) = (&mut pending[verdict as usize], &mut news[verdict as usize]);
            news.begin();
            for change in &*found {
                let word = change.word as usize;
                decided[word] |= change.bits;
                self.quiet[word] &= !change.bits;
                self.open[word] &= !change.bits;
                news.rows[change.row as usize] = true;
            }
            news.take(found);
        }
    }
}

impl Sweep {
    fn is_large(moves: &KingMoves) -> bool {
        moves.words() >= LARGE && rayon::current_num_threads() > 1
    }

    /// Finds what both sides win, or lose, by each other's news.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        path: VectorPath,
        moves: &KingMoves,
        component: &Component,
        verdicts: [bool; 2],
    ) {
        let [black_news, white_news] = &self.news;
        let round = |side, news| Round { moves, component, side, verdicts, news };
        let (black, white) = (round(Color::Black, white_news), round(Color::White, black_news));
        let ([black_search, white_search], [black_out, white_out]) =
            (&mut self.searches, &mut self.pending);
        if Self::is_large(moves) {
            rayon::join(
                || find_apart(path, &black, black_search, black_out),
                || find_apart(path, &white, white_search, white_out),
            );
        } else {
            black.find(black_search, black_out);
            white.find(white_search, white_out);
        }
    }

    /// Enters what was found; says whether there was anything.
    #[inline(always)]
    pub(super) fn commit<P: Plies>(
        &mut self,
        moves: &KingMoves,
        component: &mut Component,
        ply: u32,
        plies: &mut P,
    ) -> bool {
        if P::WANTED || !Self::is_large(moves) {
            self.commit_in_turn(component, ply, plies);
        } else {
            let ([b, w], [black_news, white_news]) = (&mut self.pending, &mut self.news);
            let [black, white] = sides(component);
            rayon::join(|| black.commit(b, black_news), || white.commit(w, white_news));
        }
        self.news.iter().flatten().any(|news| news.words > 0)
    }

    #[inline(always)]
    fn commit_in_turn(&mut self, component: &mut Component, ply: u32, plies: &mut impl Plies) {
        for side in Color::BOTH {
            for verdict in VERDICTS {
                let found = &mut self.pending[side as usize][verdict as usize];
                let news = &mut self.news[side as usize][verdict as usize];
                news.begin();
                plies.note_all(ply, (side, verdict), found, &component.quiet[side as usize]);
                for change in &*found {
                    component.decide(side, verdict, change.word as usize, change.bits);
                    news.rows[change.row as usize] = true;
                }
                news.take(found);
            }
        }
    }
}

fn sides(component: &mut Component) -> [Side<'_>; 2] {
    let Component { wins, losses, quiet, open, .. } = component;
    let ([b_wins, w_wins], [b_losses, w_losses]) = (wins, losses);
    let ([b_quiet, w_quiet], [b_open, w_open]) = (quiet, open);
    [
        Side { wins: b_wins, losses: b_losses, quiet: b_quiet, open: b_open },
        Side { wins: w_wins, losses: w_losses, quiet: w_quiet, open: w_open },
    ]
}

impl News {
    /// Forgets the rows of the last round.
    #[inline(always)]
    fn begin(&mut self) {
        self.rows.fill(false);
    }

    /// Takes these changes, and leaves the memory of the last ones for the next.
    #[inline(always)]
    fn take(&mut self, found: &mut Vec<Change>) {
        core::mem::swap(&mut self.changes, found);
        found.clear();
        self.words = self.changes.len();
    }
}
