//! The endgame player that firmware runs, on the images that firmware holds: it wins what is won
//! within the 40-move rule, against the best defence, and loses nothing that is drawn.
//!
//! To 5 pieces the rule takes no win away (`RULE40_MATTERS` names materials with 6 pieces only), so
//! every won position must be won.

#![allow(clippy::print_stdout)]

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use crownhead_engine::endgame::{Pursuit, best_by_tables};
use crownhead_index::{Material, PerfectIndex, materials_to};
use crownhead_rules::{FortyMoveClock, Move, Outcome, Position, Prober, Value};
use crownhead_solver::{Backend, Control, Cpu, Entry, Job, Metric, RULE40_MATTERS};
use crownhead_table::PastEnd;
use crownhead_table::compact::{CompactError, CompactTable};
use crownhead_table::embedded::{IMAGE_3, IMAGE_5};
use rayon::prelude::*;

/// What the firmware has in flash: distances to 3 pieces, values to 5.
struct Images {
    near: CompactTable<&'static [u8]>,
    far: CompactTable<&'static [u8]>,
}

impl Prober for Images {
    type Error = CompactError<PastEnd>;

    fn max_pieces(&self) -> u32 {
        5
    }

    fn probe(&self, position: &Position) -> Result<Outcome, Self::Error> {
        if position.occupied().len() <= 3 {
            return self.near.probe(position);
        }
        Ok(Outcome { value: self.far.value(position)?, plies: None })
    }
}

static IMAGES: LazyLock<Images> = LazyLock::new(|| Images {
    near: CompactTable::open(IMAGE_3).unwrap(),
    far: CompactTable::open(IMAGE_5).unwrap(),
});

/// Distances to the next conversion: what the best defence goes by.
struct Distances {
    /// By material, and by side to move.
    entries: HashMap<Material, (PerfectIndex<u32>, [Vec<Entry>; 2])>,
}

static DISTANCES: LazyLock<Distances> = LazyLock::new(|| {
    let cpu = Cpu::new(Metric::Dtc);
    let mut entries = HashMap::new();
    for material in materials_to(5) {
        cpu.build(Job::finish(material), &Control::default()).unwrap();
        let index = PerfectIndex::new(material).unwrap();
        let mut sides = [Vec::new(), Vec::new()];
        for &side in index.sides() {
            let mut keep = |some: &[Entry]| {
                sides[side as usize].extend_from_slice(some);
                Ok(())
            };
            cpu.export(material, side, &mut keep).unwrap();
        }
        entries.insert(material, (index, sides));
    }
    Distances { entries }
});

impl Distances {
    fn entry(&self, position: &Position) -> Entry {
        if let Some(winner) = position.winner() {
            return if winner == position.side_to_move { Entry::win(0) } else { Entry::loss(0) };
        }
        let (index, sides) = &self.entries[&Material::of(position).canonical()];
        let (side, rank) = index.locate(position).unwrap();
        sides[side as usize][rank as usize]
    }

    /// All positions of a value, longest phase first.
    fn hardest(&self, material: Material, value: Value, count: usize) -> Vec<Position> {
        let (index, sides) = &self.entries[&material];
        let mut found = Vec::new();
        for &side in index.sides() {
            let entries = (0..).zip(&sides[side as usize]);
            found.extend(
                entries
                    .filter(|(_, e)| e.value() == value)
                    .map(|(rank, e)| (e.plies(), side, rank)),
            );
        }
        found.sort_unstable_by_key(|(plies, side, rank)| (u16::MAX - plies, *side, *rank));
        found.truncate(count);
        found.iter().map(|(_, side, rank)| index.unrank(*rank, *side).unwrap()).collect()
    }

