//! Makes weights for the endgame player's guide: `train_guide NETWORK FILE [ROUNDS]`, where the
//! network is `kings`, `men` or `kkm-kk`. Goes on from the weights in the file, if it is there.
//!
//! The guide guesses how many plies a won position is from its next conversion. Guesses by least
//! squares over all positions are good where most positions are, which is not where games go: a
//! player by such a guess goes in circles. So the guide learns from its own games (imitation by
//! aggregated data; Ross, Gordon and Bagnell, 2011): each round plays from hard positions against the
//! best defence, adds all that the player looked at, with its true distance, to what is learned
//! from, and trains on. The weights of the round in which fewest games were not won are kept.
//!
//! Everything is seeded and sums are taken in a fixed order, so that the same command on the same file
//! gives the same bytes. Takes about two minutes of processor time a network.

#![allow(clippy::print_stdout)]

use std::collections::{HashMap, HashSet};

use crownhead_engine::guide::{self, INPUTS, KINGS_INPUTS, Network, PLY};
use crownhead_index::{Material, PerfectIndex, materials_to};
use crownhead_rules::{Color, FortyMoveClock, MoveList, Position, Value};
use crownhead_solver::{Backend, Control, Cpu, Entry, Job, Metric};
use rayon::prelude::*;

mod trainer;

use trainer::Trainer;

/// Each network's materials; the winner is named first.
const KINGS: &[&str] = &["KKKvKK", "KKvKK", "KKKKvK", "KKKvK", "KKvKKK"];
const MEN: &[&str] = &[
    "KKvKM", "KKMvKM", "KKKvKM", "KMMvKK", "KMMvKM", "KMvKM", "KMvKKM", "KMvKK", "KKvKKM", "KKvKMM",
];
const KKM_KK: &[&str] = &["KKMvKK"];

/// Positions from which games begin are this far from the conversion at least, in plies.
const HARD: u16 = 16;
/// How many positions of a material count as its hardest.
const HARDEST: usize = 1000;
/// The batches of a round, and the positions of a batch.
const STEPS: usize = 5000;
const BATCH: usize = 256;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(file)) = (arguments.next(), arguments.next()) else {
        panic!("train_guide kings|men|kkm-kk FILE [ROUNDS]")
    };
    let rounds = arguments.next().map_or(16, |n| n.parse().expect("a number"));
    let (names, inputs) = match name.as_str() {
        "kings" => (KINGS, KINGS_INPUTS),
        "men" => (MEN, INPUTS),
        "kkm-kk" => (KKM_KK, INPUTS),
        other => panic!("no network {other}"),
    };
    let school = School::new(names, inputs);
    let trainer = match std::fs::read(&file) {
        Ok(bytes) => Trainer::of(&bytes, inputs),
        Err(_) => school.beginner(),
    };
    school.teach(trainer, rounds, &file);
}

/// Distances to the conversion of everything to 5 pieces.
struct Distances(HashMap<Material, (PerfectIndex<u32>, [Vec<Entry>; 2])>);

impl Distances {
    fn new() -> Self {
        let cpu = Cpu::new(Metric::Dtc);
        let mut all = HashMap::new();
        for material in materials_to(5) {
            cpu.build(Job::finish(material), &Control::default()).expect("it builds");
            let index = PerfectIndex::new(material).expect("an index");
            let mut sides = [Vec::new(), Vec::new()];
            for &side in index.sides() {
                let mut keep = |some: &[Entry]| {
                    sides[side as usize].extend_from_slice(some);
                    Ok(())
                };
                cpu.export(material, side, &mut keep).expect("it is built");
            }
            all.insert(material, (index, sides));
        }
        Self(all)
    }

    fn of(&self, position: &Position) -> Entry {
        if let Some(winner) = position.winner() {
            return if winner == position.side_to_move { Entry::win(0) } else { Entry::loss(0) };
        }
        let (index, sides) = &self.0[&Material::of(position).canonical()];
        let (side, rank) = index.locate(position).expect("a legal position");
        sides[side as usize][rank as usize]
    }
}

/// Numbers that look random and are the same each time (xorshift).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * end as u64) >> 32) as usize
    }
}

/// A position as the guide sees it, and its true distance in plies.
type Example = (Position, u16);

struct School {
    distances: Distances,
    inputs: usize,
    /// By material, positions that the side not to move wins, at least [`HARD`] plies away; the
    /// hardest first.
    hard: Vec<Vec<Position>>,
    first_lessons: Vec<Example>,
}

