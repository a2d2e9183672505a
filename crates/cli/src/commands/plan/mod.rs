//! `crownhead plan`: what is built in which order, for people and for workflow engines.

mod snakemake;
mod totals;

use std::fmt::Write;

use anyhow::anyhow;
use clap::ValueEnum;
use crownhead_index::Material;
use crownhead_solver::{
    Backend, Cpu, LevelTask, Metric, Plan, SolveError, Step, TaskNeeds, expected_bytes,
};
use serde::Serialize;

use crate::backends::Kind;
use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};
use crate::text::{self, grouped};

/// Arguments of `plan`.
#[derive(Clone, clap::Args)]
pub(crate) struct Args {
    /// Every material with 2 to this many pieces.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=24))]
    pieces: u32,
    /// What the tables say: wld, dtc or dtw [default: dtw to 4 pieces, else wld]
    #[arg(long, value_name = "X")]
    metric: Option<Metric>,
    /// A table for people, JSON Lines, a graph for Graphviz, a workflow for Snakemake, or what each
    /// number of pieces takes.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Divide materials that take more memory than this into tasks by levels of their men
    /// (win, draw or loss only) [with --format totals: 64GiB]
    #[arg(long, value_name = "BYTES", value_parser = text::parse_bytes)]
    node_memory: Option<u64>,
    /// Threads of each task.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
}

impl Args {
    fn metric(&self) -> Metric {
        let divided = self.node_memory.is_some() || self.format == Format::Totals;
        let distances = self.pieces <= 4 && !divided;
        self.metric.unwrap_or(if distances { Metric::Dtw } else { Metric::Wld })
    }

    /// The tasks that a material divides into.
    fn tasks(&self, material: Material) -> Result<Vec<(LevelTask, TaskNeeds)>, SolveError> {
        Cpu::split(material, self.node_memory.unwrap_or(u64::MAX), usize::from(self.threads))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Dot,
    Snakemake,
    Totals,
}

#[derive(Serialize)]
struct Record {
    material: String,
    /// Both sides to move; a colour-symmetric material's once.
    positions: u128,
    needs: Vec<String>,
    /// All that is in memory while this is built: its parts, itself and what follows.
    memory_bytes: u64,
    /// What is used while this is built and dropped then.
    working_bytes: u64,
    /// Only where materials are divided.
    #[serde(skip_serializing_if = "Option::is_none")]
    tasks: Option<Vec<TaskRecord>>,
}

/// A task of a divided material.
#[derive(Serialize)]
struct TaskRecord {
    /// The first level and the one after the last.
    levels: [u32; 2],
    share: String,
    words: u64,
    /// Of its own; its parts are mapped from their files.
    memory_bytes: u64,
}

impl From<(LevelTask, TaskNeeds)> for TaskRecord {
    fn from((task, needs): (LevelTask, TaskNeeds)) -> Self {
        Self {
            levels: [task.levels.start, task.levels.end],
            share: task.share.to_string(),
            words: needs.words,
            memory_bytes: needs.memory,
        }
    }
}

impl Record {
    fn new(step: &Step, backend: &dyn Backend, args: &Args) -> Result<Self, SolveError> {
        let tasks = args.node_memory.map(|_| args.tasks(step.material)).transpose()?;
        let needs = backend.needs(step.material);
        let parts = step.needs.iter().map(|&part| backend.needs(part).stored);
        Ok(Self {
            material: step.material.to_string(),
            positions: step.material.positions().unwrap_or(u128::MAX),
            needs: step.needs.iter().map(Material::to_string).collect(),
            memory_bytes: parts.chain([needs.stored, needs.working]).fold(0, u64::saturating_add),
            working_bytes: needs.working,
            tasks: tasks.map(|tasks| tasks.into_iter().map(TaskRecord::from).collect()),
        })
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let plan = Plan::to_pieces(args.pieces);
    let metric = args.metric();
    if args.node_memory.is_some() && metric != Metric::Wld {
        let reason = anyhow!("only builds of wld divide into tasks; leave out --node-memory");
        return Err(Failure::bad_input(reason));
    }
    let backend = Kind::Cpu.make(metric)?;
    let records = || -> Result<Vec<Record>, SolveError> {
        plan.steps().iter().map(|step| Record::new(step, backend.as_ref(), args)).collect()
    };
    let text = match args.format {
        Format::Totals => return totals::run(args, out),
        _ if out.is_json() => json(&records()?)?,
        Format::Json => json(&records()?)?,
        Format::Text => table(&plan, &records()?, metric),
        Format::Dot => dot(&plan),
        Format::Snakemake => snakemake::workflow(args, &plan, &records()?)?,
    };
    out.raw(text.as_bytes())?;
    Ok(Status::Done)
}

fn json(records: &[Record]) -> Result<String, std::io::Error> {
    let lines = records.iter().map(|record| Ok(serde_json::to_string(record)? + "\n"));
    lines.collect()
}

fn table(plan: &Plan, records: &[Record], metric: Metric) -> String {
    let mut text = format!(
        "{:<14} {:>22} {:>12} {:>12}  needs\n",
        "material",
        "positions",
        metric.name(),
        "memory"
    );
    let mut disk: u64 = 0;
    let mut memory = 0;
    for (step, record) in plan.steps().iter().zip(records) {
        let table_bytes = expected_bytes(step.material, metric);
        disk = disk.saturating_add(table_bytes);
        memory = memory.max(record.memory_bytes);
        let _ = writeln!(
            text,
            "{:<14} {:>22} {:>12} {:>12}  {}",
            record.material,
            grouped(record.positions),
            text::bytes(table_bytes),
            text::bytes(record.memory_bytes),
            record.needs.join(" ")
        );
        let tasks = record.tasks.as_ref().filter(|tasks| tasks.len() > 1);
        for task in tasks.into_iter().flatten() {
            let [from, to] = task.levels;
            let share = if task.share == "1/1" { String::new() } else { task.share.clone() };
            let _ = writeln!(
                text,
                "    levels {:<9} {:>16} words {:>25}  {share}",
                format!("{from}..{to}"),
                grouped(u128::from(task.words)),
                text::bytes(task.memory_bytes),
            );
        }
    }
    let _ = writeln!(
        text,
        "\n{} materials, {} positions, {} of {metric} tables; the largest takes {} of memory",
        plan.steps().len(),
        grouped(plan.positions()),
        text::bytes(disk),
        text::bytes(memory)
    );
    text
}

/// A graph with an arrow from each material to what it needs.
fn dot(plan: &Plan) -> String {
    let mut text = "digraph plan {\n    rankdir = BT;\n    node [shape = box];\n".to_owned();
    for step in plan.steps() {
        let positions = step.material.positions::<u128>().unwrap_or(u128::MAX);
        let name = step.material;
        let _ = writeln!(text, "    {name} [label = \"{name}\\n{}\"];", grouped(positions));
        for part in &step.needs {
            let _ = writeln!(text, "    {name} -> {part};");
        }
    }
    text + "}\n"
}