    /// Positions of a value, each as likely as any other; none where there are hardly any.
    fn random(
        &self,
        material: Material,
        value: Value,
        count: usize,
        random: &mut Random,
    ) -> Vec<Position> {
        let (index, sides) = &self.entries[&material];
        let mut found = Vec::new();
        for _ in 0..400 * count {
            if found.len() == count {
                break;
            }
            let side = index.sides()[random.below(index.sides().len())];
            let rank = random.below(index.len() as usize);
            if sides[side as usize][rank].value() == value {
                found.push(index.unrank(rank as u32, side).unwrap());
            }
        }
        found
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

/// How the player chooses.
type Chooser = fn(&mut Pursuit, &Position) -> Move;

fn firmware(player: &mut Pursuit, position: &Position) -> Move {
    player.choose(position, &*IMAGES).unwrap().unwrap().best
}

/// The control: keeps values and makes no progress of its own accord.
fn by_tables_alone(_: &mut Pursuit, position: &Position) -> Move {
    best_by_tables(position, &*IMAGES).unwrap().unwrap().best
}

/// How carelessly the opponent plays: plies that it gives away at random in each move.
#[derive(Clone, Copy)]
struct Slack(usize);

/// Plays to the end or to the 40-move rule; the value that the player, who moves first, gets, and
/// the most plies without conversion.
fn play(start: Position, choose: Chooser, slack: Slack, random: &mut Random) -> (Value, u16) {
    let player = start.side_to_move;
    let mut pursuit = Pursuit::new();
    let (mut position, mut clock, mut longest) = (start, FortyMoveClock::START, 0);
    loop {
        if let Some(winner) = position.winner() {
            return (if winner == player { Value::Win } else { Value::Loss }, longest);
        }
        if clock.is_draw_claimable() {
            return (Value::Draw, longest);
        }
        let m = if position.side_to_move == player {
            choose(&mut pursuit, &position)
        } else {
            resist(&position, slack, random)
        };
        pursuit.played(&m);
        clock = clock.after(&m);
        longest = longest.max(clock.plies());
        position = position.after(&m);
    }
}

/// The opponent's move: the best value; of those the longest way to a conversion if it loses, the
/// shortest if it wins, any if it draws.
fn resist(position: &Position, slack: Slack, random: &mut Random) -> Move {
    let mut best = None;
    let _: ControlFlow<()> = position.visit_moves(|m| {
        let after = DISTANCES.entry(&position.after(&m));
        let plies = if m.is_conversion() { 0 } else { i32::from(after.plies()) };
        let urgency = match after.value() {
            Value::Win => plies,
            Value::Draw => 0,
            Value::Loss => -plies,
        };
        let key = (after.value().negate(), urgency * 8 + random.below(1 + 8 * slack.0) as i32);
        if best.is_none_or(|(other, _)| key > other) {
            best = Some((key, m));
        }
        ControlFlow::Continue(())
    });
    best.expect("the game is not over").1
}

/// Plays all starts against careful and less careful opponents; the starts that gave less than
/// `due`, and the longest phase.
fn failures(starts: &[Position], due: Value, choose: Chooser) -> (Vec<Position>, u16) {
    let results: Vec<(Position, Value, u16)> = starts
        .par_iter()
        .enumerate()
        .map(|(i, start)| {
            let slack = Slack([0, 1, 4, 12][i % 4]);
            let (got, longest) = play(*start, choose, slack, &mut Random::new(i as u64));
            (*start, got, longest)
        })
        .collect();
    let longest = results.iter().map(|(_, _, longest)| *longest).max().unwrap_or(0);
    (results.into_iter().filter(|(_, got, _)| *got < due).map(|(p, _, _)| p).collect(), longest)
}

/// So many random positions of each material and the hardest ones: all must be won.
fn wins_everywhere(random_ones: usize, hardest: usize, seed: u64) {
    assert!(RULE40_MATTERS.iter().all(|name| name.parse::<Material>().unwrap().pieces() > 5));
    let mut random = Random::new(seed);
    let (mut all, mut failed) = (0, Vec::new());
    for material in materials_to(5) {
        let mut starts = DISTANCES.random(material, Value::Win, random_ones, &mut random);
        starts.extend(DISTANCES.hardest(material, Value::Win, hardest));
        let (lost, longest) = failures(&starts, Value::Win, firmware);
        all += starts.len();
        println!("{material}: {} of {} not won; longest phase {longest}", lost.len(), starts.len());
        failed.extend(lost.iter().map(Position::to_string));
    }
    println!("{} of {all} won positions not won", failed.len());
    assert!(all > 20 * random_ones, "{all} positions");
    assert!(failed.is_empty(), "{failed:#?}");
}

/// So many random positions of each material: none may be lost.
fn draws_everywhere(random_ones: usize) {
    let mut random = Random::new(41);
    let mut all = 0;
    for material in materials_to(5) {
        let starts = DISTANCES.random(material, Value::Draw, random_ones, &mut random);
        let (lost, _) = failures(&starts, Value::Draw, firmware);
        assert_eq!(lost, [], "{material}");
        all += starts.len();
    }
    println!("none of {all} drawn positions lost");
    assert!(all > 20 * random_ones, "{all} positions");
}

#[test]
fn won_positions_are_won_within_the_40_move_rule() {
    wins_everywhere(20, 20, 40);
}

#[test]
fn drawn_positions_are_not_lost() {
    draws_everywhere(50);
}

#[test]
fn the_harness_sees_a_player_that_makes_no_progress() {
    let starts = DISTANCES.hardest("KKKvKK".parse().unwrap(), Value::Win, 20);
    let (failed, longest) = failures(&starts, Value::Win, by_tables_alone);
    assert!(failed.len() > 10, "{} of {}", failed.len(), starts.len());
    assert_eq!(longest, FortyMoveClock::LIMIT);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn thousands_of_won_positions_are_won_within_the_40_move_rule() {
    wins_everywhere(200, 50, 40);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn thousands_of_drawn_positions_are_not_lost() {
    draws_everywhere(1000);
}
