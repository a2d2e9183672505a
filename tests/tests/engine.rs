//! The engine at and above the edge of the tables: progress to the win, never-lose play, proofs.

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crownhead_engine::{
    Game, Guarantee, Limits, Phase, Player, Proof, ProofSlot, Prover, Slot, TranspositionTable,
};
use crownhead_index::{Material, PerfectIndex, materials, materials_to};
use crownhead_rules::{Move, Outcome, Position, Prober, Value};
use crownhead_solver::{Backend, Cpu, Options, Pipeline, Plan, Reference};
use crownhead_table::{Check, Metric, Tables, TablesError};
use rayon::prelude::*;

/// Tables in a directory of their own.
struct Built {
    tables: Tables,
    _directory: tempfile::TempDir,
}

fn build(backend: &dyn Backend, metric: Metric, pieces: u32) -> Built {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { directory: Some(directory.path()), write: true, ..Options::default() };
    let (plan, stop) = (Plan::to_pieces(pieces), AtomicBool::new(false));
    Pipeline { backend, plan: &plan, options, stop: &stop, observer: &|_| {} }.run().unwrap();
    Built { tables: open(directory.path(), metric), _directory: directory }
}

fn open(directory: &Path, metric: Metric) -> Tables {
    Tables::open(directory, metric, Check::Everything)
}

static FOUR: LazyLock<Built> = LazyLock::new(|| build(&Cpu::new(Metric::Wld), Metric::Wld, 4));

/// Distances to conversion, for the longest resistance.
static FOUR_DTC: LazyLock<Built> = LazyLock::new(|| build(&Cpu::new(Metric::Dtc), Metric::Dtc, 4));

/// Tables of which only those to so many pieces are used.
struct UpTo(u32);

impl Prober for UpTo {
    type Error = TablesError;

    fn max_pieces(&self) -> u32 {
        self.0
    }

    fn probe(&self, position: &Position) -> Result<Outcome, TablesError> {
        FOUR.tables.probe(position)
    }
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn position(&mut self, material: Material) -> Position {
        let index = PerfectIndex::<u64>::new(material).unwrap();
        let sides = index.sides();
        let side = sides[self.below(sides.len() as u64) as usize];
        let position = index.unrank(self.below(index.len()), side).unwrap();
        if self.below(2) == 0 { position } else { position.mirror() }
    }

    /// A position with so many pieces, each material as likely as the share of its positions.
    fn any(&mut self, pieces: u32) -> Position {
        let sizes: Vec<(Material, u64)> =
            materials(pieces).map(|m| (m, PerfectIndex::<u64>::new(m).unwrap().len())).collect();
        let mut at = self.below(sizes.iter().map(|(_, size)| size).sum());
        for (material, size) in sizes {
            if at < size {
                return self.position(material);
            }
            at -= size;
        }
        unreachable!("the place is below the sum")
    }
}

fn value(position: &Position) -> Value {
    FOUR.tables.probe(position).unwrap().value
}

/// Memory of a player.
struct Memory(Vec<Slot>, Vec<ProofSlot>);

impl Memory {
    fn new() -> Self {
        let slots = std::iter::repeat_with(Slot::default).take(1 << 16).collect();
        Self(slots, vec![ProofSlot::default(); 1 << 15])
    }

    fn player<'a, P: Prober + Sync>(&'a mut self, tables: &'a P) -> Player<'a, P> {
        Player::new(TranspositionTable::new(&self.0), &mut self.1, tables, 1)
    }
}

/// How many of these positions have another distance than the reference says.
fn wrong_distances(tables: &impl Prober, reference: &Tables, step: usize) -> (usize, usize) {
    let (mut compared, mut wrong) = (0, 0);
    for material in materials_to(3) {
        let index = PerfectIndex::<u64>::new(material).unwrap();
        for &side in index.sides() {
            for rank in (0..index.len()).step_by(step) {
                let position = index.unrank(rank, side).unwrap();
                let expected = reference.probe(&position).unwrap();
                let phase = Phase::solve(&position, tables, 1 << 20, &|| false);
                let found = phase.and_then(|phase| phase.plies(&position));
                compared += usize::from(expected.plies.is_some());
                wrong += usize::from(found != expected.plies);
            }
        }
    }
    (compared, wrong)
}

