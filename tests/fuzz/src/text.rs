//! Any bytes as positions, moves and games: what is read is legal, and is written so that the same
//! is read again.

use crownhead_rules::{Move, MoveText, Position};

use super::pdn_text;

/// Positions.
pub fn fen(bytes: &[u8]) {
    let position = match Position::from_fen(bytes) {
        Ok(position) => position,
        Err(error) => {
            assert!(error.column <= bytes.len() + 1, "column {} is outside", error.column);
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert!(position.is_legal());
    let text = position.to_string();
    assert_eq!(Position::from_fen(text.as_bytes()), Ok(position));
    assert_eq!(text.parse::<Position>().map(|again| again.to_string()), Ok(text));
    assert_eq!(position.mirror().mirror(), position);
    if let Ok(moves) = position.moves() {
        for m in &moves {
            let after = position.after(m);
            assert!(after.is_legal(), "{position} {m}");
            assert_eq!(position.parse_move(&m.to_string()), Ok(*m));
        }
    }
}

/// Moves: a position in the first line, then moves played from it.
pub fn moves(bytes: &[u8]) {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let start = lines.next().and_then(|line| Position::from_fen(line).ok());
    let mut position = start.unwrap_or(Position::START);
    for line in lines.take(40) {
        let text = match MoveText::from_bytes(line) {
            Ok(text) => text,
            Err(error) => {
                assert!(error.column <= line.len() + 1, "column {} is outside", error.column);
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        assert_eq!(text.to_string().parse(), Ok(text.clone()));
        match position.find_move(&text) {
            Ok(m) => {
                assert!(text.fits(&m));
                let short = position.short_text(&m).to_string();
                let again = position.parse_move(&short).expect("the short form is clear");
                assert!(again.same_result(&m));
                position = position.after(&m);
                assert!(position.is_legal());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Games: what was read is written so that the same is read again, but for white space and closing
/// braces in comments, which the first writing makes plain.
pub fn pdn(bytes: &[u8]) {
    for game in pdn_text::Reader::new(bytes).take(20).flatten() {
        let text = written(&game);
        let again: Vec<_> = pdn_text::Reader::new(text.as_bytes()).collect();
        let [Ok(read)] = again.as_slice() else { panic!("{again:?} instead of {game:?}\n{text}") };
        assert_eq!((&read.tags, read.start, read.score), (&game.tags, game.start, game.score));
        let played = |game: &pdn_text::Game| -> Vec<Move> {
            game.main.plies.iter().map(|ply| ply.played).collect()
        };
        assert_eq!(played(read), played(&game), "{text}");
        assert_eq!(written(read), text);
    }
}

fn written(game: &pdn_text::Game) -> String {
    let mut text = Vec::new();
    pdn_text::write(game, &mut text).expect("a vector takes everything");
    String::from_utf8(text).expect("written as UTF-8")
}
