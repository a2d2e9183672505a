//! A plan as a workflow for Snakemake.

use std::fmt::Write;

use crownhead_index::Material;
use crownhead_solver::{LevelTask, Metric, Plan, SolveError, Step, TaskNeeds};

use super::totals::core_seconds;
use super::{Args, Record};

/// Every material a job of its own; with a limit on memory, large ones several.
pub(super) fn workflow(args: &Args, plan: &Plan, records: &[Record]) -> Result<String, SolveError> {
    let metric = args.metric();
    let divided = args.node_memory.is_some();
    let mut text = heading(args, metric);
    let tables: Vec<String> =
        plan.steps().iter().map(|step| table(&step.material, metric)).collect();
    let _ = write!(text, "rule all:\n    input:\n{}", list(&tables));
    for (step, record) in plan.steps().iter().zip(records) {
        if divided {
            text.push_str(&divided_material(args, step)?);
        } else {
            // Half as much again, and what any process takes.
            let mebibytes = (record.memory_bytes / (1 << 20)).saturating_mul(3) / 2 + 64;
            text.push_str(
                &Rule {
                    name: step.material.to_string(),
                    inputs: step.needs.iter().map(|part| table(part, metric)).collect(),
                    outputs: vec![table(&step.material, metric)],
                    mebibytes,
                    minutes: None,
                    threads: args.threads,
                    command: format!("--only {} --metric {metric}", step.material),
                }
                .text(),
            );
        }
    }
    Ok(text)
}

fn heading(args: &Args, metric: Metric) -> String {
    let (pieces, threads) = (args.pieces, args.threads);
    let mut command = format!("crownhead plan --pieces {pieces} --metric {metric}");
    let mut run = "tables=tables crownhead=crownhead".to_owned();
    let mut work = "";
    if let Some(bytes) = args.node_memory {
        let _ = write!(command, " --node-memory {bytes} --threads {threads}");
        run += " work=work";
        work = "WORK = config.get(\"work\", \"work\")\n";
    }
    format!(
        "# Builds the {metric} tables to {pieces} pieces, one material a job{}.\n\
         # Made by: {command} --format snakemake\n\
         # Run by: snakemake --cores 4 --config {run}\n\n\
         CROWNHEAD = config.get(\"crownhead\", \"crownhead\")\n\
         TABLES = config.get(\"tables\", \"tables\")\n{work}\n",
        if work.is_empty() { "" } else { ", large ones in tasks by levels of their men" },
    )
}

fn table(material: &Material, metric: Metric) -> String {
    format!("TABLES + \"/{material}.{metric}\"")
}

/// The files of solved words that later tasks map.
fn words(material: &Material) -> [String; 2] {
    ["words", "progress"].map(|ending| format!("WORK + \"/{material}.{ending}\""))
}

/// A task's file; the share's number as a wildcard or each of them.
fn level_file(task: &LevelTask, each: bool) -> String {
    let whole = LevelTask::whole(task.material, task.levels.clone());
    match task.share.of() {
        1 => format!("WORK + \"/{whole}\""),
        of if each => {
            format!("expand(WORK + \"/{whole}.share-{{n}}-of-{of}\", n=range(1, {of} + 1))")
        }
        of => format!("WORK + \"/{whole}.share-{{number}}-of-{of}\""),
    }
}

/// A job for each task of the material, and one that makes its table of what they leave.
fn divided_material(args: &Args, step: &Step) -> Result<String, SolveError> {
    let material = step.material;
    let tasks = args.tasks(material)?;
    let parts: Vec<String> = step.needs.iter().flat_map(words).collect();
    let mut outputs = vec![table(&material, Metric::Wld)];
    outputs.extend(words(&material).map(|file| format!("temp({file})")));
    let only = format!("--only {material} --metric wld --working {{WORK:q}}");
    let pieces = material.pieces();
    let minutes = |needs: &TaskNeeds| {
        let seconds = core_seconds(pieces, needs.words).1 / f64::from(args.threads);
        // Other machines are slower, and files take their time.
        Some((seconds * 4.0 / 60.0).ceil() as u64 + 10)
    };
    let mebibytes = |needs: &TaskNeeds| needs.memory.div_ceil(1 << 20).saturating_mul(11) / 10;
    let mut whole = Rule {
        name: material.to_string(),
        inputs: parts.clone(),
        outputs,
        mebibytes: 0,
        minutes: None,
        threads: args.threads,
        command: only.clone(),
    };
    if let [(_, needs)] = &tasks[..] {
        whole.mebibytes = mebibytes(needs);
        whole.minutes = minutes(needs);
        return Ok(whole.text());
    }
    // One rule for all shares of a level.
    let rules: Vec<&(LevelTask, TaskNeeds)> =
        tasks.iter().filter(|(task, _)| task.share.number() == 1).collect();
    let mut text = String::new();
    for (nth, (task, needs)) in rules.iter().enumerate() {
        let before = nth.checked_sub(1).map(|nth| level_file(&rules[nth].0, true));
        let levels = format!("{}..{}", task.levels.start, task.levels.end);
        let share = match task.share.of() {
            1 => String::new(),
            of => format!(" --share {{wildcards.number}}/{of}"),
        };
        let rule = Rule {
            name: format!("{material}_levels_{}_{}", task.levels.start, task.levels.end),
            inputs: parts.iter().cloned().chain(before).collect(),
            outputs: vec![format!("temp({})", level_file(task, false))],
            mebibytes: mebibytes(needs),
            minutes: minutes(needs),
            threads: args.threads,
            command: format!("{only} --levels {levels}{share}"),
        };
        text.push_str(&rule.text());
    }
    // Joining copies files and counts: next to no memory, two bytes read for one written.
    whole.inputs.extend(rules.iter().map(|(task, _)| level_file(task, true)));
    whole.mebibytes = 1024;
    whole.minutes = rules.iter().map(|(_, needs)| minutes(needs)).max().flatten();
    text.push_str(&whole.text());
    Ok(text)
}

struct Rule {
    name: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
    mebibytes: u64,
    minutes: Option<u64>,
    threads: u16,
    command: String,
}

impl Rule {
    fn text(&self) -> String {
        let mut text = format!("\nrule {}:\n", self.name);
        if !self.inputs.is_empty() {
            let _ = write!(text, "    input:\n{}", list(&self.inputs));
        }
        let _ = write!(text, "    output:\n{}", list(&self.outputs));
        if self.threads > 1 {
            let _ = writeln!(text, "    threads: {}", self.threads);
        }
        let _ = write!(text, "    resources:\n        mem_mb={}", self.mebibytes);
        if let Some(minutes) = self.minutes {
            let _ = write!(text, ",\n        runtime={minutes}");
        }
        let _ = write!(
            text,
            "\n    shell:\n        \"{{CROWNHEAD}} solve {} --threads {{threads}} --tables {{TABLES:q}}\"\n",
            self.command
        );
        text
    }
}

fn list(files: &[String]) -> String {
    files.iter().map(|file| format!("        {file},\n")).collect()
}
