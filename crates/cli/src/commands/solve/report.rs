//! What `solve` says of what it has built or would build.

use std::io;
use std::time::Duration;

use crownhead_index::Material;
use crownhead_solver::{Counts, Finished, Longest, Pipeline, Summary, Survey};
use serde::Serialize;

use crate::commands::invoked_as;
use crate::output::Output;
use crate::status::{CommandResult, Status};
use crate::text::{self, grouped};

/// The line about one material that was built.
#[derive(Serialize)]
pub(super) struct Record {
    material: String,
    positions: u64,
    seconds: f64,
    backend: &'static str,
    bytes: u64,
}

impl Record {
    pub(super) fn new(pipeline: &Pipeline<'_>, finished: &Finished) -> Self {
        Self {
            material: finished.summary.material.to_string(),
            positions: finished.summary.positions(),
            seconds: finished.seconds,
            backend: pipeline.backend.name(),
            bytes: finished.bytes,
        }
    }
}

/// The last line.
#[derive(Serialize)]
struct Total {
    total_positions: u64,
    total_bytes: u64,
    seconds: f64,
    /// Of the positions that this run built; null when there was nothing to build.
    positions_per_second: Option<f64>,
    backend: &'static str,
    adapter: Option<String>,
}

/// What the build takes, in one sentence.
pub(super) fn needs(
    pipeline: &Pipeline<'_>,
    materials: &[Material],
    memory: u64,
    disk: u64,
) -> String {
    let backend = match pipeline.backend.adapter() {
        Some(adapter) => format!("{} ({adapter})", pipeline.backend.name()),
        None => pipeline.backend.name().to_owned(),
    };
    let positions: u128 = materials.iter().filter_map(Material::positions::<u128>).sum();
    format!(
        "{} {} to build, {} positions, {} with the {backend} backend; takes about {} of memory \
         and {} of disk",
        materials.len(),
        if materials.len() == 1 { "material" } else { "materials" },
        grouped(positions),
        pipeline.backend.metric(),
        text::bytes(memory),
        text::bytes(disk),
    )
}

/// What would be built, without building it.
pub(super) fn dry_run(pipeline: &Pipeline<'_>, survey: &Survey, out: &mut Output) -> CommandResult {
    for error in &survey.rebuild {
        eprintln!("would be built again: {error}");
    }
    for material in &survey.build {
        let positions = material.positions::<u128>().unwrap_or(u128::MAX);
        out.human(format_args!("{material:<14} {:>20} positions", grouped(positions)))?;
    }
    out.human(needs(pipeline, &survey.build, survey.memory, survey.disk))?;
    out.json(&Total {
        total_positions: survey.build.iter().filter_map(Material::positions::<u64>).sum(),
        total_bytes: survey.disk,
        seconds: 0.0,
        positions_per_second: None,
        backend: pipeline.backend.name(),
        adapter: pipeline.backend.adapter(),
    })?;
    Ok(Status::Done)
}

/// All that there is now, and what to do with it.
pub(super) fn summary(
    pipeline: &Pipeline<'_>,
    finished: &[Finished],
    time: Duration,
    out: &mut Output,
) -> io::Result<()> {
    let built: Vec<&Finished> = finished.iter().filter(|finished| finished.built).collect();
    let positions = |finished: &[&Finished]| -> u64 {
        finished.iter().map(|finished| finished.summary.positions()).sum()
    };
    let seconds = time.as_secs_f64();
    let total = Total {
        total_positions: positions(&finished.iter().collect::<Vec<_>>()),
        total_bytes: finished.iter().map(|finished| finished.bytes).sum(),
        seconds,
        positions_per_second: (!built.is_empty())
            .then(|| positions(&built) as f64 / seconds.max(f64::MIN_POSITIVE)),
        backend: pipeline.backend.name(),
        adapter: pipeline.backend.adapter(),
    };
    out.json(&total)?;
    for line in lines(pipeline, finished, built.len(), &total, time) {
        out.human(line)?;
    }
    Ok(())
}

fn lines(
    pipeline: &Pipeline<'_>,
    finished: &[Finished],
    built: usize,
    total: &Total,
    time: Duration,
) -> Vec<String> {
    let count = |of: fn(&Counts) -> u64| -> u64 {
        finished.iter().flat_map(|finished| &finished.summary.sides).map(of).sum()
    };
    let counted = |name: &str, of: fn(&Counts) -> u64| {
        let number = count(of);
        format!(
            "  {name:<14}{:>16}  {:>6}",
            grouped(number),
            text::share(number, total.total_positions)
        )
    };
    let mut lines = vec![
        format!(
            "  materials     {:>16}  {}",
            finished.len(),
            match finished.len() - built {
                0 => "all built now".to_owned(),
                there => format!("{built} built now, {there} were there"),
            }
        ),
        format!("  positions     {:>16}", grouped(total.total_positions)),
        counted("wins", |counts| counts.wins),
        counted("draws", |counts| counts.draws),
        counted("losses", |counts| counts.losses),
    ];
    let summaries: Vec<&Summary> = finished.iter().map(|finished| &finished.summary).collect();
    lines.extend(longest("longest win", &summaries, |counts| counts.longest_win));
    lines.extend(longest("longest loss", &summaries, |counts| counts.longest_loss));
    let speed = total.positions_per_second.map_or(String::new(), |speed| {
        format!("  {} positions a second", grouped(speed.round() as u64))
    });
    lines.push(format!("  time          {:>16}{speed}", text::seconds(time)));
    lines.extend(next_steps(pipeline, total));
    lines
}

/// The position with the longest distance of all, the first in solve order.
fn longest(
    name: &str,
    summaries: &[&Summary],
    of: fn(&Counts) -> Option<Longest>,
) -> Option<String> {
    let all = summaries.iter().flat_map(|summary| &summary.sides).filter_map(of);
    let longest = all.reduce(|a, b| if b.plies > a.plies { b } else { a })?;
    let plies = format!("{} plies", longest.plies);
    Some(format!("  {name:<14}{plies:>16}  {}", longest.position))
}

/// Where the tables are, and what to try.
fn next_steps(pipeline: &Pipeline<'_>, total: &Total) -> Vec<String> {
    let Some(directory) = pipeline.options.directory.filter(|_| pipeline.options.write) else {
        return vec!["  tables                    none  counted only".to_owned()];
    };
    let me = invoked_as();
    vec![
        format!("  tables        {:>16}  {}", text::bytes(total.total_bytes), directory.display()),
        String::new(),
        "Try next:".to_owned(),
        format!("  {me} probe 'W:W11,6:B3,K25'"),
        format!("  {me} stats"),
        format!("  {me} verify"),
    ]
}
