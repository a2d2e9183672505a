//! Several threads on one position.
#![cfg(feature = "std")]

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crownhead_engine::{Engine, Game, Limits, NoTables, Slot, Team, TranspositionTable};
use crownhead_rules::Position;

fn slots() -> Vec<Slot> {
    std::iter::repeat_with(Slot::default).take(1 << 16).collect()
}

#[test]
fn one_thread_does_what_an_engine_does() {
    let game = Game::new(Position::START);
    let (ours, theirs) = (slots(), slots());
    let mut team = Team::new(TranspositionTable::new(&ours), &NoTables, 1);
    let mut engine = Engine::new(TranspositionTable::new(&theirs), &NoTables);
    for _ in 0..2 {
        let together = team.search(&game, &Limits::depth(9), |_| {});
        let alone = engine.search(&game, &Limits::depth(9), |_| {});
        assert_eq!(
            (together.nodes, together.score, together.line),
            (alone.nodes, alone.score, alone.line)
        );
    }
}

#[test]
fn threads_find_the_forced_win_and_stop_by_themselves() {
    let game = Game::new("W:WK26,K27:B21,K25".parse().unwrap());
    let slots = slots();
    let mut team = Team::new(TranspositionTable::new(&slots), &NoTables, 4);
    for _ in 0..10 {
        let report = team.search(&game, &Limits::depth(18), |_| {});
        assert!(report.score.is_win(), "{report}");
        assert!(game.position().moves().unwrap().contains(&report.best.unwrap()));
    }
}

/// How long a search goes on after its flag is raised.
fn lateness(team: &mut Team<'_, NoTables>) -> Duration {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let raised = scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(5));
            let now = Instant::now();
            stop.store(true, Relaxed);
            now
        });
        let flag = || stop.load(Relaxed);
        team.search(&Game::new(Position::START), &Limits::until(&flag), |_| {});
        let stopped = Instant::now();
        stopped - raised.join().unwrap()
    })
}

#[test]
fn a_flag_stops_all_threads_within_a_millisecond() {
    let slots = slots();
    let mut team = Team::new(TranspositionTable::new(&slots), &NoTables, 2);
    // Other processes may keep a thread waiting, so not every try counts.
    let least = (0..100).map(|_| lateness(&mut team)).find(|late| *late < Duration::from_millis(1));
    assert!(least.is_some());
}
