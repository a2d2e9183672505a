//! Answers for people.

use std::fmt::Write;

use crownhead_rules::{Outcome, Value};
use crownhead_table::Metric;

use super::answer::{Answer, Choice};

/// The board, the value, and the moves grouped by what they keep.
pub(super) fn full(answer: &Answer) -> String {
    let position = &answer.position;
    let side = position.side_to_move;
    let mut text = format!("{position}\n\n{}\n\n", position.board().to_string().trim_end());
    if answer.moves.is_empty() {
        let _ = write!(text, "{side} has no move and has lost.");
        return text;
    }
    let must = if position.has_capture(side) { " (and must capture)" } else { "" };
    let _ = write!(text, "{side} to move{must}: {}.", described(answer.outcome, answer.metric));
    let kept = answer.outcome.value;
    for value in [Value::Win, Value::Draw, Value::Loss] {
        let moves: Vec<&Choice> =
            answer.moves.iter().filter(|choice| choice.outcome.value == value).collect();
        if !moves.is_empty() {
            let _ = write!(text, "\n\n  {}:\n   {}", heading(kept, value), list(&moves));
        }
    }
    text
}

/// What the moves of one value do to a position of another.
fn heading(kept: Value, value: Value) -> &'static str {
    match (kept, value) {
        (Value::Win, Value::Win) => "keep the win",
        (Value::Win, Value::Draw) => "let the win go: draw",
        (Value::Draw, Value::Draw) => "keep the draw",
        (Value::Loss, Value::Loss) => "lose all the same",
        (_, Value::Loss) => "lose",
        // A damaged table at most: no move is worth more than its position.
        (_, Value::Win) => "win",
        (_, Value::Draw) => "draw",
    }
}

fn list(moves: &[&Choice]) -> String {
    let text = |choice: &&Choice| match choice.outcome.plies {
        Some(plies) => format!(" {} ({plies})", choice.text),
        None => format!(" {}", choice.text),
    };
    moves.iter().map(text).collect()
}

/// `win in 93 plies`.
fn described(outcome: Outcome, metric: Metric) -> String {
    let Some(plies) = outcome.plies else { return outcome.value.to_string() };
    let unit = if plies == 1 { "ply" } else { "plies" };
    let what = if metric == Metric::Dtc { " to the next conversion" } else { "" };
    format!("{} in {plies} {unit}{what}", outcome.value)
}

/// The position, its value and the best move in one line.
pub(super) fn line(answer: &Answer) -> String {
    let best = answer.moves.first().map_or("no move", |choice| choice.text.as_str());
    let value = described(answer.outcome, answer.metric);
    format!("{:<30} {value:<40} {best}", answer.position.to_string())
}
