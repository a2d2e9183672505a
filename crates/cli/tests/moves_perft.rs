//! The commands `moves` and `perft`: their JSON lines, messages and exit statuses.

use std::process::{Command, Output};

use serde_json::Value;

fn crownhead(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crownhead")).args(args).output().expect("the binary runs")
}

/// The one JSON line that a successful command prints.
fn json(args: &[&str]) -> Value {
    let output = crownhead(&[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).expect("JSON")
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> =
        value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn moves_lists_every_route_sorted() {
    let line = json(&["moves", "b:w15,14,22,23:b11,10."]);
    assert_eq!(keys(&line), ["fen", "moves"]);
    assert_eq!(line["fen"], "B:W14,15,22,23:B10,11");
    let right = ["10x17x26", "10x19x26", "11x18x25", "11x18x27"];
    assert_eq!(line["moves"], serde_json::json!(right));
}

#[test]
fn a_position_without_moves_is_no_error() {
    assert_eq!(json(&["moves", "W:W:B1"])["moves"], serde_json::json!([]));
    let text = crownhead(&["moves", "W:W:B1"]).stdout;
    assert!(String::from_utf8_lossy(&text).contains("Black has won"));
}

#[test]
fn a_wrong_fen_is_status_2_and_says_where() {
    for args in [&["moves", "W:W27,19:B28,19"][..], &["perft", "3", "--fen", "W:W27,19:B28,19"]] {
        for json in [&["--json"][..], &[]] {
            let output = crownhead(&[args, json].concat());
            assert_eq!(output.status.code(), Some(2));
            assert!(output.stdout.is_empty());
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(message.contains("column 14: square 19 is used twice"), "{message}");
        }
    }
}

#[test]
fn perft_counts_both_ways() {
    for bulk in [&[][..], &["--bulk"]] {
        let line = json(&[&["perft", "7"], bulk].concat());
        assert_eq!(keys(&line), ["depth", "fen", "nodes", "nodes_per_second", "seconds"]);
        assert_eq!((&line["depth"], &line["nodes"]), (&7.into(), &179_740.into()));
    }
}

#[test]
fn perft_divides_and_averages_when_asked() {
    let line = json(&["perft", "6", "--divide", "--stats"]);
    let divide = line["divide"].as_array().expect("a list");
    assert_eq!(divide.len(), 7);
    let sum: u64 = divide.iter().map(|first| first["nodes"].as_u64().expect("a count")).sum();
    assert_eq!(line["nodes"], sum);
    for key in ["average_moves_with_captures", "average_moves_without_captures"] {
        assert!(line[key].as_f64().expect("a number") > 1.0);
    }
    let none = json(&["perft", "1", "--stats"]);
    assert!(none["average_moves_with_captures"].is_null());
    assert_eq!(none["average_moves_without_captures"], 7.0);
}

#[test]
fn perft_refuses_a_depth_that_is_none() {
    for depth in ["x", "-1", "256"] {
        assert_eq!(crownhead(&["perft", depth]).status.code(), Some(2), "{depth}");
    }
}
