//! The generator against its slow twin, and the twin's faults as negative controls.

mod common;

use common::twin::{self, FAULTS, Fault};
use common::{Random, distinct, every_position, legal, routes};
use crownhead_rules::{Bitboard, Color, MOVE_CAPACITY, Position, Square, TooManyMoves};

/// The first position where the library and the twin differ, in any question about moves.
struct Comparison {
    fault: Option<Fault>,
    difference: Option<String>,
    compared: u32,
}

impl Comparison {
    fn new(fault: Option<Fault>) -> Self {
        Self { fault, difference: None, compared: 0 }
    }

    fn add(&mut self, position: &Position) {
        if self.difference.is_some() {
            return;
        }
        self.compared += 1;
        let right = twin::routes(position, self.fault);
        let mut results: Vec<&str> = right.iter().map(|m| m.result.as_str()).collect();
        results.sort_unstable();
        results.dedup();
        let has_capture = right.iter().any(|m| !m.captured.is_empty());
        let side = position.side_to_move;
        let same = twin::routes_of_library(position) == right
            && position.count_moves() as usize == right.len()
            && distinct(position).len() == results.len()
            && position.has_capture(side) == has_capture
            && position.has_move() != right.is_empty()
            && position.winner().is_some() == right.is_empty();
        if !same {
            self.difference = Some(format!("{position}: the twin has {right:?}"));
        }
    }

    fn assert_equal(self, at_least: u32) {
        assert_eq!(self.difference, None);
        assert!(self.compared >= at_least, "only {} positions compared", self.compared);
    }
}

/// A king on each square and enemies on each subset of the 9 squares between its landing squares:
/// every route that a king can take.
fn every_king_route(mut show: impl FnMut(Position)) {
    for rows in [[1, 3, 5], [2, 4, 6]] {
        let columns = if rows[0] == 1 { [2, 4, 6] } else { [1, 3, 5] };
        let between: Vec<Square> = rows
            .iter()
            .flat_map(|&row| columns.map(|column| Square::at(row, column).unwrap()))
            .collect();
        for subset in 0..1 << between.len() {
            let enemies: Bitboard =
                (0..between.len()).filter(|i| subset >> i & 1 != 0).map(|i| between[i]).collect();
            for king in Square::all().filter(|square| !enemies.has(*square)) {
                let kings = Bitboard::of(king).0;
                show(legal([0, enemies.0, 0, kings], Color::White));
                show(legal([0, kings, enemies.0, 0], Color::Black));
            }
        }
    }
}