/// Tables that take every draw for a loss.
struct Wrong;

impl Prober for Wrong {
    type Error = TablesError;

    fn max_pieces(&self) -> u32 {
        4
    }

    fn probe(&self, position: &Position) -> Result<Outcome, TablesError> {
        let outcome = FOUR.tables.probe(position)?;
        let value = if outcome.value == Value::Win { outcome.value } else { Value::Loss };
        Ok(Outcome { value, ..outcome })
    }
}

#[test]
fn distances_found_at_play_are_the_reference_s() {
    let directory = build(&Reference::new(Metric::Dtc), Metric::Dtc, 3);
    let (compared, wrong) = wrong_distances(&UpTo(3), &directory.tables, 211);
    assert!(compared > 500, "{compared}");
    assert_eq!(wrong, 0);
    let (_, wrong) = wrong_distances(&Wrong, &directory.tables, 2111);
    assert!(wrong > 5, "the comparison finds wrong tables: {wrong}");
}

/// The time that this thread has spent at work, where the system tells, or else the time passed:
/// so that what must be done in a tenth of a second is the same beside other work.
fn time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let passed = START.elapsed();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let at_work = text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    at_work.map_or(passed, Duration::from_nanos)
}

/// In a lost position, the move that puts the next conversion off longest.
fn longest_resistance(position: &Position) -> Move {
    let plies = |m: &Move| match m.is_conversion() {
        true => Some(1),
        false => FOUR_DTC.tables.probe(&position.after(m)).unwrap().plies.map(|plies| plies + 1),
    };
    *position.moves().unwrap().iter().max_by_key(|m| plies(m)).expect("a move")
}

/// Plays a won position out against the longest resistance to each conversion; true if won in
/// time.
fn wins(start: &Position, search: impl Fn() -> Duration) -> bool {
    let tables = UpTo(4);
    let mut memory = Memory::new();
    let mut player = memory.player(&tables);
    let mut game = Game::new(*start);
    let winner = start.side_to_move;
    loop {
        let position = *game.position();
        if !position.has_move() {
            return position.side_to_move != winner;
        }
        if game.clock().is_draw_claimable() {
            return false;
        }
        let m = if position.side_to_move == winner {
            let end = time() + search();
            let stop = || time() >= end;
            let limits = Limits { nodes: 300_000, ..Limits::until(&stop) };
            player.choose(&game, &limits, &limits, |_| {}).report.best.unwrap()
        } else {
            longest_resistance(&position)
        };
        game.play(&m);
    }
}

fn won_positions(count: usize, pieces: u32, seed: u64) -> Vec<Position> {
    let mut random = Random(seed);
    std::iter::from_fn(|| Some(random.any(pieces)))
        .filter(|position| value(position) == Value::Win)
        .take(count)
        .collect()
}

