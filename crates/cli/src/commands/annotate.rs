//! `crownhead annotate`: what each move of a game kept or lost.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::Context;
use crownhead_engine::{Game, Limits, Player, Score};
use crownhead_rules::{Color, Move, Position, Prober, Value};
use serde::Serialize;

use crate::engine::{EngineTables, SearchArgs};
use crate::output::Output;
use crate::pdn::{self, Ply, Reader};
use crate::status::{CommandResult, Failure, Status};

/// Arguments of `annotate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The PDN file; - is standard input.
    game: PathBuf,
    /// Positions that the search visits for each side of each decision beyond the tables.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    search: SearchArgs,
}

/// What a move did.
#[derive(Serialize)]
struct Record {
    /// From 1 in the file.
    game: usize,
    /// From 1 in the game.
    ply: usize,
    side: String,
    r#move: String,
    best: String,
    /// Values for the side that moves, before and after, where tables or forced lines tell.
    before: Option<&'static str>,
    after: Option<&'static str>,
    /// What the move gave away, in hundredths of a man, where only the search tells.
    lost: Option<i32>,
    /// 0 where the tables tell.
    depth: u8,
}

/// A side's decisions.
#[derive(Clone, Copy, Default, Serialize)]
struct Summary {
    decisions: u32,
    forced: u32,
    /// By tables or forced lines.
    kept: u32,
    win_to_draw: u32,
    win_to_loss: u32,
    draw_to_loss: u32,
    /// By search.
    searched: u32,
    hundredths_lost: i32,
}

#[derive(Serialize)]
struct SummaryRecord {
    game: usize,
    black: Summary,
    white: Summary,
}

#[derive(Serialize)]
struct Refusal {
    error: String,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    if args.game == Path::new("-") {
        return annotate_all(Reader::new(std::io::stdin().lock()), args, out);
    }
    let file =
        File::open(&args.game).with_context(|| format!("cannot open {}", args.game.display()));
    annotate_all(Reader::new(file.map_err(Failure::bad_input)?), args, out)
}

/// Every game in turn; one that cannot be read gets a warning.
fn annotate_all<R: std::io::Read>(
    games: Reader<R>,
    args: &Args,
    out: &mut Output,
) -> CommandResult {
    let tables = args.search.open_tables()?;
    let mut memory = args.search.memory()?;
    let mut status = Status::Done;
    let mut judge = Judge {
        player: memory.player(&tables, usize::from(args.search.threads)),
        nodes: args.nodes,
    };
    for (number, game) in games.enumerate() {
        match game {
            Ok(game) => annotate_one(number + 1, game, &mut judge, out)?,
            Err(error) => {
                let error = format!("{}: {error}", args.game.display());
                eprintln!("error: {error}");
                out.json(&Refusal { error })?;
                status = Status::BadInput;
            }
        }
        out.flush()?;
    }
    Ok(status)
}

fn annotate_one(
    number: usize,
    mut game: pdn::Game,
    judge: &mut Judge<'_>,
    out: &mut Output,
) -> Result<(), Failure> {
    let mut so_far = Game::new(game.start);
    let mut sides = [Summary::default(); 2];
    for (i, ply) in game.main.plies.iter_mut().enumerate() {
        let position = *so_far.position();
        let verdict = judge.decide(&so_far, &ply.played);
        let side = position.side_to_move;
        sides[side as usize].add(&verdict);
        mark(&position, &verdict, ply);
        let text = |m: &Move| position.short_text(m).to_string();
        out.json(&Record {
            game: number,
            ply: i + 1,
            side: side.to_string().to_lowercase(),
            r#move: text(&ply.played),
            best: text(&verdict.best),
            before: verdict.before.map(Value::name),
            after: verdict.after.map(Value::name),
            lost: verdict.lost,
            depth: verdict.depth,
        })?;
        so_far.play(&ply.played);
    }
    let [black, white] = sides;
    let last = match game.main.plies.last_mut() {
        Some(ply) => &mut ply.comments,
        None => &mut game.main.comments,
    };
    last.push(black.text(Color::Black));
    last.push(white.text(Color::White));
    out.json(&SummaryRecord { game: number, black, white })?;
    if !out.is_json() {
        let mut text = Vec::new();
        pdn::write(&game, &mut text)?;
        out.raw(&text)?;
    }
    Ok(())
}

