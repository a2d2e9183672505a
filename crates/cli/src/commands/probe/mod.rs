//! `crownhead probe`: what the tables say of a position and of each move.

mod answer;
mod show;
mod tables;

use std::io::{self, BufRead, BufReader};

use anyhow::{Context, anyhow};
use crownhead_rules::Position;
use crownhead_table::Metric;
use serde::Serialize;

use self::answer::Answer;
use self::tables::{Answers, Richest};
use super::TablesArg;
use crate::image::{ImageArg, ImageProber};
use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};

/// Arguments of `probe`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Positions, such as W:W11,6:B3,K25; without any, standard input is read, one a line.
    fen: Vec<String>,
    /// Tables of this metric: wld, dtc or dtw [default: the richest there is, dtw before dtc]
    #[arg(long, value_name = "X")]
    metric: Option<Metric>,
    #[command(flatten)]
    image: ImageArg,
    #[command(flatten)]
    tables: TablesArg,
}

/// The line about an input that has no answer.
#[derive(Serialize)]
struct Refusal<'a> {
    fen: &'a str,
    error: String,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let tables = match &args.image.image {
        Some(path) => Answers::Image(ImageProber::open(path)?),
        None => Answers::Tables(Richest::open(&args.tables.tables, args.metric)),
    };
    if let [fen] = args.fen.as_slice() {
        return probe_one(fen, &tables, out);
    }
    let mut status = Status::Done;
    for fen in &args.fen {
        status = status.max(probe_line(fen, &tables, out)?);
    }
    if args.fen.is_empty() {
        status = probe_input(&tables, out)?;
    }
    Ok(status)
}

fn answer(fen: &str, tables: &Answers) -> Result<Answer, Failure> {
    let position: Position = fen
        .parse()
        .map_err(|error| anyhow!("FEN '{}': {error}", fen.escape_debug()))
        .map_err(Failure::bad_input)?;
    tables.answer(&position)
}

/// One position, with its board and moves.
fn probe_one(fen: &str, tables: &Answers, out: &mut Output) -> CommandResult {
    match answer(fen, tables) {
        Ok(answer) => {
            out.json(&answer.record())?;
            if !out.is_json() {
                out.human(show::full(&answer))?;
            }
            Ok(Status::Done)
        }
        Err(failure) => {
            out.json(&Refusal { fen, error: failure.to_string() })?;
            if out.is_json() { Ok(failure.status()) } else { Err(failure) }
        }
    }
}

/// One position of many, in one line.
fn probe_line(fen: &str, tables: &Answers, out: &mut Output) -> Result<Status, Failure> {
    match answer(fen, tables) {
        Ok(answer) => {
            out.json(&answer.record())?;
            out.human(show::line(&answer))?;
            Ok(Status::Done)
        }
        Err(failure) => {
            out.json(&Refusal { fen, error: failure.to_string() })?;
            out.human(format_args!("error: {failure}"))?;
            Ok(failure.status())
        }
    }
}

/// Every line of standard input that is not blank.
fn probe_input(tables: &Answers, out: &mut Output) -> CommandResult {
    let mut input = BufReader::new(io::stdin().lock());
    let mut status = Status::Done;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input.read_until(b'\n', &mut bytes).context("cannot read standard input");
        if read.map_err(Failure::bad_input)? == 0 {
            return Ok(status);
        }
        let line = String::from_utf8_lossy(&bytes);
        if line.trim().is_empty() {
            continue;
        }
        status = status.max(probe_line(line.trim(), tables, out)?);
        if input.buffer().is_empty() {
            // Whoever feeds us waits for this answer before the next question.
            out.flush()?;
        }
    }
}
