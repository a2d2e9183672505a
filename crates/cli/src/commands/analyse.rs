//! `crownhead analyse`: searches a position deeper and deeper, and proves its value.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crownhead_engine::{Game, Limits, Line, Player, Proof, Report};
use crownhead_rules::{Position, Prober, Value};
use crownhead_solver::{Control, Sequel};
use serde::Serialize;

use crate::engine::{Deadline, EngineTables, SearchArgs, parse_position, parse_seconds};
use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};
use crate::text::grouped;

/// Arguments of `analyse`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position, such as W:W11,6:B3,K25.
    fen: String,
    /// Prove the value: by search, by solving in memory all that can follow where that is soon
    /// done, or by a search for forced wins of either side.
    #[arg(long)]
    prove: bool,
    /// The deepest iteration, in plies.
    #[arg(long, value_name = "PLIES", default_value_t = 64)]
    depth: u8,
    /// How long, in seconds.
    #[arg(long, value_name = "S", default_value = "5", value_parser = parse_seconds)]
    time: Duration,
    /// How many positions to visit at most.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    #[command(flatten)]
    search: SearchArgs,
}

/// A finished iteration.
#[derive(Serialize)]
struct Record {
    fen: String,
    depth: u8,
    /// Hundredths of a man for the side to move; beyond 25,000 a win.
    score: i16,
    /// Plies to the end of a win or loss, where they are known.
    plies: Option<u16>,
    pv: Vec<String>,
    nodes: u64,
    nps: u64,
    table_hits: u64,
    /// The value, where the tables know the position.
    table: Option<&'static str>,
}

