//! A player: tables, search and proofs together.

use crownhead_rules::{FortyMoveClock, Move, Outcome, Position, Prober, Value};

use crate::phase::Phase;
use crate::search::moves_of;
use crate::{
    Engine, Game, Limits, ProofSlot, Prover, Report, Score, Team, TranspositionTable, evaluate,
};

/// What is proved of a move that the never-lose mode plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guarantee {
    /// Nothing: the move is the search's.
    NotProved,
    /// It keeps a draw at least.
    ProvedDraw,
    /// It keeps a win.
    ProvedWin,
}

/// `proved win`, `proved draw`, `not proved`.
impl core::fmt::Display for Guarantee {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(match self {
            Self::NotProved => "not proved",
            Self::ProvedDraw => "proved draw",
            Self::ProvedWin => "proved win",
        })
    }
}

/// A move and what is known of it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the search found; `best` is the move to play.
    pub report: Report,
    /// What is proved, by tables or without them.
    pub guarantee: Guarantee,
}

/// Plays games: perfectly where the tables reach, by search elsewhere, and in never-lose mode only
/// moves that are proved not to lose, as long as there are any.
///
/// Values and proofs leave the 40-move rule aside, as tables do; but where tables have no
/// distances, or where a win might take too long by the rule, wins are played by the fastest next
/// conversion.
#[derive(Debug)]
pub struct Player<'a, P> {
    team: Team<'a, P>,
    prover: Prover<'a, P>,
    phase: Option<Phase>,
    /// A phase that was too large, by its men and numbers of kings.
    too_large: Option<(u32, u32, u32, u32)>,
    /// Whether to play only moves that are proved not to lose.
    pub never_lose: bool,
}

/// More positions than this are not gone through: they would take more than some tenths of a
/// second.
const MOST_IN_PHASE: usize = 120_000;

impl<'a, P: Prober + Sync> Player<'a, P> {
    /// A player with this memory for positions and proofs, these tables and threads.
    pub fn new(
        table: TranspositionTable<'a>,
        proofs: &'a mut [ProofSlot],
        tables: &'a P,
        threads: usize,
    ) -> Self {
        Self {
            team: Team::new(table, tables, threads),
            prover: Prover::new(proofs, tables),
            phase: None,
            too_large: None,
            never_lose: false,
        }
    }

