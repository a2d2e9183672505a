//! What holds for every position, with proptest, exhaustively where that is small.

mod common;

use std::ops::ControlFlow;

use common::{every_position, legal, routes};
use crownhead_rules::{Bitboard, Color, Move, MoveText, Position};
use proptest::prelude::*;

prop_compose! {
    /// Legal positions of any density: the more masks are combined, the fewer pieces.
    fn any_position()(
        owner in any::<u32>(),
        kind in any::<u32>(),
        masks in prop::collection::vec(any::<u32>(), 1..5),
        black_to_move in any::<bool>(),
    ) -> Position {
        let occupied = masks.iter().fold(!0, |all, mask| all & mask);
        let (black, white) = (occupied & owner, occupied & !owner);
        let side = if black_to_move { Color::Black } else { Color::White };
        legal([black & kind, black & !kind, white & kind, white & !kind], side)
    }
}

/// Un-moves of the position, each with the position before.
fn unmoves(position: &Position) -> Vec<(Move, Position)> {
    let mut found = Vec::new();
    let _: ControlFlow<()> = position.visit_unmoves(|m| {
        found.push((m, position.before(&m, Bitboard::EMPTY)));
        ControlFlow::Continue(())
    });
    found
}

fn steps(position: &Position) -> Vec<Move> {
    routes(position).into_iter().filter(|m| !m.is_capture()).collect()
}

/// Whether the moves of the mirrored position are the mirrored moves, with mirrored results.
fn mirror_commutes(position: &Position, mirror: impl Fn(&Position) -> Position) -> bool {
    let results = |of: &Position, turn: bool| {
        let mut all: Vec<_> = routes(of)
            .iter()
            .map(|m| {
                let (m, after) = (if turn { m.mirror() } else { *m }, of.after(m));
                (m.to_string(), if turn { mirror(&after) } else { after }.to_string())
            })
            .collect();
        all.sort();
        all
    };
    results(&mirror(position), false) == results(position, true)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unmake_undoes_make(position in any_position()) {
        for m in routes(&position) {
            let mut now = position;
            let undo = now.make(&m);
            prop_assert_eq!(now, position.after(&m));
            prop_assert!(now.is_legal());
            now.unmake(&m, undo);
            prop_assert_eq!(now, position);
        }
    }

    #[test]
    fn mirror_commutes_with_generation(position in any_position()) {
        prop_assert_eq!(position.mirror().mirror(), position);
        prop_assert!(mirror_commutes(&position, Position::mirror));
    }

    #[test]
    fn fen_round_trips(position in any_position()) {
        prop_assert_eq!(position.to_string().parse(), Ok(position));
    }

    #[test]
    fn steps_are_found_again_as_unmoves(position in any_position()) {
        for m in steps(&position) {
            let back = unmoves(&position.after(&m));
            prop_assert_eq!(back.iter().filter(|other| **other == (m, position)).count(), 1);
        }
    }

    #[test]
    fn unmoves_are_found_again_as_steps(position in any_position()) {
        for (m, before) in unmoves(&position) {
            prop_assert!(before.is_legal());
            prop_assert!(routes(&before).contains(&m), "{} is not a move of {}", m, before);
            prop_assert_eq!(before.after(&m), position);
        }
    }

    #[test]
    fn a_path_agrees_with_its_ends_and_captures(position in any_position()) {
        for m in routes(&position) {
            let path: Vec<_> = m.path().collect();
            prop_assert_eq!(path.len(), m.path().len());
            prop_assert_eq!((path[0], path[path.len() - 1]), (m.from(), m.to()));
            prop_assert!(m.captured() & position.side(position.side_to_move.other()) == m.captured());
            prop_assert_eq!(m.mirror().mirror(), m);
        }
    }

    #[test]
    fn parsers_take_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Err(error) = Position::from_fen(&bytes) {
            prop_assert!((1..=bytes.len() + 1).contains(&error.column));
        }
        if let Err(error) = MoveText::from_bytes(&bytes) {
            prop_assert!((1..=bytes.len() + 1).contains(&error.column));
        }
    }

    #[test]
    fn parsers_take_any_text_of_their_letters(
        fen in "[WBwbKkHF0-9:,. \\-\\[\\]\"]{0,40}",
        moves in "[0-9xX \\-]{0,24}",
        position in any_position(),
    ) {
        if let Ok(read) = fen.parse::<Position>() {
            prop_assert!(read.is_legal());
            prop_assert_eq!(read.to_string().parse(), Ok(read));
        }
        match position.parse_move(&moves) {
            Ok(m) => prop_assert!(routes(&position).contains(&m)),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

/// As many steps lead out of all positions of 3 pieces as un-moves lead back into them.
#[test]
fn steps_and_unmoves_are_equally_many() {
    let (mut forth, mut back) = (0, 0);
    every_position(3, |position| {
        forth += steps(&position).len();
        back += unmoves(&position).len();
        for (m, before) in unmoves(&position) {
            assert!(!before.has_capture(before.side_to_move));
            assert_eq!(before.after(&m), position);
        }
    });
    assert_eq!(forth, back);
    assert!(forth > 1_000_000);
}

/// Negative control: mirrors that forget a part of their work do not commute.
#[test]
fn a_wrong_mirror_is_found() {
    let only_turned = |p: &Position| Position {
        black_men: p.black_men.turned(),
        black_kings: p.black_kings.turned(),
        white_men: p.white_men.turned(),
        white_kings: p.white_kings.turned(),
        side_to_move: p.side_to_move.other(),
    };
    let only_swapped = |p: &Position| Position {
        black_men: p.white_men,
        black_kings: p.white_kings,
        white_men: p.black_men,
        white_kings: p.black_kings,
        side_to_move: p.side_to_move.other(),
    };
    let same_side = |p: &Position| Position { side_to_move: p.side_to_move, ..p.mirror() };
    let position: Position = "W:W22,K3:BK18,11,26".parse().unwrap();
    assert!(mirror_commutes(&position, Position::mirror));
    assert!(!mirror_commutes(&position, only_turned));
    assert!(!mirror_commutes(&position, only_swapped));
    assert!(!mirror_commutes(&position, same_side));
}

/// Negative control: a way back that forgets the crown is not found again.
#[test]
fn a_forgotten_promotion_is_found_in_unmoves() {
    let before: Position = "B:W12:B25,26".parse().unwrap();
    let crowning = before.parse_move("25-29").unwrap();
    assert!(crowning.crowns());
    let mut after = before.after(&crowning);
    assert!(unmoves(&after).contains(&(crowning, before)));
    after.black_men |= Bitboard(1 << 28);
    after.black_kings = Bitboard::EMPTY;
    assert!(!unmoves(&after).contains(&(crowning, before)));
}
