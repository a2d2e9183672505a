//! A position's value and its moves' values.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use crownhead_index::Material;
use crownhead_rules::{Move, Outcome, Position, Prober, Value};
use crownhead_solver::rule40;
use crownhead_table::Metric;
use serde::Serialize;

/// What the tables say of a position.
pub(super) struct Answer {
    pub(super) position: Position,
    pub(super) metric: Metric,
    pub(super) outcome: Outcome,
    /// One move for each position that can follow, the best first.
    pub(super) moves: Vec<Choice>,
}

/// A move, and what it is worth to the side that plays it.
pub(super) struct Choice {
    pub(super) text: String,
    /// Distances are counted from before the move.
    pub(super) outcome: Outcome,
}

impl Answer {
    /// Looks the position and what follows each move up.
    pub(super) fn new<P: Prober>(
        position: &Position,
        tables: &P,
        metric: Metric,
    ) -> Result<Self, P::Error> {
        let outcome = tables.probe(position)?;
        let mut moves = Vec::new();
        let looked = position.visit_distinct_moves(|m| match tables.probe(&position.after(&m)) {
            Ok(after) => {
                let outcome = before(&m, after, metric);
                moves.push(Choice { text: position.short_text(&m).to_string(), outcome });
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        });
        if let ControlFlow::Break(error) = looked {
            return Err(error);
        }
        moves.sort_by(|a, b| rank(a).cmp(&rank(b)));
        Ok(Self { position: *position, metric, outcome, moves })
    }

    /// The verdict under the 40-move rule, where distances to conversion are known and it is sure.
    fn rule40(&self) -> Option<&'static str> {
        let known = self.metric == Metric::Dtc;
        known.then(|| rule40(Material::of(&self.position), self.outcome.value)).flatten()
    }

    /// The line of JSON.
    pub(super) fn record(&self) -> Record<'_> {
        let moves = self.moves.iter().map(|choice| MoveRecord {
            r#move: &choice.text,
            value: choice.outcome.value.name(),
            plies: choice.outcome.plies,
        });
        Record {
            fen: self.position.to_string(),
            value: self.outcome.value.name(),
            metric: self.metric.name(),
            plies: self.outcome.plies,
            rule40: self.rule40(),
            best: self.moves.first().map(|choice| choice.text.as_str()),
            moves: moves.collect(),
        }
    }
}

/// What a move is worth, from what the opponent finds after it.
fn before(m: &Move, after: Outcome, metric: Metric) -> Outcome {
    let plies = after.plies.map(|plies| match metric {
        Metric::Dtc if m.is_conversion() => 1,
        _ => plies.saturating_add(1),
    });
    Outcome { value: after.value.negate(), plies }
}

/// The order of moves: better values first; quick wins and slow losses first; then by text.
fn rank(choice: &Choice) -> (Reverse<Value>, i32, &str) {
    let plies = i32::from(choice.outcome.plies.unwrap_or(0));
    let urgency = if choice.outcome.value == Value::Win { plies } else { -plies };
    (Reverse(choice.outcome.value), urgency, &choice.text)
}

#[derive(Serialize)]
pub(super) struct Record<'a> {
    fen: String,
    value: &'static str,
    metric: &'static str,
    plies: Option<u16>,
    rule40: Option<&'static str>,
    best: Option<&'a str>,
    moves: Vec<MoveRecord<'a>>,
}

#[derive(Serialize)]
struct MoveRecord<'a> {
    r#move: &'a str,
    value: &'static str,
    plies: Option<u16>,
}
