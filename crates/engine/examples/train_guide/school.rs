//! How the guide learns from its own games.

use crownhead_engine::guide::Network;
use crownhead_rules::Color;
use rayon::prelude::*;

use crate::Lesson;
use crate::distances::Distances;
use crate::game::{Game, not_won, play};
use crate::phase::Phase;
use crate::random::Random;
use crate::trainer::{Example, Trainer};

/// The batches of a round, and its games.
const STEPS: usize = 2000;
const GAMES: usize = 8000;
/// Rates of learning in the first round and in the last.
const RATES: [f32; 2] = [0.003, 0.0002];
/// Games begin at least so many plies from the conversion; so do those by which weights are judged.
const HARD: u8 = 8;
const JUDGED: u8 = 16;
/// Weights are judged by about so many games of each material.
const JUDGED_GAMES: usize = 25_000;
/// Positions of a material that are learned from, whether games come to them or not.
const EVERYWHERE: usize = 400_000;
/// How many rounds games are learned from often, and how many looks at positions are kept later.
const RECENT: usize = 3;
const KEPT: usize = 4_000_000;
/// How many starts of games that were not won are kept.
const FAILED: usize = 2000;

/// What a material's games begin with.
struct Class {
    phase: Phase,
    hard: Vec<u32>,
    judged: Vec<u32>,
    failed: Vec<u32>,
}

impl Class {
    fn new(phase: Phase) -> Self {
        let mut judged = phase.won_in(JUDGED);
        if judged.is_empty() {
            judged = phase.won_in(2);
        }
        let every = judged.len().div_ceil(JUDGED_GAMES).max(1);
        let judged = judged.into_iter().step_by(every).collect();
        Self { hard: phase.won_in(HARD), judged, failed: Vec::new(), phase }
    }

    fn example(&self, rank: u32) -> Example {
        let plies = self.phase.lost[rank as usize].expect("lost");
        (self.phase.position(rank, Color::White), plies)
    }

    /// Plays a round's games; what was looked at in them.
    fn games(&mut self, guesses: &[i32], games: usize, random: &mut Random) -> Vec<Example> {
        if self.hard.is_empty() {
            return Vec::new();
        }
        let starts: Vec<(u32, usize)> = (0..games)
            .map(|game| {
                let again = game % 4 == 0 && !self.failed.is_empty();
                let starts = if again { &self.failed } else { &self.hard };
                (*random.one_of(starts), random.below(1 << 30))
            })
            .collect();
        let games: Vec<Game> = starts
            .par_iter()
            .map(|(start, seed)| {
                play(&self.phase, guesses, *start, 0, &mut Random::new(*seed as u64))
            })
            .collect();
        let failed = starts.iter().zip(&games).filter(|(_, game)| game.plies.is_none());
        self.failed.extend(failed.map(|((start, _), _)| *start));
        let looks = games.iter().flat_map(|game| &game.looked_at);
        looks.map(|rank| self.example(*rank)).collect()
    }
}

/// Trains for so many rounds; the file has the best weights so far.
pub(crate) fn teach(lesson: &Lesson, rounds: usize, file: &str) {
    let distances = Distances::new();
    let phase = |name: &&str| Phase::new(&distances, name.parse().expect("a material"));
    let mut classes: Vec<Class> = lesson.materials.iter().map(phase).map(Class::new).collect();
    drop(distances);
    let everywhere: Vec<Example> = classes
        .iter()
        .flat_map(|class| {
            let all: Vec<u32> = class.phase.all_seen().collect();
            let every = all.len().div_ceil(EVERYWHERE).max(1);
            all.into_iter().step_by(every).map(|rank| class.example(rank)).collect::<Vec<_>>()
        })
        .collect();
    let mut random = Random::new(3);
    let mut trainer = match std::fs::read(file) {
        Ok(bytes) => Trainer::of(&bytes, lesson.inputs, lesson.first),
        Err(_) => {
            let mut trainer = Trainer::new(lesson.inputs, lesson.first);
            trainer.train(4 * STEPS, RATES[0], || *random.one_of(&everywhere));
            trainer
        }
    };
    let (mut recent, mut kept): (Vec<Vec<Example>>, Vec<Example>) = Default::default();
    let mut fewest = usize::MAX;
    for round in 0..rounds {
        let bytes = trainer.bytes();
        let network = Network::new(&bytes, lesson.inputs).expect("as many as it should be");
        let (mut fresh, mut all_failed, share) = (Vec::new(), 0, GAMES / classes.len());
        for class in &mut classes {
            let guesses = class.phase.guesses(&network);
            let (failed, _) = not_won(&class.phase, &guesses, &class.judged, 0, 0);
            all_failed += failed.len();
            class.failed.extend(failed.iter().take(FAILED));
            fresh.extend(class.games(&guesses, share, &mut random));
            let forgotten = class.failed.len().saturating_sub(FAILED);
            class.failed.drain(..forgotten);
        }
        if all_failed <= fewest {
            fewest = all_failed;
            std::fs::write(file, &bytes).expect("the file can be written");
        }
        recent.push(fresh);
        if recent.len() > RECENT {
            kept.extend(recent.remove(0).into_iter().step_by(4));
            let forgotten = kept.len().saturating_sub(KEPT);
            kept.drain(..forgotten);
        }
        let rate = RATES[0] * (RATES[1] / RATES[0]).powf(round as f32 / rounds as f32);
        let error = trainer.train(STEPS, rate, || {
            let games = random.one_of(&recent);
            let data = match random.below(8) {
                0 | 1 => &everywhere,
                2 | 3 if !kept.is_empty() => &kept,
                _ if !games.is_empty() => games,
                _ => &everywhere,
            };
            *random.one_of(data)
        });
        println!("round {round}: {all_failed} not won, fewest {fewest}; error {error:.2} plies");
    }
}
