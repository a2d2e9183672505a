//! `crownhead plan`: what is built in which order, for people and for workflow engines.

use std::collections::BTreeMap;
use std::fmt::Write;

use clap::ValueEnum;
use crownhead_index::Material;
use crownhead_solver::{Backend, Metric, Plan, Step, expected_bytes};
use serde::Serialize;

use crate::backends::Kind;
use crate::output::Output;
use crate::status::{CommandResult, Status};
use crate::text::{self, grouped};

/// Arguments of `plan`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Every material with 2 to this many pieces.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=24))]
    pieces: u32,
    /// What the tables say: wld, dtc or dtw [default: dtw to 4 pieces, else wld]
    #[arg(long, value_name = "X")]
    metric: Option<Metric>,
    /// A table for people, JSON Lines, a graph for Graphviz, or a workflow for Snakemake.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Dot,
    Snakemake,
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
}

impl Record {
    fn new(step: &Step, backend: &dyn Backend) -> Self {
        let needs = backend.needs(step.material);
        let parts = step.needs.iter().map(|&part| backend.needs(part).stored);
        Self {
            material: step.material.to_string(),
            positions: step.material.positions().unwrap_or(u128::MAX),
            needs: step.needs.iter().map(Material::to_string).collect(),
            memory_bytes: parts.chain([needs.stored, needs.working]).fold(0, u64::saturating_add),
            working_bytes: needs.working,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let plan = Plan::to_pieces(args.pieces);
    let metric = args.metric.unwrap_or(if args.pieces <= 4 { Metric::Dtw } else { Metric::Wld });
    let backend = Kind::default_for(metric).make(metric)?;
    let records = || plan.steps().iter().map(|step| Record::new(step, backend.as_ref()));
    let text = match if out.is_json() { Format::Json } else { args.format } {
        Format::Text => table(&plan, records(), metric),
        Format::Json => {
            let lines = records().map(|record| serde_json::to_string(&record));
            let lines = lines.collect::<Result<Vec<_>, _>>().map_err(std::io::Error::from)?;
            lines.into_iter().map(|line| line + "\n").collect()
        }
        Format::Dot => dot(&plan),
        Format::Snakemake => snakemake(args, &plan, records(), metric),
    };
    out.raw(text.as_bytes())?;
    Ok(Status::Done)
}

fn table(plan: &Plan, records: impl Iterator<Item = Record>, metric: Metric) -> String {
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

/// A workflow in which every material is a job of its own.
fn snakemake(
    args: &Args,
    plan: &Plan,
    records: impl Iterator<Item = Record>,
    metric: Metric,
) -> String {
    let file = |material: &Material| format!("TABLES + \"/{material}.{metric}\"");
    let list = |materials: &mut dyn Iterator<Item = &Material>| {
        materials.map(|material| format!("        {},\n", file(material))).collect::<String>()
    };
    let mut text = format!(
        "# Builds the {metric} tables to {} pieces, one material a job.\n\
         # Made by: crownhead plan --pieces {} --metric {metric} --format snakemake\n\
         # Run by: snakemake --cores 4 --config tables=tables crownhead=crownhead\n\n\
         CROWNHEAD = config.get(\"crownhead\", \"crownhead\")\n\
         TABLES = config.get(\"tables\", \"tables\")\n\n\
         rule all:\n    input:\n{}",
        args.pieces,
        args.pieces,
        list(&mut plan.steps().iter().map(|step| &step.material))
    );
    let memory: BTreeMap<String, u64> =
        records.map(|record| (record.material, record.memory_bytes)).collect();
    for Step { material, needs } in plan.steps() {
        let bytes = memory.get(&material.to_string()).copied().unwrap_or(0);
        // Half as much again, and what any process takes.
        let mebibytes = (bytes / (1 << 20)).saturating_mul(3) / 2 + 64;
        let _ = write!(text, "\nrule {material}:\n");
        if !needs.is_empty() {
            let _ = write!(text, "    input:\n{}", list(&mut needs.iter()));
        }
        let _ = write!(
            text,
            "    output:\n        {}\n    resources:\n        mem_mb={mebibytes}\n    shell:\n        \
             \"{{CROWNHEAD}} solve --only {material} --metric {metric} --threads {{threads}} \
             --tables {{TABLES:q}}\"\n",
            file(material)
        );
    }
    text
}
