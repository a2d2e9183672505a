//! Moves as text: every spelling, and errors that list what would be accepted.

mod common;

use common::{Random, routes};
use crownhead_rules::{MoveSyntaxErrorKind, MoveText, MoveTextError, Position};

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

#[test]
fn spellings_of_a_step() {
    for text in ["9-14", "09-14", " 9 - 14 ", "9-014\n"] {
        assert_eq!(Position::START.parse_move(text).unwrap().to_string(), "9-14", "{text}");
    }
    let error = Position::START.parse_move("9x14").unwrap_err().to_string();
    assert_eq!(
        error,
        "9x14 is not legal here; legal moves: 9-13, 10-14, 11-15, 12-16, 9-14, 10-15, 11-16"
    );
}

#[test]
fn spellings_of_a_capture() {
    let position = position("B:W14,15,22:B9,10");
    for text in ["9x18x25", "9X18X25", "9x25", "9-25", "9 x 18 x 25", "9-18-25"] {
        assert_eq!(position.parse_move(text).unwrap().to_string(), "9x18x25", "{text}");
    }
    let whole = position.parse_move("9x25").unwrap();
    assert_eq!(position.short_text(&whole).to_string(), "9x25");
    let error = position.parse_move("9x18").unwrap_err();
    assert!(matches!(error, MoveTextError::Incomplete(_)));
    assert_eq!(error.to_string(), "9x18 stops early; the capture goes on: 9x18x25");
    for text in ["9x17x25", "9x18x25x32", "9x13", "10x14", "9x9"] {
        let error = position.parse_move(text).unwrap_err();
        assert!(matches!(error, MoveTextError::Illegal(_)), "{text}: {error}");
        assert!(error.to_string().ends_with("legal moves: 9x18x25, 10x17x26, 10x19"), "{error}");
    }
}

/// Text that fits routes with one result is no guess.
#[test]
fn routes_with_one_result_are_not_ambiguous() {
    let position = position("W:WK2:B6,7,14,15");
    let m = position.parse_move("2x2").unwrap();
    assert_eq!(m.jumps(), 4);
    assert!(position.short_text(&m).to_string().len() > "2x2".len(), "written in full");
    for text in ["2x9x18x11x2", "2x11x18x9x2"] {
        assert_eq!(position.parse_move(text).unwrap().to_string(), text);
    }
}

#[test]
fn a_lost_side_has_no_move_to_offer() {
    let error = position("B:W16,19:B12").parse_move("12-17").unwrap_err();
    assert_eq!(error.to_string(), "12-17 is not legal: the side to move has no move, it has lost");
}

#[test]
fn syntax_errors_name_the_place() {
    use MoveSyntaxErrorKind::*;
    for (text, column, kind) in [
        ("", 1, Square),
        ("  ", 3, Square),
        ("9", 2, Separator),
        ("9-", 3, Square),
        ("a1-b2", 1, Square),
        ("9~14", 2, Separator),
        ("9--14", 3, Square),
        ("0-4", 1, OutOfRange(0)),
        ("29-33", 4, OutOfRange(33)),
        ("29-4294967296", 4, OutOfRange(u32::MAX)),
        ("9-14 !", 6, Separator),
        ("1x2x3x4x5x6x7x8x9x10x11", 22, TooLong),
        ("9–14", 2, Separator),
    ] {
        let error = text.parse::<MoveText>().unwrap_err();
        assert_eq!((error.column, error.kind), (column, kind), "{text}");
        assert!(
            error.to_string().starts_with(&format!("column {column}: expected"))
                || error.to_string().contains("out of range"),
            "{error}"
        );
    }
}

/// The full path always names its move, the short text a move with the same result.
#[test]
fn texts_round_trip() {
    let mut random = Random(5);
    let mut short = 0;
    for density in 2..28 {
        for _ in 0..300 {
            let position = random.position(density);
            for m in routes(&position) {
                assert_eq!(position.parse_move(&m.to_string()), Ok(m), "{position}");
                let text = position.short_text(&m).to_string();
                assert_eq!(position.parse_move(&text), Ok(m), "{position} {text}");
                short += usize::from(text.len() < m.to_string().len());
            }
        }
    }
    assert!(short > 100, "only {short} moves have a shorter text");
}
