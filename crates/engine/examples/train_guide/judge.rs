//! How many won positions the player does not win.

use std::convert::Infallible;

use crownhead_engine::endgame::Pursuit;
use crownhead_engine::guide::Network;
use crownhead_index::Material;
use crownhead_rules::{Color, FortyMoveClock};

use crate::Lesson;
use crate::distances::Distances;
use crate::game::{drawn, not_won, resist};
use crate::phase::Phase;

/// One of so many games is played by [`Pursuit`] itself, too.
const BY_PURSUIT: usize = 5000;

/// Plays from every position with 4 or 5 pieces that Black wins, or from one of so many, against the
/// longest resistance, to the next conversion, and prints the positions that were not won.
///
/// The game after the conversion is one that begins there: the player forgets, and the clock of the
/// 40-move rule begins again. So a player that wins all of these wins all games.
pub(crate) fn judge(every: usize, only: &[String]) {
    let distances = Distances::new();
    let (mut all, mut all_failed) = (0, 0);
    for material in materials()
        .filter(|material| only.is_empty() || only.iter().any(|name| *name == material.to_string()))
    {
        let phase = Phase::new(&distances, material);
        let starts: Vec<u32> = phase.won_in(1).into_iter().step_by(every).collect();
        let lesson = Lesson::of(material);
        let network = Network::new(lesson.bytes(), lesson.inputs).expect("whole weights");
        let guesses = phase.guesses(&network);
        let (failed, longest) = not_won(&phase, &guesses, &starts, 0, 0);
        println!(
            "{material}: {} of {} not won; longest {longest} plies",
            failed.len(),
            starts.len()
        );
        for start in &failed {
            println!("  {}", phase.position(*start, Color::Black));
        }
        let itself = starts.iter().step_by(BY_PURSUIT);
        let differ = itself
            .filter(|start| !failed.contains(start))
            .find(|start| !is_won_by_pursuit(&distances, &phase, **start));
        if let Some(start) = differ {
            panic!("not won by the player itself: {}", phase.position(*start, Color::Black));
        }
        all += starts.len();
        all_failed += failed.len();
    }
    println!("{all_failed} of {all} won positions not won");
}

/// All with 4 and 5 pieces, the winner first.
fn materials() -> impl Iterator<Item = Material> {
    (4..=5_u8).flat_map(|pieces| {
        (1..pieces).flat_map(move |black| {
            let white = pieces - black;
            (0..=black).flat_map(move |black_men| {
                (0..=white).map(move |white_men| {
                    Material::new(black_men, black - black_men, white_men, white - white_men)
                })
            })
        })
    })
}

/// Whether the player itself wins from a position to the next conversion.
fn is_won_by_pursuit(distances: &Distances, phase: &Phase, start: u32) -> bool {
    let (mut player, mut random) = (Pursuit::new(), drawn(start, 0));
    let mut position = phase.position(start, Color::Black);
    for _ in 0..FortyMoveClock::LIMIT / 2 {
        let choice: Result<_, Infallible> = player.choose(&position, distances);
        let m = choice.expect("it cannot fail").expect("there are moves").best;
        if m.is_conversion() {
            return true;
        }
        match resist(phase, &position.after(&m), 0, &mut random) {
            Some(next) => position = next,
            None => return true,
        }
    }
    false
}
