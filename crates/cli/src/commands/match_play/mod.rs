//! `crownhead match`: versions of the engine against each other, at fixed nodes; or, a finer
//! measure of the order in which moves are searched, the positions that they visit to a depth.

mod effort;

use anyhow::anyhow;
use crownhead_engine::{Engine, Features, Game, Limits, NoTables, Slot, TranspositionTable};
use crownhead_rules::{Color, MoveStatistics, Position};
use rayon::prelude::*;
use serde::Serialize;

use crate::output::Output;
use crate::progress;
use crate::status::{CommandResult, Failure, Status};

/// Arguments of `match`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Features to play without, each in a version of its own [default: every one]
    #[arg(value_name = "FEATURE")]
    without: Vec<String>,
    /// Openings for each pair of versions; each is played twice, with sides changed.
    #[arg(long, value_name = "N", default_value_t = 100)]
    openings: u32,
    /// Positions that each side visits for a move.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    nodes: u64,
    /// Instead of games, count the positions visited to this depth, in plies, from one position
    /// of a game after each opening.
    #[arg(long, value_name = "PLIES", conflicts_with = "nodes", value_parser = clap::value_parser!(u8).range(1..=64))]
    depth: Option<u8>,
    /// Where the random openings start; the same number gives the same games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// A feature's worth: the full engine against the one without it.
#[derive(Serialize)]
struct Record {
    without: String,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// The full engine's share of the points, and its standard error by pairs of games.
    score: f64,
    error: f64,
    /// The difference in strength, and one and a 95% interval about it.
    elo: f64,
    elo_low: f64,
    elo_high: f64,
}

#[derive(Serialize)]
struct MoveRecord {
    quiet_positions: u64,
    moves_without_capture: f64,
    capture_positions: u64,
    moves_with_capture: f64,
}

/// Results for the full engine.
#[derive(Clone, Copy, Default)]
struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
    /// Sum of squares of each pair's points, in quarters.
    pair_squares: u64,
    pairs: u32,
    moves: MoveStatistics,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let names: Vec<String> = match args.without.as_slice() {
        [] => Features::NAMES.map(str::to_owned).to_vec(),
        given => given.to_vec(),
    };
    let versions: Vec<(String, Features)> =
        names.into_iter().map(without).collect::<Result<_, _>>()?;
    match args.depth {
        Some(depth) => effort::compare(args, depth, &versions, out)?,
        None => play(args, &versions, out)?,
    }
    Ok(Status::Done)
}

/// The engine without a feature.
fn without(name: String) -> Result<(String, Features), Failure> {
    let mut features = Features::ALL;
    if !features.switch_off(&name) {
        let known = Features::NAMES.join(", ");
        return Err(Failure::bad_input(anyhow!(
            "no feature '{}'; there are {known}",
            name.escape_debug()
        )));
    }
    Ok((name, features))
}

fn play(args: &Args, versions: &[(String, Features)], out: &mut Output) -> std::io::Result<()> {
    let mut all = MoveStatistics::default();
    for (name, features) in versions {
        let bar = progress::bar(u64::from(args.openings), "openings");
        let tally = (0..args.openings)
            .into_par_iter()
            .map(|opening| {
                let pair = play_pair(*features, args, opening);
                bar.inc(1);
                pair
            })
            .reduce(Tally::default, Tally::plus);
        bar.finish_and_clear();
        add(&mut all, &tally.moves);
        report(name, &tally, out)?;
    }
    let (quiet, captures) = (
        all.quiet_moves as f64 / all.quiet_positions.max(1) as f64,
        all.capture_moves as f64 / all.capture_positions.max(1) as f64,
    );
    out.human(format_args!(
        "average number of moves in these games: {quiet:.2} without captures ({} positions), \
         {captures:.2} with captures ({} positions)",
        all.quiet_positions, all.capture_positions
    ))?;
    out.json(&MoveRecord {
        quiet_positions: all.quiet_positions,
        moves_without_capture: quiet,
        capture_positions: all.capture_positions,
        moves_with_capture: captures,
    })
}

