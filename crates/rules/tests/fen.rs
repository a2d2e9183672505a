//! FEN: what is read, what is written, and where errors point.

mod common;

use common::data;
use crownhead_rules::{Color, FenError, FenErrorKind, Position, Square};

fn square(number: u32) -> Square {
    Square::from_number(number).unwrap()
}

#[test]
fn reference_cases() {
    let cases = data::fen_cases();
    assert_eq!(cases.len(), 20);
    for case in cases {
        match (case.input.parse::<Position>(), case.right.starts_with("accept")) {
            (Ok(position), true) => {
                assert!(position.is_legal());
                assert_eq!(Some(position.to_string()), case.fen, "{}", case.input);
            }
            (Err(_), false) => {}
            (result, _) => panic!("{}: {} but {result:?}", case.input, case.right),
        }
    }
}

#[test]
fn every_lenient_spelling() {
    let right: Position = "W:WK9,27:B4,K18".parse().unwrap();
    for text in [
        "W:B4,K18:WK9,27",
        "w:wk9,27:b4,k18",
        "W:WK09,027:B04,K18",
        " W : WK9 , 27 : B4 , K18 ",
        "W: W K9,27: B 4,K18\n",
        "W:WK9,27:B4,K18.",
        "W:WK9,27:B4,K18:H0:F1",
        "W:WK9,27:B4,K18:f12:h3 .",
        "W:WK9,27:B4,K18:H7",
        "W:WK9-9,27:B4,K18 - 18",
        "[FEN \"W:WK9,27:B4,K18\"]",
        "[FEN \"W:WK9,27:B4,K18:H0:F1.\"]\r\n",
        "[ fen\" w:wk9,27:b4,k18 \" ]",
    ] {
        match text.parse::<Position>() {
            Ok(position) => assert_eq!(position, right, "{text}"),
            Err(error) => panic!("{text}: {error}"),
        }
    }
}

#[test]
fn empty_sides() {
    for (text, white, black) in [("B:W:B", 0, 0), ("B:W:BK1", 0, 1), ("W:B:WK32.", 1, 0)] {
        let position: Position = text.parse().unwrap();
        assert_eq!(position.side(Color::White).len(), white, "{text}");
        assert_eq!(position.side(Color::Black).len(), black, "{text}");
    }
}

/// Each kind of error with its place.
#[test]
fn errors_name_the_place() {
    use FenErrorKind::*;
    let (black, white) = (Color::Black, Color::White);
    let cases: &[(&str, usize, FenErrorKind)] = &[
        ("", 1, Turn),
        ("?:W29:B4", 1, Turn),
        ("  x", 3, Turn),
        ("W", 2, AfterTurn),
        ("WW29:B4", 2, AfterTurn),
        ("W;W29:B4", 2, AfterTurn),
        ("W::B1", 3, ListColor),
        ("B::", 3, ListColor),
        ("W:29:B4", 3, ListColor),
        ("W:H0:W29:B4", 3, ListColor),
        ("W:", 3, MissingList(white)),
        ("W:W29", 6, MissingList(black)),
        ("W:B4", 5, MissingList(white)),
        ("W:B4.", 5, MissingList(white)),
        ("W:B4:", 6, MissingList(white)),
        ("W:W29:W30", 7, RepeatedList(white)),
        ("W:B1:B4", 6, RepeatedList(black)),
        ("W:W29,:B4", 7, EmptyItem),
        ("W:W,29:B4", 4, EmptyItem),
        ("W:W29:B4,", 10, EmptyItem),
        ("W:W29:B4,.", 10, EmptyItem),
        ("W:Wa1:Bb8", 4, Square),
        ("W:WK:B4", 5, Square),
        ("W:WK 9:B4", 5, Square),
        ("W:WK1-K4:BK29", 7, Square),
        ("W:W29-:B4", 7, Square),
        ("W:W-29:B4", 4, Square),
        ("W:W+29:B4", 4, Square),
        ("W:W0:B4", 4, OutOfRange(0)),
        ("W:W29,33:B4", 7, OutOfRange(33)),
        ("W:W29-40:B4", 7, OutOfRange(40)),
        ("W:W99999999999999999999:B4", 4, OutOfRange(u32::MAX)),
        ("W:W12-9:B1", 4, Descending { first: square(12), last: square(9) }),
        ("W:W27,19:B28,19", 14, Occupied(square(19))),
        ("W:W29,29:B4", 7, Occupied(square(29))),
        ("W:W20-24,22:B4", 10, Occupied(square(22))),
        ("W:W30,K30:B4", 7, Occupied(square(30))),
        ("W:W9,1:B4", 6, UncrownedMan(white, square(1))),
        ("W:W1-8:B31", 4, UncrownedMan(white, square(1))),
        ("W:W9:B28-30", 7, UncrownedMan(black, square(29))),
        ("W:W29 30:B4", 7, AfterPiece),
        ("W:W29;B4", 6, AfterPiece),
        ("W:W29:B4 5", 10, AfterPiece),
        ("W:W29-30-31:B4", 9, AfterPiece),
        ("W:WK29:BK4:extra", 12, Field),
        ("W:WK29:BK4:", 12, Field),
        ("W:WK29:BK4:H", 12, Field),
        ("W:WK29:BK4:H1:H2", 15, Field),
        ("W:WK29:BK4:W1", 12, Field),
        ("W:WK29:BK4:H1 2", 15, AfterPiece),
        ("W:WK29:BK4..", 12, Trailing),
        ("W:WK29:BK4.:H0", 12, Trailing),
        ("W:WK29:BK4\"", 11, Trailing),
        ("[FEN W:WK29:BK4]", 6, Tag),
        ("[SetUp \"1\"]", 2, Tag),
        ("[FEN \"W:WK29:BK4]", 17, AfterPiece),
        ("[FEN \"W:WK29:BK4\"", 18, Tag),
        ("[FEN \"W:WK29:BK4\"] 1-5", 20, Trailing),
        ("W:Wé:B4", 4, Square),
        ("W:W29é:B4", 6, AfterPiece),
    ];
    for (text, column, kind) in cases {
        let right = FenError { column: *column, kind: *kind };
        assert_eq!(text.parse::<Position>(), Err(right), "{text}");
        let message = right.to_string();
        assert!(message.starts_with(&format!("column {column}: ")), "{message}");
        assert!(message.len() > 30, "{message}");
    }
}

/// A column counts characters, not bytes.
#[test]
fn columns_count_characters() {
    let error = "W:W29é€:B4".parse::<Position>().unwrap_err();
    assert_eq!(error.column, 6);
    let error = "[FEN \"W:WK29:BK4\"]é€x".parse::<Position>().unwrap_err();
    assert_eq!(error.column, 19);
}
