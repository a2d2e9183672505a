//! Counts of move sequences from the start against published numbers.

mod common;

use common::data;
use crownhead_rules::Position;

fn check(plies: std::ops::RangeInclusive<u32>) {
    for (depth, count) in data::perft().into_iter().filter(|(depth, _)| plies.contains(depth)) {
        assert_eq!(Position::START.perft_bulk(depth), count, "perft {depth}, in bulk");
        assert_eq!(Position::START.perft(depth), count, "perft {depth}");
    }
}

#[test]
fn perft_to_10() {
    check(1..=10);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn perft_11_and_12() {
    check(11..=12);
}

#[test]
fn divide_adds_up() {
    let mut moves = 0;
    let mut sum = 0;
    Position::START.perft_divide(7, |_, count| {
        moves += 1;
        sum += count;
    });
    assert_eq!((moves, sum), (7, 179_740));
}

#[test]
fn nothing_to_play_is_one_empty_sequence() {
    assert_eq!(Position::START.perft(0), 1);
    assert_eq!(Position::START.perft_bulk(0), 1);
    let lost: Position = "B:W16,19:B12".parse().unwrap();
    assert_eq!((lost.perft(1), lost.perft_bulk(1), lost.perft_bulk(2)), (0, 0, 0));
}

/// The statistics count each position before the last ply once for each way to it.
#[test]
fn statistics_agree_with_the_counts() {
    let statistics = Position::START.perft_statistics(8);
    let positions = statistics.quiet_positions + statistics.capture_positions + statistics.ended;
    assert_eq!(positions, (0..8).map(|plies| Position::START.perft(plies)).sum::<u64>());
    let moves = statistics.quiet_moves + statistics.capture_moves;
    assert_eq!(moves, (1..=8).map(|plies| Position::START.perft(plies)).sum::<u64>());
}