/// What was found about a move.
struct Verdict {
    best: Move,
    forced: bool,
    before: Option<Value>,
    after: Option<Value>,
    lost: Option<i32>,
    depth: u8,
}

struct Judge<'m> {
    player: Player<'m, EngineTables>,
    nodes: u64,
}

impl Judge<'_> {
    fn decide(&mut self, game: &Game, played: &Move) -> Verdict {
        let position = *game.position();
        let forced = position.distinct_moves().is_ok_and(|moves| moves.len() == 1);
        let limits = Limits::nodes(self.nodes);
        let report = self.player.team().search(game, &limits, |_| {});
        let best = report.best.unwrap_or(*played);
        let mut next = game.clone();
        next.play(played);
        let same = best.same_result(played);
        let (after_score, after_depth) = if same {
            (report.score, report.depth)
        } else {
            let report = self.player.team().search(&next, &limits, |_| {});
            (-report.score, report.depth)
        };
        let before = self.value(&position, report.score);
        let after = self.value(next.position(), -after_score).map(Value::negate);
        let by_value = before.is_some() && after.is_some();
        let lost = i32::from(report.score.hundredths()) - i32::from(after_score.hundredths());
        let most = i32::from(Score::MAX_ESTIMATE);
        let lost = (!by_value).then_some(lost.clamp(0, most));
        let depth = if by_value { 0 } else { report.depth.min(after_depth) };
        Verdict { best, forced, before, after, lost, depth }
    }

    /// The value for the side to move, by the tables or a forced line.
    fn value(&self, position: &Position, score: Score) -> Option<Value> {
        let tables = self.player.tables();
        if position.occupied().len() <= tables.max_pieces()
            && let Ok(outcome) = tables.probe(position)
        {
            return Some(outcome.value);
        }
        match () {
            () if score.is_win() => Some(Value::Win),
            () if score.is_loss() => Some(Value::Loss),
            () => None,
        }
    }
}

impl Verdict {
    /// Words for it: `win kept`, `win to draw; best 11-15`, `depth 9: 0.35 lost; best 11-15`.
    fn text(&self, position: &Position) -> Option<String> {
        let best = position.short_text(&self.best);
        Some(match (self.before, self.after, self.lost) {
            _ if self.forced => "forced".to_owned(),
            (Some(before), Some(after), _) if before == after => format!("{before} kept"),
            (Some(before), Some(after), _) => format!("{before} to {after}; best {best}"),
            (.., Some(0)) => format!("depth {}: nothing lost", self.depth),
            (.., Some(lost)) => {
                format!("depth {}: {}.{:02} lost; best {best}", self.depth, lost / 100, lost % 100)
            }
            _ => return None,
        })
    }
}

/// Writes the verdict behind the move.
fn mark(position: &Position, verdict: &Verdict, ply: &mut Ply) {
    ply.comments.extend(verdict.text(position));
    if verdict.forced {
        return;
    }
    // Question marks: two for a value given away, one for a man's worth by search.
    let worse = verdict.before.zip(verdict.after).is_some_and(|(before, after)| after < before);
    if worse {
        ply.marks.push(4);
    } else if verdict.lost.is_some_and(|lost| lost >= 80) {
        ply.marks.push(2);
    }
}

impl Summary {
    fn add(&mut self, verdict: &Verdict) {
        if verdict.forced {
            self.forced += 1;
            return;
        }
        self.decisions += 1;
        match (verdict.before, verdict.after, verdict.lost) {
            (Some(Value::Win), Some(Value::Draw), _) => self.win_to_draw += 1,
            (Some(Value::Win), Some(Value::Loss), _) => self.win_to_loss += 1,
            (Some(Value::Draw), Some(Value::Loss), _) => self.draw_to_loss += 1,
            (Some(_), Some(_), _) => self.kept += 1,
            (.., lost) => {
                self.searched += 1;
                self.hundredths_lost += lost.unwrap_or(0);
            }
        }
    }

    fn text(&self, color: Color) -> String {
        let Self { decisions, forced, kept, win_to_draw, win_to_loss, draw_to_loss, .. } = self;
        let (searched, lost) = (self.searched, self.hundredths_lost);
        format!(
            "{color}: {decisions} decisions and {forced} forced moves; {kept} kept the value, \
             {win_to_draw} win to draw, {win_to_loss} win to loss, {draw_to_loss} draw to loss; \
             {searched} by search, {}.{:02} men lost",
            lost / 100,
            lost % 100
        )
    }
}
