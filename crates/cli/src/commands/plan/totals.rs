//! What all materials of so many pieces take.

use std::collections::BTreeMap;

use crownhead_index::Material;
use crownhead_index::product::ProductIndex;
use crownhead_solver::{Metric, Plan, SolveError, expected_bytes};
use serde::Serialize;

use super::Args;
use crate::output::Output;
use crate::status::{CommandResult, Status};
use crate::text::{self, grouped};

/// Seconds of processor time on one core, and words, that everything to 6 pieces has taken, and the
/// materials of 7 pieces alone (benches/record/counts-7.tsv: 529 s with those to 6).
const TO_6: (f64, f64) = (22.0, 104_521_122.0);
const OF_7: (f64, f64) = (507.0, 1_701_089_746.0);

/// The memory of a machine where none is given, in bytes.
const NODE_MEMORY: u64 = 64 << 30;

/// The time of one core for so many words, in seconds: at least if a word takes as long as with 7
/// pieces, at most if it takes longer with each piece, as it did from 6 to 7.
pub(super) fn core_seconds(pieces: u32, words: u64) -> (f64, f64) {
    let (with_6, with_7) = (TO_6.0 / TO_6.1, OF_7.0 / OF_7.1);
    let seconds = words as f64 * with_7;
    let more = (with_7 / with_6).powi(pieces as i32 - 7);
    (seconds * more.min(1.0), seconds * more)
}

/// What the materials of one number of pieces take.
#[derive(Default, Serialize)]
struct Row {
    pieces: u32,
    materials: u64,
    positions: u128,
    words: u64,
    core_hours_least: f64,
    core_hours_most: f64,
    /// The tables.
    table_bytes: u64,
    /// Files of solved words, at most at a time, from 2 pieces on.
    working_bytes: u64,
    tasks: u64,
    tasks_too_large: u64,
    /// The largest task's own.
    memory_bytes: u64,
    /// The most that a task maps from files.
    mapped_bytes: u64,
}

pub(super) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let memory = args.node_memory.unwrap_or(NODE_MEMORY);
    let args = Args { node_memory: Some(memory), ..args.clone() };
    let plan = Plan::to_pieces(args.pieces);
    let rows = rows(&args, memory, &plan)?;
    out.human(format_args!(
        "{:<6} {:>9} {:>22} {:>18} {:>16} {:>10} {:>10} {:>7} {:>11} {:>10}",
        "pieces",
        "materials",
        "positions",
        "words",
        "core-hours",
        "tables",
        "work",
        "tasks",
        "task memory",
        "mapped"
    ))?;
    for row in &rows {
        out.json(row)?;
        out.human(format_args!(
            "{:<6} {:>9} {:>22} {:>18} {:>16} {:>10} {:>10} {:>7} {:>11} {:>10}",
            row.pieces,
            row.materials,
            grouped(row.positions),
            grouped(row.words),
            hours(row),
            text::bytes(row.table_bytes),
            text::bytes(row.working_bytes),
            row.tasks,
            text::bytes(row.memory_bytes),
            text::bytes(row.mapped_bytes),
        ))?;
    }
    let too_large: u64 = rows.iter().map(|row| row.tasks_too_large).sum();
    if too_large > 0 {
        out.human(format_args!(
            "{too_large} tasks take more than {}: a component of theirs alone does",
            text::bytes(memory)
        ))?;
    }
    Ok(Status::Done)
}

fn hours(row: &Row) -> String {
    let number = |hours: f64| match hours {
        h if h < 10.0 => format!("{h:.3}"),
        h => grouped(h.round() as u64),
    };
    let (least, most) = (number(row.core_hours_least), number(row.core_hours_most));
    if least == most { least } else { format!("{least}-{most}") }
}

fn rows(args: &Args, memory: u64, plan: &Plan) -> Result<Vec<Row>, SolveError> {
    let words = |material: Material| ProductIndex::new(material).map_or(u64::MAX, |i| i.words());
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    for step in plan.steps() {
        let pieces = step.material.pieces();
        let row = rows.entry(pieces).or_insert_with(|| Row { pieces, ..Row::default() });
        let own = words(step.material);
        row.materials += 1;
        row.positions += step.material.positions::<u128>().unwrap_or(0);
        row.words = row.words.saturating_add(own);
        let bytes = expected_bytes(step.material, Metric::Wld);
        row.table_bytes = row.table_bytes.saturating_add(bytes);
        let tasks = args.tasks(step.material)?;
        // One more makes the table.
        row.tasks += tasks.len() as u64 + u64::from(tasks.len() > 1);
        for (_, needs) in &tasks {
            row.tasks_too_large += u64::from(needs.memory > memory);
            row.memory_bytes = row.memory_bytes.max(needs.memory);
            row.mapped_bytes = row.mapped_bytes.max(needs.mapped);
        }
    }
    for row in rows.values_mut() {
        let (least, most) = core_seconds(row.pieces, row.words);
        (row.core_hours_least, row.core_hours_most) = (least / 3600.0, most / 3600.0);
        row.working_bytes = most_working_bytes(args, row.pieces)?;
    }
    Ok(rows.into_values().collect())
}

/// The most that files of words take at a time, in solve order, each dropped after its last use.
fn most_working_bytes(args: &Args, pieces: u32) -> Result<u64, SolveError> {
    let plan = Plan::to_pieces(pieces);
    let bytes = |material: Material| {
        ProductIndex::new(material).map_or(u64::MAX, |index| index.words().saturating_mul(16))
    };
    let mut last_use = BTreeMap::new();
    for (at, step) in plan.steps().iter().enumerate() {
        last_use.insert(step.material, at);
        last_use.extend(step.needs.iter().map(|&part| (part, at)));
    }
    let (mut live, mut most) = (0_u64, 0);
    for (at, step) in plan.steps().iter().enumerate() {
        let own = bytes(step.material);
        live = live.saturating_add(own);
        // A divided material is there twice while its levels are joined.
        let twice = if args.tasks(step.material)?.len() > 1 { own } else { 0 };
        most = most.max(live.saturating_add(twice));
        let dropped = last_use.iter().filter(|(_, last)| **last == at);
        live = dropped.fold(live, |live, (&part, _)| live.saturating_sub(bytes(part)));
    }
    Ok(most)
}
