//! How many positions the search visits to the same depth, with and without a part of it.

use crownhead_engine::{Engine, Features, Game, Limits, NoTables, Slot, TranspositionTable};
use crownhead_rules::Position;
use rayon::prelude::*;
use serde::Serialize;

use super::{Args, Random, random_opening};
use crate::output::Output;
use crate::progress;
use crate::text::grouped;

/// What a feature saves.
#[derive(Serialize)]
struct Record {
    without: String,
    depth: u8,
    positions: usize,
    /// Positions visited by the full engine, and without the feature, in all.
    nodes: u64,
    nodes_without: u64,
    /// The geometric mean of nodes without over nodes with, and a 95% interval by bootstrap.
    ratio: f64,
    ratio_low: f64,
    ratio_high: f64,
}

/// Searches the same positions with and without each feature, from empty tables.
pub(super) fn compare(
    args: &Args,
    depth: u8,
    versions: &[(String, Features)],
    out: &mut Output,
) -> std::io::Result<()> {
    let positions: Vec<Game> =
        (0..args.openings).into_par_iter().map(|number| middle_game(args, number)).collect();
    let full = effort(&positions, Features::ALL, depth);
    for (name, features) in versions {
        let without = effort(&positions, *features, depth);
        report(name, depth, &full, &without, out)?;
    }
    Ok(())
}

/// A position of a game that the engine plays against itself, from the opening to an ending.
fn middle_game(args: &Args, number: u32) -> Game {
    const NODES: u64 = 500;
    let slots: Vec<Slot> = std::iter::repeat_with(Slot::default).take(1 << 12).collect();
    let mut engine = Engine::new(TranspositionTable::new(&slots), &NoTables);
    let mut game = random_opening(args.seed_of(number));
    // As many plies as keep a game going in most cases; some of each phase.
    for _ in 0..number % 60 {
        let report = engine.search(&game, &Limits::nodes(NODES), |_| {});
        let Some(best) = report.best else { break };
        let mut next = game.clone();
        next.play(&best);
        if report.score.is_win() || report.score.is_loss() || !has_choice(next.position()) {
            break;
        }
        game = next;
    }
    game
}

fn has_choice(position: &Position) -> bool {
    position.moves().is_ok_and(|moves| !moves.is_empty())
}

/// Positions visited to a depth, for each position.
fn effort(positions: &[Game], features: Features, depth: u8) -> Vec<u64> {
    let bar = progress::bar(positions.len() as u64, "positions");
    let search = |game: &Game| {
        let slots: Vec<Slot> = std::iter::repeat_with(Slot::default).take(1 << 16).collect();
        let mut engine = Engine::new(TranspositionTable::new(&slots), &NoTables);
        engine.features = features;
        bar.inc(1);
        engine.search(game, &Limits::depth(depth), |_| {}).nodes.max(1)
    };
    let nodes = positions.par_iter().map(search).collect();
    bar.finish_and_clear();
    nodes
}

fn report(
    name: &str,
    depth: u8,
    full: &[u64],
    without: &[u64],
    out: &mut Output,
) -> std::io::Result<()> {
    let logarithms: Vec<f64> = full
        .iter()
        .zip(without)
        .map(|(with, without)| (*without as f64 / *with as f64).ln())
        .collect();
    let (low, high) = interval(&logarithms);
    let (ratio, ratio_low, ratio_high) = (mean(&logarithms).exp(), low.exp(), high.exp());
    let (nodes, nodes_without) = (full.iter().sum(), without.iter().sum());
    out.human(format_args!(
        "to depth {depth} without {name:<15} {:>5} positions  {ratio:.3} times the nodes \
         ({ratio_low:.3} to {ratio_high:.3})  {} with, {} without",
        full.len(),
        grouped(nodes),
        grouped(nodes_without)
    ))?;
    out.json(&Record {
        without: name.to_owned(),
        depth,
        positions: full.len(),
        nodes,
        nodes_without,
        ratio,
        ratio_low,
        ratio_high,
    })?;
    out.flush()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// A 95% interval about the mean, by means of samples drawn with replacement.
fn interval(values: &[f64]) -> (f64, f64) {
    const SAMPLES: usize = 2000;
    let mut random = Random::new(1);
    let mut means: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let sum: f64 = values.iter().map(|_| values[random.below(values.len())]).sum();
            sum / values.len().max(1) as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    (means[SAMPLES / 40], means[SAMPLES - 1 - SAMPLES / 40])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_mean_and_shrinks_with_more_values() {
        let few: Vec<f64> = (0..40).map(|i| f64::from(i % 10)).collect();
        let many: Vec<f64> = (0..4000).map(|i| f64::from(i % 10)).collect();
        let ((low, high), (narrow_low, narrow_high)) = (interval(&few), interval(&many));
        assert!(low < 4.5 && high > 4.5 && narrow_low < 4.5 && narrow_high > 4.5);
        // Of 40 values with a standard deviation of 2.87 the mean's error is 0.45.
        assert!((high - low - 4.0 * 0.45).abs() < 0.3, "{low} to {high}");
        assert!((narrow_high - narrow_low) * 8.0 < high - low);
    }

    #[test]
    fn equal_values_have_an_interval_of_no_width() {
        assert_eq!(interval(&[0.5; 9]), (0.5, 0.5));
    }
}
