//! Move lists, public reports and results against reference data.

mod common;

use common::{data, distinct, routes};
use crownhead_rules::{Color, FenErrorKind, FortyMoveClock, Move, MoveTextError, Position, Square};

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn texts(moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    texts.sort();
    texts
}

fn sorted(moves: &[String]) -> Vec<String> {
    let mut moves = moves.to_vec();
    moves.sort();
    moves
}

#[test]
fn legal_moves() {
    let cases = data::legal_moves();
    assert_eq!(cases.len(), 60);
    for case in cases {
        let position = position(&case.fen);
        let moves = routes(&position);
        assert_eq!(texts(&moves), sorted(&case.moves), "{} ({})", case.fen, case.note);
        assert_eq!(moves.len(), case.routes, "{}", case.fen);
        assert_eq!(position.count_moves() as usize, case.routes, "{}", case.fen);
        assert_eq!(distinct(&position).len(), case.distinct, "{}", case.fen);
    }
}

/// The positions of the reports as they stand in the data; reports on other matters follow below.
#[test]
fn reported_positions() {
    let mut seen = 0;
    for report in data::reports() {
        let Some(right) = &report.legal_moves else { continue };
        let fen = report.input.rsplit("analogue ").next().expect("rsplit gives one at least");
        let position = position(fen.trim_end_matches(".\"]").trim_start_matches("[FEN \""));
        assert_eq!(texts(&routes(&position)), sorted(right), "report {}", report.id);
        seen += 1;
    }
    assert_eq!(seen, 10);
}

#[test]
fn report_1_circle_returns_to_its_origin() {
    let before = position("W:WK2:B6,7,14,15");
    for m in routes(&before) {
        assert_eq!((m.from(), m.to(), m.jumps()), (m.to(), m.from(), 4));
        let mut now = before;
        let undo = now.make(&m);
        assert_eq!(now, position("B:WK2:B"));
        now.unmake(&m, undo);
        assert_eq!(now, before);
    }
}

#[test]
fn report_3_ambiguous_text_lists_its_readings() {
    let position = position("[FEN \"B:W23,22,15,14:B11,10.\"]");
    assert_eq!(position.count_moves(), 4);
    let error = position.parse_move("10x26").unwrap_err();
    assert!(matches!(error, MoveTextError::Ambiguous(_)));
    let message = error.to_string();
    assert!(message.contains("10x17x26") && message.contains("10x19x26"), "{message}");
    for text in ["10x17x26", "10x19x26"] {
        let m = position.parse_move(text).unwrap();
        assert_eq!(m.to_string(), text);
        assert_eq!(position.short_text(&m).to_string(), text);
    }
}

#[test]
fn report_4_two_routes_one_result() {
    let position = position("W:WK2:B6,7,14,15");
    assert_eq!(position.moves().unwrap().len(), 2);
    assert_eq!(position.distinct_moves().unwrap().len(), 1);
}

#[test]
fn report_12_man_on_its_crownhead() {
    for (fen, color, square) in [("W:W1:B31", Color::White, 1), ("W:W5:B32", Color::Black, 32)] {
        let square = Square::from_number(square).unwrap();
        let error = fen.parse::<Position>().unwrap_err();
        assert_eq!(error.kind, FenErrorKind::UncrownedMan(color, square));
    }
}

#[test]
fn report_13_the_game_goes_on_while_there_is_a_move() {
    let before = position("W:WK29:BK25");
    assert_eq!(before.winner(), None);
    let after = before.after(&before.parse_move("29x22").unwrap());
    assert_eq!(after.winner(), Some(Color::White), "Black has no piece left");
}

#[test]
fn reports_14_and_17_no_move_is_a_loss() {
    for fen in ["B:W16,19:B12", "W:W:B1", "B:W1,2,3,4:B".replace("W1,2,3,4", "WK1").as_str()] {
        let position = position(fen);
        assert!(!position.has_move());
        assert_eq!(position.winner(), Some(position.side_to_move.other()), "{fen}");
    }
}

#[test]
fn report_16_man_moves_and_captures_restart_the_40_move_rule() {
    let mut position = position("B:WK32,29:BK1,5,14");
    let mut clock = FortyMoveClock::START;
    let mut play = |text: &str| {
        let m = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        position = position.after(&m);
        clock = clock.after(&m);
        clock
    };
    for round in 0..20 {
        for text in ["1-6", "32-28", "6-1", "28-32"] {
            assert!(!play(text).is_draw_claimable() || round == 19 && text == "28-32");
        }
    }
    assert_eq!(play("1-6").plies(), 81);
    assert_eq!(play("29-25").plies(), 0, "a man's move");
    assert_eq!(play("6-1").plies(), 1);
    assert_eq!(play("25-22").plies(), 0);
    assert_eq!(play("14-17").plies(), 0);
    assert_eq!(play("22x13").plies(), 0, "a capture");
}

#[test]
fn report_19_normalised_fen_round_trips() {
    let fen = "W:WK8,10,21,22,32:B2,13,14,28,K31";
    assert_eq!(position(fen).to_string(), fen);
    assert_eq!(position(&format!("[FEN \"{fen}\"]")).to_string(), fen);
}

#[test]
fn the_longest_capture_takes_nine() {
    let position = position("W:WK4:BK6,K7,K8,K14,K15,K16,K22,K23,K24");
    let longest = routes(&position).into_iter().max_by_key(Move::jumps).unwrap();
    assert_eq!((longest.jumps(), longest.to().number()), (Move::MAX_JUMPS, 25));
    assert_eq!(longest.path().len(), 10);
}
