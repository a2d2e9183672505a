//! `solve --only M --levels A..B`: a part of the work on one material.

use std::ops::Range;
use std::time::Instant;

use crownhead_solver::{LevelTask, Pipeline};
use serde::Serialize;

use crate::output::Output;
use crate::status::{CommandResult, Status};

/// Reads `3..7`.
pub(super) fn parse(text: &str) -> Result<Range<u32>, String> {
    let levels = text.split_once("..").and_then(|(from, to)| {
        let levels = from.parse().ok()?..to.parse().ok()?;
        (!levels.is_empty()).then_some(levels)
    });
    levels.ok_or_else(|| "expected A..B, the first level and the one after the last".to_owned())
}

/// The line about one task.
#[derive(Serialize)]
struct Record {
    material: String,
    levels: [u32; 2],
    share: String,
    seconds: f64,
    backend: &'static str,
}

pub(super) fn run(
    pool: &rayon::ThreadPool,
    pipeline: &Pipeline<'_>,
    task: &LevelTask,
    out: &mut Output,
) -> CommandResult {
    let start = Instant::now();
    pool.install(|| pipeline.run_levels(task))?;
    let seconds = start.elapsed();
    out.json(&Record {
        material: task.material.to_string(),
        levels: [task.levels.start, task.levels.end],
        share: task.share.to_string(),
        seconds: seconds.as_secs_f64(),
        backend: pipeline.backend.name(),
    })?;
    out.human(format_args!("{task} is solved, in {}", crate::text::seconds(seconds)))?;
    Ok(Status::Done)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn levels_are_read_and_what_is_none_is_refused() {
        assert_eq!(parse("0..3"), Ok(0..3));
        for text in ["", "3", "3..3", "4..3", "..3", "0..", "a..b", "-1..2"] {
            assert!(parse(text).unwrap_err().contains("A..B"), "{text}");
        }
    }
}