    /// The tables.
    pub fn tables(&self) -> &'a P {
        self.team.tables()
    }

    /// The engines.
    pub fn team(&mut self) -> &mut Team<'a, P> {
        &mut self.team
    }

    /// The prover.
    pub fn prover(&mut self) -> &mut Prover<'a, P> {
        &mut self.prover
    }

    /// The engines and the prover, to be used side by side.
    pub fn parts(&mut self) -> (&mut Team<'a, P>, &mut Prover<'a, P>) {
        (&mut self.team, &mut self.prover)
    }

    /// Chooses a move: searches within `search`, and in never-lose mode looks for proofs within
    /// `proofs` after that.
    pub fn choose(
        &mut self,
        game: &Game,
        search: &Limits<'_>,
        proofs: &Limits<'_>,
        show: impl FnMut(&Report),
    ) -> Answer {
        let outcome = self.outcome(game.position());
        if let Some(outcome) = outcome
            && let Some(report) = self.by_phase(game, outcome, search)
        {
            return Answer { report, guarantee: guarantee_of(outcome.value) };
        }
        let report = self.team.search(game, search, show);
        let kept = report.best.and_then(|m| self.outcome(&game.position().after(&m)));
        let kept = kept.map(|after| guarantee_of(after.value.negate()));
        match kept {
            // The tables have had their say about every move, or about this one.
            Some(guarantee) if outcome.is_some() || guarantee > Guarantee::NotProved => {
                Answer { report, guarantee }
            }
            _ if report.score.is_win() => Answer { report, guarantee: Guarantee::ProvedWin },
            _ if !self.never_lose => Answer { report, guarantee: Guarantee::NotProved },
            _ => self.safe(game.position(), report, proofs),
        }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let tables = self.tables();
        let reach = position.occupied().len() <= tables.max_pieces();
        reach.then(|| tables.probe(position).ok()).flatten()
    }

    /// In a decided table position: the move by distance to conversion, where that is needed.
    fn by_phase(&mut self, game: &Game, outcome: Outcome, limits: &Limits<'_>) -> Option<Report> {
        let position = game.position();
        let in_time = outcome.plies.is_some_and(|plies| {
            game.clock().plies().saturating_add(plies) <= FortyMoveClock::LIMIT
        });
        if outcome.value == Value::Draw || in_time || !position.has_move() {
            return None;
        }
        let tables = self.tables();
        if self.phase.as_ref().and_then(|phase| phase.plies(position)).is_none() {
            let kind = kind_of(position);
            if self.too_large == Some(kind) {
                return None;
            }
            self.phase = Phase::solve(position, tables, MOST_IN_PHASE, limits.stop);
            if self.phase.is_none() {
                self.too_large = Some(kind);
            }
        }
        // Of conversions at hand, the one that leaves the opponent worst off.
        let after = |m: &Move| {
            let next = position.after(m);
            let plies = tables.probe(&next).ok().and_then(|outcome| outcome.plies);
            (plies, evaluate(&next))
        };
        let (best, _) = self.phase.as_ref()?.best(position, tables, after)?;
        let score = Score::of_outcome(outcome, || evaluate(position), 0);
        let line = [best].into_iter().collect();
        Some(Report { best: Some(best), score, line, table_hits: 1, ..Report::default() })
    }

    /// The first of the search's move and the others that is proved not to lose.
    fn safe(&mut self, position: &Position, mut report: Report, limits: &Limits<'_>) -> Answer {
        let side = position.side_to_move;
        let mut moves = moves_of(position);
        moves.sort_by_key(|m| Some(*m) != report.best);
        let start = self.prover.nodes();
        let mut effort = 2_000;
        'proving: while !moves.is_empty() {
            let mut i = 0;
            while i < moves.len() {
                let spent = self.prover.nodes() - start;
                if spent >= limits.nodes || (limits.stop)() {
                    break 'proving;
                }
                let m = moves[i];
                let limits = Limits { nodes: effort.min(limits.nodes - spent), ..*limits };
                match self.prover.wins(&position.after(&m), side.other(), &limits) {
                    Some(false) => {
                        play_instead(&mut report, m);
                        return Answer { report, guarantee: Guarantee::ProvedDraw };
                    }
                    Some(true) => {
                        moves.remove(i);
                    }
                    None => i += 1,
                }
            }
            effort *= 2;
        }
        // Rather a move of which nothing is known than one that is proved to lose.
        if let Some(&open) = moves.first() {
            play_instead(&mut report, open);
        }
        Answer { report, guarantee: Guarantee::NotProved }
    }
}

/// Another move than the search's, unless it is the same.
fn play_instead(report: &mut Report, m: Move) {
    if report.best != Some(m) {
        report.best = Some(m);
        report.line = [m].into_iter().collect();
    }
}

impl<P: Prober> Player<'_, P> {
    /// The deepest search, in plies.
    pub const MAX_DEPTH: u8 = Engine::<P>::MAX_DEPTH;
}

fn guarantee_of(value: Value) -> Guarantee {
    match value {
        Value::Win => Guarantee::ProvedWin,
        Value::Draw => Guarantee::ProvedDraw,
        Value::Loss => Guarantee::NotProved,
    }
}

/// What all positions of a phase share.
fn kind_of(position: &Position) -> (u32, u32, u32, u32) {
    let kings = |set: crownhead_rules::Bitboard| set.len();
    (
        position.black_men.0,
        position.white_men.0,
        kings(position.black_kings),
        kings(position.white_kings),
    )
}