#[test]
fn every_position_to_3_pieces() {
    let mut comparison = Comparison::new(None);
    for pieces in 0..=3 {
        every_position(pieces, |position| comparison.add(&position));
    }
    comparison.assert_equal(500_000);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn every_position_of_4_pieces() {
    let mut comparison = Comparison::new(None);
    every_position(4, |position| comparison.add(&position));
    comparison.assert_equal(12_000_000);
}

#[test]
fn every_route_of_a_king() {
    let mut comparison = Comparison::new(None);
    every_king_route(|position| comparison.add(&position));
    comparison.assert_equal(50_000);
}

#[test]
fn random_positions_of_any_size() {
    let mut random = Random(1);
    let mut comparison = Comparison::new(None);
    for density in 1..=32 {
        for _ in 0..3_000 {
            comparison.add(&random.position(density));
        }
    }
    comparison.assert_equal(96_000);
}

#[test]
fn positions_of_random_games() {
    let mut random = Random(2);
    let mut comparison = Comparison::new(None);
    for _ in 0..300 {
        let mut position = Position::START;
        for _ in 0..100 {
            comparison.add(&position);
            let moves = routes(&position);
            if moves.is_empty() {
                break;
            }
            position = position.after(&moves[random.below(moves.len() as u64) as usize]);
        }
    }
    comparison.assert_equal(10_000);
}

/// The comparisons above are worth what they find: each fault must show in each kind of them
/// where it can.
#[test]
fn every_fault_is_found() {
    for fault in FAULTS {
        let mut random = Random(3);
        let mut comparison = Comparison::new(Some(fault));
        for _ in 0..20_000 {
            comparison.add(&random.position(10));
        }
        // No random position is needed for circles; those that the sample misses are in here.
        every_king_route(|position| comparison.add(&position));
        assert!(comparison.difference.is_some(), "{fault:?} makes no difference");
    }
}

#[test]
fn a_fault_in_shifts_or_promotion_shows_with_one_piece() {
    for fault in [Fault::MissingEdgeMask, Fault::OneParity, Fault::ForgottenPromotion] {
        let mut comparison = Comparison::new(Some(fault));
        every_position(1, |position| comparison.add(&position));
        assert!(comparison.difference.is_some(), "{fault:?} makes no difference");
    }
}

/// The proof of the bound in the description of `MOVE_CAPACITY`, captures.
///
/// Kings of one side fall into four classes, by the landing squares that they can reach. Men
/// have at most as many routes as kings on their squares, as each of a man's routes is the start
/// of a king's. Pieces that only block take away jumps of one class, as if it had fewer enemies.
/// So the routes of a class are at most those of the worst set of kings in it against the worst
/// set of enemies between its 8 squares.
#[test]
fn capture_routes_fit_the_list() {
    let between: Vec<Square> = [1, 3, 5]
        .iter()
        .flat_map(|&row| [2, 4, 6].map(|column| Square::at(row, column).unwrap()))
        .collect();
    // Rows 0, 2, 4 and 6 on every other column; the other classes are its mirror images.
    let landing: Vec<Square> = (0..4)
        .flat_map(|row| (0..4).map(move |column| (row, column)))
        .filter(|(row, column)| (row + column) % 2 == 0)
        .map(|(row, column)| Square::at(2 * row, 2 * column + 1).unwrap())
        .collect();
    let subset = |of: &[Square], bits: usize| -> u32 {
        of.iter().enumerate().filter(|(i, _)| bits >> i & 1 != 0).map(|(_, s)| 1 << s.index()).sum()
    };
    let mut most = [0; 10];
    for enemies in 0..1 << between.len() {
        for kings in 0..1 << landing.len() {
            let sets = [0, subset(&between, enemies), 0, subset(&landing, kings)];
            let position = legal(sets, Color::White);
            if position.has_capture(Color::White) {
                let count = enemies.count_ones() as usize;
                most[count] = position.count_moves().max(most[count]);
            }
        }
    }
    for count in 1..most.len() {
        most[count] = most[count].max(most[count - 1]);
    }
    // Two classes share the enemies of the odd rows, two those of the even rows.
    let bound = |enemies: usize| {
        (0..=enemies).map(|odd| 2 * most[odd.min(9)] + 2 * most[(enemies - odd).min(9)]).max()
    };
    assert_eq!(bound(12), Some(40));
    assert_eq!(bound(24), Some(68));
    assert!(bound(12).unwrap() as usize <= MOVE_CAPACITY);
}

#[test]
fn an_odd_crowd_overflows_the_list_and_not_the_visitor() {
    let crowd: Position = "W:WK1-4,K9-12,K17-20,K25-28:B".parse().unwrap();
    assert_eq!(routes(&crowd).len(), 49, "each pair of neighbouring squares allows one step");
    assert_eq!(crowd.count_moves(), 49);
    assert_eq!(crowd.moves(), Err(TooManyMoves));
    assert_eq!(crowd.distinct_moves(), Err(TooManyMoves));
}

#[test]
fn a_visitor_can_stop() {
    let mut seen = 0;
    let end = Position::START.visit_moves(|m| {
        seen += 1;
        if seen == 3 {
            std::ops::ControlFlow::Break(m)
        } else {
            std::ops::ControlFlow::Continue(())
        }
    });
    assert_eq!(seen, 3);
    assert!(end.is_break());
    let circle: Position = "W:WK2:B6,7,14,15".parse().unwrap();
    assert!(circle.visit_moves(std::ops::ControlFlow::Break).is_break());
}