impl School {
    fn new(names: &[&str], inputs: usize) -> Self {
        let distances = Distances::new();
        let (mut hard, mut first_lessons) = (Vec::new(), Vec::new());
        let mut random = Random::new(1);
        let share = if names.len() == 1 { 250_000 } else { 60_000 };
        for name in names {
            let material: Material = name.parse().expect("a material");
            let index = PerfectIndex::<u32>::new(material).expect("an index");
            let (mut far, every) = (Vec::new(), (index.len() / share).max(1));
            for rank in 0..index.len() {
                let position = index.unrank(rank, Color::White).expect("below the length");
                let entry = distances.of(&position);
                let quiet = !position.has_capture(Color::White);
                if entry.value() != Value::Loss || entry.plies() == 0 || !quiet {
                    continue;
                }
                if entry.plies() >= HARD {
                    far.push(position);
                }
                if random.below(every as usize) == 0 {
                    first_lessons.push((guide::seen(&position), entry.plies()));
                }
            }
            if !far.is_empty() {
                far.sort_by_key(|position| u16::MAX - distances.of(position).plies());
                hard.push(far);
            }
        }
        Self { distances, inputs, hard, first_lessons }
    }

    /// A network that has learned from positions, and not from games.
    fn beginner(&self) -> Trainer {
        let mut trainer = Trainer::new(self.inputs);
        trainer.train(&self.first_lessons, 2 * STEPS, 0.004, 77);
        trainer
    }

    /// Trains for so many rounds; the file has the best weights so far.
    fn teach(&self, mut trainer: Trainer, rounds: u64, file: &str) {
        let mut seen: HashSet<Position> = HashSet::new();
        let mut data = self.first_lessons.clone();
        data.retain(|(position, _)| seen.insert(*position));
        let mut fewest = usize::MAX;
        for round in 0..rounds {
            let bytes = trainer.bytes();
            let (failed, games, fresh) = self.games(&bytes, round);
            println!("round {round}: {failed} of {games} not won; {} positions", data.len());
            if failed <= fewest {
                fewest = failed;
                std::fs::write(file, bytes).expect("the file can be written");
            }
            data.extend(fresh.iter().filter(|(position, _)| seen.insert(*position)));
            // Two of three positions are from the last games.
            let mut mixed = data.clone();
            while mixed.len() < 3 * data.len() {
                mixed.extend_from_slice(&fresh);
            }
            let rate = 0.003 * (1.0 - 0.7 * round as f32 / rounds as f32);
            trainer.train(&mixed, STEPS, rate, 7 * round + 99);
        }
    }

    /// Plays a round's games: how many were not won, how many there were, and what was looked at.
    fn games(&self, bytes: &[u8], round: u64) -> (usize, usize, Vec<Example>) {
        let network = Network::new(bytes, self.inputs).expect("as many as it should be");
        let mut random = Random::new(round);
        let mut starts = Vec::new();
        for far in &self.hard {
            for game in 0..(6000 / self.hard.len()).min(4 * far.len()) {
                // Of eight games four begin with the hardest of nine, and two with the very hardest.
                let (tries, among) = match game % 8 {
                    0..4 => (9, far.len()),
                    4..6 => (1, far.len().min(HARDEST)),
                    _ => (1, far.len()),
                };
                let drawn = (0..tries).map(|_| random.below(among)).min();
                starts.extend(drawn.map(|at| far[at]));
            }
        }
        let results: Vec<(bool, Vec<Example>)> = starts
            .par_iter()
            .enumerate()
            .map(|(i, start)| {
                let mut random = Random::new(round << 32 | i as u64);
                self.game(&network, *start, [0, 1, 4, 12][random.below(4)], &mut random)
            })
            .collect();
        let failed = results.iter().filter(|(won, _)| !won).count();
        (failed, starts.len(), results.into_iter().flat_map(|(_, seen)| seen).collect())
    }

    /// Plays one game; the defence gives away up to so many plies a move.
    fn game(
        &self,
        network: &Network<'_>,
        start: Position,
        slack: usize,
        random: &mut Random,
    ) -> (bool, Vec<Example>) {
        let mut position = start;
        let mut lessons: HashMap<Position, i32> = HashMap::new();
        let mut looked_at = Vec::new();
        let guess = |lessons: &HashMap<Position, i32>, position: &Position| {
            let known = lessons.get(position).copied();
            known.unwrap_or_else(|| network.guess(&guide::seen(position)))
        };
        for _ in 0..FortyMoveClock::LIMIT / 2 {
            let reply = moves(&position).iter().copied().max_by_key(|m| {
                let plies = usize::from(self.distances.of(&position.after(m)).plies());
                8 * if m.is_conversion() { 0 } else { plies } + random.below(8 * slack + 1)
            });
            let Some(reply) = reply.filter(|reply| !reply.is_conversion()) else {
                return (true, looked_at);
            };
            let before = position.after(&reply);
            let mut best: Option<(i32, Position)> = None;
            for m in &moves(&before) {
                let next = before.after(m);
                let entry = self.distances.of(&next);
                if entry.value() != Value::Loss {
                    continue;
                }
                if m.is_conversion() {
                    return (true, looked_at);
                }
                looked_at.push((guide::seen(&next), entry.plies()));
                let distance = guess(&lessons, &next);
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, next));
                }
            }
            let (distance, next) = best.expect("a won position has a winning move");
            let known = guess(&lessons, &position);
            lessons.insert(position, known.max(distance + 2 * PLY));
            position = next;
        }
        (false, looked_at)
    }
}

fn moves(position: &Position) -> MoveList {
    position.moves().expect("endgames have few moves")
}
