//! The root at or below the size of the tables.

use crownhead_rules::{MOVE_CAPACITY, Move, Outcome, Position, Prober, Value};

use super::roots::Roots;
use super::{Engine, Line, Report};
use crate::pocket::preference;
use crate::{Score, evaluate};

impl<P: Prober> Engine<'_, P> {
    /// Where the tables reach the root: the best move if they tell distances, or else only the
    /// moves that keep the value stay.
    ///
    /// Then every position below would be a table position too and the search would see no
    /// further than one ply; so it asks about those after an exchange only, and finds its way
    /// there by itself.
    pub(super) fn consult_tables(
        &mut self,
        position: &Position,
        roots: &mut Roots,
    ) -> Option<Report> {
        let pieces = position.occupied().len();
        if pieces > self.table_pieces {
            return None;
        }
        let mut outcomes = heapless::Vec::<(Move, Outcome), MOVE_CAPACITY>::new();
        for m in roots.iter() {
            let outcome = self.tables.probe(&position.after(m)).ok()?;
            self.table_hits += 1;
            // As many as there are roots.
            let _ = outcomes.push((*m, of_parent(outcome)));
        }
        let most = outcomes.iter().map(|(_, outcome)| outcome.value).max()?;
        outcomes.retain(|(_, outcome)| outcome.value == most);
        self.table_pieces = pieces - 1;
        if most == Value::Draw || outcomes.iter().any(|(_, x)| x.plies.is_none()) {
            roots.retain(|m| outcomes.iter().any(|(of, _)| of == m));
            return None;
        }
        let (best, most) = *outcomes.iter().rev().max_by_key(|(_, x)| preference(*x))?;
        let score = Score::of_outcome(most, || evaluate(position), 0);
        let line = Line::from_iter([best]);
        Some(Report {
            best: Some(best),
            score,
            depth: 0,
            nodes: 0,
            table_hits: self.table_hits,
            line,
        })
    }
}

/// What a move is worth to the side that makes it, from what the other side finds after it.
fn of_parent(after: Outcome) -> Outcome {
    Outcome { value: after.value.negate(), plies: after.plies.map(|plies| plies.saturating_add(1)) }
}
