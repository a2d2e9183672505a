//! The smallest useful search, for machines with a few KiB of memory; and the obviously right
//! twin that the full search is tested against.

use core::convert::Infallible;
use core::ops::ControlFlow;

use crownhead_rules::{Move, Outcome, Position, Prober, Value};

use crate::{Score, evaluate};

/// No tables: every position is beyond them.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTables;

/// A probe without a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoTable;

impl core::fmt::Display for NoTable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("there are no tables")
    }
}

impl core::error::Error for NoTable {}

impl Prober for NoTables {
    type Error = NoTable;

    fn max_pieces(&self) -> u32 {
        0
    }

    fn probe(&self, _position: &Position) -> Result<Outcome, NoTable> {
        Err(NoTable)
    }
}

/// The best move to a depth in plies, and its score; `None` without a legal move.
///
/// Plain alpha-beta without a transposition table, move lists or memory of any kind but the
/// stack: at most `depth` and as many plies as there are captures after that, some 200 bytes
/// each. Captures at the end are played out. Takes table values where there are pieces few enough
/// (a table that fails counts as missing). Of equal moves it plays the first.
///
/// ```
/// use crownhead_engine::{NoTables, best_move};
/// use crownhead_rules::Position;
///
/// let position: Position = "W:WK26,K27:B21,K25".parse()?;
/// let (m, score) = best_move(&position, 11, &NoTables).unwrap();
/// assert!(score.is_win(), "{m}: {score}");
/// # Ok::<(), crownhead_rules::FenError>(())
/// ```
pub fn best_move<P: Prober>(position: &Position, depth: u8, tables: &P) -> Option<(Move, Score)> {
    let mut best = None;
    let mut alpha = -Score::INFINITE;
    let _: ControlFlow<Infallible> = position.visit_moves(|m| {
        let depth = depth.saturating_sub(1);
        let score = -value(&position.after(&m), depth, 1, -Score::INFINITE, -alpha, tables);
        if best.is_none() || score > alpha {
            (best, alpha) = (Some(m), score);
        }
        ControlFlow::Continue(())
    });
    best.map(|m| (m, alpha))
}

/// The score of a position, right if it is between `alpha` and `beta` and a bound otherwise.
fn value<P: Prober>(
    position: &Position,
    depth: u8,
    ply: u16,
    mut alpha: Score,
    beta: Score,
    tables: &P,
) -> Score {
    if let Some(score) = table_score(position, ply, tables) {
        return score;
    }
    if depth == 0 && !position.has_capture(position.side_to_move) {
        return if position.has_move() { evaluate(position) } else { Score::loss_in(ply) };
    }
    let mut best = Score::loss_in(ply);
    let _ = position.visit_moves(|m| {
        let depth = depth.saturating_sub(1);
        let score = -value(&position.after(&m), depth, ply + 1, -beta, -alpha, tables);
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    best
}

/// What the tables say of a position `ply` plies from the root, if they reach it.
pub(crate) fn table_score<P: Prober>(position: &Position, ply: u16, tables: &P) -> Option<Score> {
    if position.occupied().len() > tables.max_pieces() {
        return None;
    }
    let outcome = tables.probe(position).ok()?;
    Some(Score::of_outcome(outcome, || evaluate(position), ply))
}

/// The order of outcomes for the side that has them: better values first, then quicker wins and
/// slower losses; without distances all wins are alike.
pub(crate) fn preference(outcome: Outcome) -> (Value, i32) {
    let plies = outcome.plies.map_or(0, i32::from);
    (outcome.value, if outcome.value == Value::Win { -plies } else { plies })
}