#[test]
fn values_without_distances_are_enough_to_win_in_time() {
    for position in won_positions(12, 4, 5) {
        assert!(wins(&position, || Duration::from_secs(20)), "{position}");
    }
    let first_position = "W:W11,6:B3,K25".parse().unwrap();
    assert!(wins(&first_position, || Duration::from_secs(20)));
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn two_thousand_won_positions_are_won_in_time_at_a_tenth_of_a_second() {
    let lost: Vec<String> = won_positions(2000, 4, 77)
        .par_iter()
        .filter(|position| !wins(position, || Duration::from_millis(100)))
        .map(ToString::to_string)
        .collect();
    assert!(lost.is_empty(), "{} not won: {lost:?}", lost.len());
}

/// Plays on with an opponent; false if the player loses.
fn holds<P: Prober + Sync>(
    player: &mut Player<'_, P>,
    start: &Position,
    nodes: u64,
    plies: u32,
    mut reply: impl FnMut(&Position) -> Move,
    mut check: impl FnMut(&Position, Guarantee),
) -> bool {
    let side = start.side_to_move;
    let mut game = Game::new(*start);
    for _ in 0..plies {
        let position = *game.position();
        if !position.has_move() {
            return position.side_to_move != side;
        }
        let m = if position.side_to_move == side {
            let limits = Limits::nodes(nodes);
            let answer = player.choose(&game, &limits, &limits, |_| {});
            let m = answer.report.best.unwrap();
            check(&position.after(&m), answer.guarantee);
            m
        } else {
            reply(&position)
        };
        game.play(&m);
    }
    true
}

/// The move after which the player is worst off.
fn perfect_reply(position: &Position) -> Move {
    *position.moves().unwrap().iter().min_by_key(|m| value(&position.after(m))).unwrap()
}

fn never_loses(each: u64, tables_to: u32, nodes: u64) -> (u32, u32, u32) {
    let mut random = Random(31 + u64::from(tables_to));
    let tables = UpTo(tables_to);
    let (mut games, mut proved, mut open) = (0, 0, 0);
    for material in materials(4) {
        let mut memory = Memory::new();
        let mut player = memory.player(&tables);
        player.never_lose = true;
        let mut left = each;
        let mut tries = 0;
        // Of some materials most positions are lost.
        while left > 0 && tries < 100 * each {
            tries += 1;
            let start = random.position(material);
            if value(&start) == Value::Loss || !start.has_move() {
                continue;
            }
            left -= 1;
            for perfect in [true, false] {
                let mut unproved = 0;
                let held = holds(
                    &mut player,
                    &start,
                    nodes,
                    40,
                    |position| {
                        let moves = position.moves().unwrap();
                        if perfect {
                            perfect_reply(position)
                        } else {
                            moves[random.below(moves.len() as u64) as usize]
                        }
                    },
                    |after, guarantee| {
                        let kept = value(after).negate();
                        match guarantee {
                            Guarantee::ProvedWin => assert_eq!(kept, Value::Win, "{after}"),
                            Guarantee::ProvedDraw => assert!(kept >= Value::Draw, "{after}"),
                            Guarantee::NotProved => unproved += 1,
                        }
                        proved += u32::from(guarantee != Guarantee::NotProved);
                    },
                );
                open += unproved;
                games += 1;
                assert!(held || unproved > 0, "lost from {start}");
            }
        }
    }
    (games, proved, open)
}

#[test]
fn with_tables_the_never_lose_mode_never_loses() {
    let (games, proved, open) = never_loses(10, 4, 100);
    assert!(games > 250 && proved > games, "{games} games, {proved} moves proved");
    assert_eq!(open, 0, "tables prove every move that keeps a draw");
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn with_tables_the_never_lose_mode_never_loses_thousands_of_games() {
    let (games, _, open) = never_loses(150, 4, 200);
    assert!(games > 4000, "{games} games");
    assert_eq!(open, 0);
}

#[test]
fn above_the_tables_what_is_said_to_be_proved_is_true() {
    let (games, proved, open) = never_loses(2, 3, 3000);
    eprintln!("{games} games, {proved} moves proved, {open} not");
    assert!(games > 50 && proved > open, "{games} games, {proved} proved, {open} open");
}

/// A search that a limit ends in the middle of an iteration knows less than it has seen: what it
/// says of wins and losses is true all the same. How often it says so, and how often wrongly.
fn claims<P: Prober + Sync>(tables: &P, count: usize) -> (usize, usize) {
    let mut random = Random(2028);
    let (mut said, mut wrong) = (0, 0);
    for i in 0..count {
        let position = random.any(4);
        let mut memory = Memory::new();
        let mut player = memory.player(tables);
        // From none at all to some iterations.
        let limits = Limits::nodes((i as u64 % 40) * (i as u64 % 40));
        let report = player.team().search(&Game::new(position), &limits, |_| {});
        let claim = match report.score {
            score if score.is_win() => Value::Win,
            score if score.is_loss() => Value::Loss,
            _ => continue,
        };
        said += 1;
        wrong += usize::from(claim != value(&position));
    }
    (said, wrong)
}

#[test]
fn a_search_that_is_stopped_claims_nothing_wrong() {
    let (said, wrong) = claims(&UpTo(3), 4000);
    assert!(said > 400, "{said}");
    assert_eq!(wrong, 0, "of {said}");
    assert!(claims(&WrongBelow, 400).1 > 0, "the comparison finds wrong ones");
}

/// Proofs of random positions with one piece more than the tables: right, wrong and none.
fn prove_all<P: Prober>(tables: &P, count: usize, limits: &Limits<'_>) -> [usize; 3] {
    let mut random = Random(2027);
    let mut slots = vec![ProofSlot::default(); 1 << 18];
    let mut sums = [0; 3];
    for _ in 0..count {
        let position = random.any(4);
        let mut prover = Prover::new(&mut slots, tables);
        let proof = prover.prove(&position, None, limits);
        let truth = value(&position);
        let which = match proof.value() {
            _ if !(proof.least..=proof.most).contains(&truth) => 1,
            Some(_) => 0,
            None => 2,
        };
        sums[which] += 1;
    }
    sums
}

#[test]
fn proofs_above_the_tables_are_right() {
    let [right, wrong, none] = prove_all(&UpTo(3), 250, &Limits::nodes(20_000));
    eprintln!("{right} proved, {wrong} wrong, {none} not proved");
    assert_eq!(wrong, 0);
    assert!(right > 125, "{right} proved, {none} not");
}

/// Of won positions with one piece more than the tables (4), the share that search and
/// proof-number search alone win within a second each (`analyse --prove` also solves what can
/// follow); and of any positions, the share proved. What is proved is checked; the
/// shares depend on the machine and are printed. `CROWNHEAD_POSITIONS` says how many.
#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn most_won_positions_with_a_piece_more_are_won_within_a_second() {
    let count = std::env::var("CROWNHEAD_POSITIONS").map_or(1000, |n| n.parse().unwrap());
    let five = build(&Cpu::new(Metric::Wld), Metric::Wld, 5);
    let mut random = Random(88);
    let (mut won, mut found, mut any, mut proved) = (0, 0, 0, 0);
    while won < count {
        let position = random.any(5);
        let truth = five.tables.probe(&position).unwrap().value;
        let mut memory = Memory::new();
        let side = position.side_to_move;
        let end = time() + Duration::from_secs(1);
        let first = end - Duration::from_millis(850);
        let (stop, stop_search) = (|| time() >= end, || time() >= first);
        if truth != Value::Win && any >= count {
            continue;
        }
        let tables = UpTo(4);
        let mut player = memory.player(&tables);
        let game = Game::new(position);
        let report = player.team().search(&game, &Limits::until(&stop_search), |_| {});
        let mut proof = Proof::NONE;
        if report.score.is_win() {
            proof.least = Value::Win;
        } else if report.score.is_loss() {
            proof.most = Value::Loss;
        } else {
            proof =
                player.prover().prove(&position, report.score.favours(side), &Limits::until(&stop));
        }
        assert!((proof.least..=proof.most).contains(&truth), "{position}: {proof:?}");
        if any < count {
            any += 1;
            proved += usize::from(proof.value().is_some());
        }
        if truth == Value::Win {
            won += 1;
            found += usize::from(proof.least == Value::Win);
            if proof.least != Value::Win {
                eprintln!("not won: {position}");
            }
        }
    }
    eprintln!("{found} of {won} won positions won, {proved} of {any} positions proved");
    assert!(found * 2 > won, "{found} of {won}");
}

/// Tables to three pieces that take every draw for a loss.
struct WrongBelow;

impl Prober for WrongBelow {
    type Error = TablesError;

    fn max_pieces(&self) -> u32 {
        3
    }

    fn probe(&self, position: &Position) -> Result<Outcome, TablesError> {
        Wrong.probe(position)
    }
}

#[test]
fn the_comparison_of_proofs_finds_wrong_ones() {
    let [_, wrong, _] = prove_all(&WrongBelow, 300, &Limits::nodes(5_000));
    assert!(wrong > 0);
}