fn report(name: &str, tally: &Tally, out: &mut Output) -> std::io::Result<()> {
    let games = tally.wins + tally.draws + tally.losses;
    let score = (f64::from(tally.wins) + f64::from(tally.draws) / 2.0) / f64::from(games.max(1));
    let pairs = f64::from(tally.pairs.max(1));
    // Points of a pair are 0 to 2, in halves; its share of the score is half of that.
    let mean_square = tally.pair_squares as f64 / 16.0 / pairs;
    let error = ((mean_square - score * score).max(0.0) / pairs).sqrt();
    let elo = |share: f64| {
        let share = share.clamp(0.001, 0.999);
        -400.0 * (1.0 / share - 1.0).log10()
    };
    let (middle, low, high) = (elo(score), elo(score - 1.96 * error), elo(score + 1.96 * error));
    out.human(format_args!(
        "full against without {name:<15} {games:>5} games  +{} ={} -{}  {:.1}% +- {:.1}%  \
         Elo {middle:+.0} ({low:+.0} to {high:+.0})",
        tally.wins,
        tally.draws,
        tally.losses,
        100.0 * score,
        196.0 * error
    ))?;
    out.json(&Record {
        without: name.to_owned(),
        games,
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        score,
        error,
        elo: middle,
        elo_low: low,
        elo_high: high,
    })?;
    out.flush()
}

impl Tally {
    fn plus(mut self, other: Self) -> Self {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.pair_squares += other.pair_squares;
        self.pairs += other.pairs;
        add(&mut self.moves, &other.moves);
        self
    }
}

fn add(sum: &mut MoveStatistics, other: &MoveStatistics) {
    sum.capture_positions += other.capture_positions;
    sum.capture_moves += other.capture_moves;
    sum.quiet_positions += other.quiet_positions;
    sum.quiet_moves += other.quiet_moves;
    sum.ended += other.ended;
}

/// The same opening twice, with sides changed.
fn play_pair(without: Features, args: &Args, opening: u32) -> Tally {
    let start = random_opening(args.seed_of(opening));
    let mut tally = Tally { pairs: 1, ..Tally::default() };
    let mut points = 0;
    for full in Color::BOTH {
        let [black, white] = match full {
            Color::Black => [Features::ALL, without],
            Color::White => [without, Features::ALL],
        };
        match play_game(&start, [black, white], args.nodes, &mut tally.moves) {
            Some(winner) if winner == full => (tally.wins, points) = (tally.wins + 1, points + 2),
            Some(_) => tally.losses += 1,
            None => (tally.draws, points) = (tally.draws + 1, points + 1),
        }
    }
    tally.pair_squares = points * points;
    tally
}

impl Args {
    /// A number of its own for each opening.
    fn seed_of(&self, opening: u32) -> u64 {
        self.seed.wrapping_mul(0x1_0000_0001) ^ u64::from(opening)
    }
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Eight random moves, none of which has given a man away: enough that hardly any opening comes
/// twice, since the same opening gives the same games and tells nothing new.
fn random_opening(seed: u64) -> Game {
    const PLIES: u32 = 8;
    let mut random = Random::new(seed);
    loop {
        let mut game = Game::new(Position::START);
        for _ in 0..PLIES {
            if let Ok(moves) = game.position().moves()
                && !moves.is_empty()
            {
                game.play(&moves[random.below(moves.len())]);
            }
        }
        let sound = crownhead_engine::best_move(game.position(), 5, &NoTables)
            .is_some_and(|(_, score)| score.hundredths().abs() < 60);
        if sound {
            return game;
        }
    }
}

/// The winner, if there is one by the rules or by the agreement of both engines.
fn play_game(
    start: &Game,
    features: [Features; 2],
    nodes: u64,
    moves: &mut MoveStatistics,
) -> Option<Color> {
    const MOST_PLIES: u32 = 300;
    let slots: [Vec<Slot>; 2] =
        [0, 1].map(|_| std::iter::repeat_with(Slot::default).take(1 << 14).collect());
    let [black, white] = [0, 1].map(|side: usize| {
        let mut engine = Engine::new(TranspositionTable::new(&slots[side]), &NoTables);
        engine.features = features[side];
        engine
    });
    let mut engines = [black, white];
    let mut game = start.clone();
    let mut visits = std::collections::HashMap::new();
    for _ in 0..MOST_PLIES {
        let position = *game.position();
        add(moves, &position.perft_statistics(1));
        if let Some(winner) = position.winner() {
            return Some(winner);
        }
        let seen = visits.entry(position).or_insert(0);
        *seen += 1;
        if game.clock().is_draw_claimable() || *seen == 3 {
            return None;
        }
        let engine = &mut engines[position.side_to_move as usize];
        let report = engine.search(&game, &Limits::nodes(nodes), |_| {});
        let best = report.best?;
        // A forced line needs no proof over the board.
        if report.score.is_win() {
            return Some(position.side_to_move);
        }
        game.play(&best);
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Error bars are for independent games.
    #[test]
    fn hardly_any_opening_comes_twice() {
        let found: HashSet<Position> =
            (0..200).map(|number| *random_opening(number).position()).collect();
        assert!(found.len() >= 190, "{}", found.len());
    }
}
