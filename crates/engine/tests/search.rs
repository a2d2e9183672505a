//! The search against its plain twin, and what it must find.

use crownhead_engine::{
    Engine, Features, Game, Limits, NoTables, Slot, TranspositionTable, best_move,
};
use crownhead_rules::Position;

/// Positions of a game of moves chosen by a fixed rule, so that they are the same each time.
fn positions(seed: u32, count: usize) -> Vec<Position> {
    let mut state = seed;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize
    };
    let mut found = Vec::new();
    let mut position = Position::START;
    while found.len() < count {
        let moves = position.moves().unwrap();
        if moves.is_empty() || position.occupied().len() < 4 {
            position = Position::START;
            continue;
        }
        position = position.after(&moves[random() % moves.len()]);
        found.push(position);
    }
    found
}

/// What leaves every score as it is and only saves work.
fn exact() -> Features {
    Features { reductions: false, ..Features::ALL }
}

/// A search to a depth with a table of its own.
fn search(position: &Position, depth: u8, features: Features) -> crownhead_engine::Report {
    let slots: Vec<Slot> = std::iter::repeat_with(Slot::default).take(1 << 12).collect();
    let mut engine = Engine::new(TranspositionTable::new(&slots), &NoTables);
    engine.features = features;
    engine.search(&Game::new(*position), &Limits::depth(depth), |_| {})
}

/// How many of these positions score otherwise in the plain twin.
fn differences(features: Features, depth: u8) -> usize {
    let differs = |position: &&Position| {
        let plain = best_move(position, depth, &NoTables).map(|(_, score)| score);
        plain
            != search(position, depth, features)
                .best
                .map(|_| search(position, depth, features).score)
    };
    positions(7, 300).iter().filter(differs).count()
}

#[test]
fn scores_are_those_of_the_plain_twin() {
    // Repetition, which the twin does not know, takes four plies without conversion.
    let features = Features { transpositions: false, ..exact() };
    for depth in 1..=3 {
        assert_eq!(differences(features, depth), 0, "depth {depth}");
    }
}

#[test]
fn the_comparison_finds_a_search_that_differs() {
    let features = Features { transpositions: false, quiescence: false, ..exact() };
    assert!(differences(features, 2) > 10);
}

#[test]
fn forced_wins_are_found_at_their_distance() {
    for (fen, plies) in
        [("W:WK26,K27:B21,K25", 11), ("B:WK13:BK1", 11), ("W:WK15,19:B8", 3), ("W:WK29:BK25", 1)]
    {
        let report = search(&fen.parse().unwrap(), 16, exact());
        assert_eq!(report.score.plies(), Some(plies), "{fen}: {report}");
        assert!(report.score.is_win(), "{fen}: {report}");
    }
}

#[test]
fn a_side_without_moves_has_lost() {
    for fen in ["B:W16,19:B12", "W:W:B1", "W:WK4:B8,11"] {
        let report = search(&fen.parse().unwrap(), 4, Features::ALL);
        assert_eq!((report.best, report.score.plies()), (None, Some(0)), "{fen}");
        assert!(report.score.is_loss());
    }
}

#[test]
fn repetition_and_the_forty_move_rule_are_draws() {
    // Two kings against one that sits in the double corner's way: no progress, no win.
    let position: Position = "W:WK18:BK29,K30".parse().unwrap();
    assert!(!search(&position, 12, Features::ALL).score.is_win());
    // A win in 11 plies that can no longer be reached in time, and one that can.
    let mut late = crownhead_rules::FortyMoveClock::START;
    let position: Position = "B:WK13:BK1".parse().unwrap();
    let step = position.parse_move("1-6").unwrap();
    for plies in 1..80 {
        late = late.after(&step);
        let slots: Vec<Slot> = std::iter::repeat_with(Slot::default).take(1 << 14).collect();
        let mut engine = Engine::new(TranspositionTable::new(&slots), &NoTables);
        let game = Game::with_clock(position, late);
        if plies == 60 {
            let report = engine.search(&game, &Limits::depth(14), |_| {});
            assert!(report.score.is_win(), "{report}");
        } else if plies == 75 {
            let report = engine.search(&game, &Limits::depth(14), |_| {});
            assert_eq!(report.score, crownhead_engine::Score::DRAW, "{report}");
        }
    }
}

#[test]
fn a_stop_is_obeyed_at_once_and_still_gives_a_move() {
    let slots: Vec<Slot> = std::iter::repeat_with(Slot::default).take(1 << 12).collect();
    let mut engine = Engine::new(TranspositionTable::new(&slots), &NoTables);
    let game = Game::new(Position::START);
    let report = engine.search(&game, &Limits::until(&|| true), |_| {});
    assert!(report.best.is_some());
    assert_eq!((report.depth, report.nodes), (0, 0));
    let report = engine.search(&game, &Limits::nodes(5_000), |_| {});
    assert!(report.best.is_some() && report.nodes == 5_000, "{report:?}");
}

#[test]
fn lines_are_legal_and_start_with_the_best_move() {
    for position in positions(11, 60) {
        let report = search(&position, 6, Features::ALL);
        assert_eq!(report.line.first(), report.best.as_ref());
        let mut position = position;
        for m in &report.line {
            assert!(position.moves().unwrap().contains(m), "{position} {m}");
            position = position.after(m);
        }
    }
}