/// What was proved.
#[derive(Serialize)]
struct ProofRecord {
    fen: String,
    /// The value, or null if it is not proved.
    proved: Option<&'static str>,
    /// What it is at least and at most.
    least: &'static str,
    most: &'static str,
    /// What proved it: tables, search, retrograde (analysis of all that can follow) or proof-number
    /// (search); of the last also what was not proved.
    method: Method,
    nodes: u64,
    seconds: f64,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Method {
    Tables,
    Search,
    Retrograde,
    ProofNumber,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let position = parse_position(&args.fen).map_err(Failure::bad_input)?;
    let tables = args.search.open_tables()?;
    let mut memory = args.search.memory()?;
    let mut player = memory.player(&tables, usize::from(args.search.threads));
    let start = Instant::now();
    if !position.has_move() {
        out.human(format_args!(
            "{}: {} has no move and has lost",
            position, position.side_to_move
        ))?;
    }
    // With a proof to find, the search has the first sixth for itself: it sees short wins sooner,
    // the prover long ones, and now knows for whom.
    let time = if args.prove { args.time / 6 } else { args.time };
    let known = by_tables(&position, &tables);
    if let Some(value) = known {
        out.human(format_args!("tables: {value}"))?;
    }
    let deadline = Deadline::after(time);
    let stop = || deadline.is_over();
    let nodes = args.nodes.unwrap_or(u64::MAX);
    let limits = Limits { depth: args.depth, nodes, stop: &stop };
    let mut written = Ok(());
    let mut shown = false;
    let report = player.team().search(&Game::new(position), &limits, |report| {
        if written.is_ok() {
            written = show(&position, report, known, start.elapsed(), out);
            shown = true;
        }
    });
    written?;
    if !shown {
        show(&position, &report, known, start.elapsed(), out)?;
    }
    if args.prove {
        let left = args.time.saturating_sub(start.elapsed());
        let exact = |value| Proof { least: value, most: value };
        let mut visited = report.nodes;
        let (proof, method) = if let Some(value) = known {
            (exact(value), Method::Tables)
        } else if let Some(value) = by_search(&report) {
            (exact(value), Method::Search)
        } else if args.nodes.is_none()
            && let Some(value) = by_retrograde(&position, left, args.search.threads.into())
        {
            (exact(value), Method::Retrograde)
        } else {
            let end = Deadline::after(args.time.saturating_sub(start.elapsed()));
            let (further, proof) = search_on(&mut player, &position, &report, args, end);
            visited += further.nodes;
            if further.depth > report.depth {
                show(&position, &further, known, start.elapsed(), out)?;
            }
            match by_search(&further) {
                Some(value) => (exact(value), Method::Search),
                None => (proof, Method::ProofNumber),
            }
        };
        let nodes = visited + player.prover().nodes();
        show_proof(&position, proof, method, (nodes, start.elapsed()), out)?;
    }
    if let Some(fault) = tables.fault() {
        eprintln!("warning: a table was left out: {fault}");
    }
    Ok(Status::Done)
}

/// Looks for a proof and, where the machine has a thread to spare and no number of nodes is set,
/// goes on searching beside it. Each stops as soon as the other is sure.
fn search_on(
    player: &mut Player<'_, EngineTables>,
    position: &Position,
    before: &Report,
    args: &Args,
    end: Deadline<'_>,
) -> (Report, Proof) {
    let expected = before.score.favours(position.side_to_move);
    let sure = AtomicBool::new(false);
    let end = Deadline { flag: Some(&sure), ..end };
    let (team, prover) = player.parts();
    let mut prove = || {
        let stop = || end.is_over();
        let nodes = args.nodes.unwrap_or(u64::MAX);
        let proof = prover.prove(position, expected, &Limits { nodes, ..Limits::until(&stop) });
        if proof.value().is_some() {
            sure.store(true, Ordering::Relaxed);
        }
        proof
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    if args.nodes.is_some() || threads <= usize::from(args.search.threads) {
        return (Report::default(), prove());
    }
    std::thread::scope(|scope| {
        let proof = scope.spawn(prove);
        let stop = || end.is_over();
        let limits = Limits { depth: args.depth, ..Limits::until(&stop) };
        let found = team.search(&Game::new(*position), &limits, |report| {
            if by_search(report).is_some() {
                sure.store(true, Ordering::Relaxed);
            }
        });
        (found, proof.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// What the tables say of the position itself.
fn by_tables(position: &Position, tables: &impl Prober) -> Option<Value> {
    let reach = position.occupied().len() <= tables.max_pieces();
    reach.then(|| tables.probe(position).ok()).flatten().map(|outcome| outcome.value)
}

/// What the search is sure of.
fn by_search(report: &Report) -> Option<Value> {
    if report.score.is_win() {
        return Some(Value::Win);
    }
    report.score.is_loss().then_some(Value::Loss)
}

/// The value by retrograde analysis of all that can follow, where the time left should be enough
/// for that.
fn by_retrograde(position: &Position, time: Duration, threads: usize) -> Option<Value> {
    /// What a thread solves in a second, or a little less.
    const POSITIONS: f64 = 1e8;
    const MOST_PIECES: u32 = 8;
    if position.occupied().len() > MOST_PIECES {
        return None;
    }
    let sequel = Sequel::of(position);
    if sequel.positions() as f64 > POSITIONS * threads as f64 * time.as_secs_f64() {
        return None;
    }
    let (deadline, late) = (Deadline::after(time), AtomicBool::new(false));
    let watch = |_| late.store(deadline.is_over(), Ordering::Relaxed);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
    pool.install(|| sequel.solve(&Control::new(&late, &watch))).ok()
}

fn show(
    position: &Position,
    report: &Report,
    known: Option<Value>,
    time: Duration,
    out: &mut Output,
) -> std::io::Result<()> {
    let pv = texts(position, &report.line);
    let nps = (report.nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    out.human(format_args!(
        "depth {:>2}  {:<16} {:>13} nodes {:>11}/s {:>11} hits  {}",
        report.depth,
        report.score.to_string(),
        grouped(report.nodes),
        grouped(nps),
        grouped(report.table_hits),
        pv.join(" ")
    ))?;
    out.json(&Record {
        fen: position.to_string(),
        depth: report.depth,
        score: report.score.hundredths(),
        plies: report.score.plies(),
        pv,
        nodes: report.nodes,
        nps,
        table_hits: report.table_hits,
        table: known.map(Value::name),
    })?;
    out.flush()
}

fn show_proof(
    position: &Position,
    proof: Proof,
    method: Method,
    (nodes, time): (u64, Duration),
    out: &mut Output,
) -> std::io::Result<()> {
    let words = match (proof.value(), proof.least, proof.most) {
        (Some(value), ..) => format!("proved {value}"),
        (None, Value::Draw, _) => "proved: a draw at least".to_owned(),
        (None, _, Value::Draw) => "proved: a draw at most".to_owned(),
        _ => "not proved".to_owned(),
    };
    let how = match method {
        Method::Tables => "by the tables",
        Method::Search => "by search",
        Method::Retrograde => "by solving all that can follow",
        Method::ProofNumber => "by proof-number search",
    };
    let seconds = time.as_secs_f64();
    out.human(format_args!("{words} {how}  ({} nodes, {seconds:.2} s)", grouped(nodes)))?;
    out.json(&ProofRecord {
        fen: position.to_string(),
        proved: proof.value().map(Value::name),
        least: proof.least.name(),
        most: proof.most.name(),
        method,
        nodes,
        seconds,
    })
}

/// A line of moves as people write them.
pub(crate) fn texts(position: &Position, line: &Line) -> Vec<String> {
    let mut position = *position;
    let text = |m: &crownhead_rules::Move| {
        let text = position.short_text(m).to_string();
        position = position.after(m);
        text
    };
    line.iter().map(text).collect()
}
