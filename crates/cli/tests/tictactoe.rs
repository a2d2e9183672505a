//! The `tictactoe` command, seen from outside.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the command with this standard input.
fn tictactoe(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .arg("tictactoe")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that does not read its input may be gone before it is written.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the command ends")
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn records(output: &Output) -> Vec<serde_json::Value> {
    let parse = |line| serde_json::from_str(line).expect("each line is an object");
    text(output).lines().map(parse).collect()
}

#[test]
fn boards_are_answered_in_order_with_errors_between() {
    let boards = ["xx.oo....", "xxx......", "xxxoo....", "x........"];
    let from_input = tictactoe(&["--json"], &boards.map(|board| format!("{board}\n")).concat());
    let from_args = tictactoe(&[&boards[..], &["--json"]].concat(), "");
    for output in [from_input, from_args] {
        assert_eq!(output.status.code(), Some(2), "one board is impossible");
        assert!(output.stderr.is_empty());
        let records = records(&output);
        let expected = serde_json::json!([
            {"board": "xx.oo....", "move": 3, "value": "win"},
            {"board": "xxx......", "error": "3 x and 0 o: x moves first and turns alternate, so there \
                are as many x as o or one more"},
            {"board": "xxxoo....", "move": null, "value": "loss"},
            {"board": "x........", "move": 5, "value": "draw"},
        ]);
        assert_eq!(serde_json::Value::from(records), expected);
    }
}

#[test]
fn every_kind_of_wrong_board_says_why() {
    for (board, reason) in [
        ("", "nine characters"),
        ("xo", "this one has 2"),
        ("..........", "this one has 10"),
        ("x.z......", "character 3 is 'z'"),
        ("oo.......", "0 x and 2 o"),
        ("xxxooo...", "both x and o have three in a row"),
        ("xxxoo.o..", "o moved after it"),
        ("oooxx.xx.", "x moved after it"),
    ] {
        let output = tictactoe(&[], &format!("{board}\n"));
        assert_eq!(output.status.code(), Some(2), "{board}");
        assert_eq!(text(&output).lines().count(), 1, "{board}");
        assert!(text(&output).contains(reason), "{board}: {}", text(&output));
    }
}

#[test]
fn a_finished_game_says_so() {
    for (board, end) in [
        ("xxxoo....", "the game is over: x has won"),
        ("oooxx.x..", "the game is over: o has won"),
        ("xoxxoxoxo", "the game is over: a draw"),
    ] {
        let output = tictactoe(&[board], "");
        assert_eq!(output.status.code(), Some(0), "{board}");
        assert!(text(&output).contains(end), "{board}: {}", text(&output));
    }
}

#[test]
fn a_game_is_played_in_the_terminal() {
    let output = tictactoe(&["--play", "xo.xo...."], "9\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output).contains("o plays 8"), "{}", text(&output));
    assert!(text(&output).ends_with("the game is over: o has won\n"), "{}", text(&output));
}

#[test]
fn what_is_typed_wrongly_is_asked_again() {
    let output = tictactoe(&["--play"], "5\n5\nten\nq\n");
    assert_eq!(output.status.code(), Some(0));
    for reply in ["cell 5 is taken; free are 1", "'ten' is no cell"] {
        assert!(text(&output).contains(reply), "{reply}: {}", text(&output));
    }
}

#[test]
fn the_end_of_the_input_leaves_the_game() {
    assert_eq!(tictactoe(&["--play"], "").status.code(), Some(0));
}

#[test]
fn the_player_may_let_the_machine_begin() {
    let output = tictactoe(&["--play"], "s\nq\n");
    assert!(text(&output).contains("x plays 5"), "{}", text(&output));
}

#[test]
fn wrong_arguments_end_with_status_two() {
    for args in
        [&["--play", "--json"][..], &["--play", "x", "o"], &["--play", "xx"], &["--nothing"]]
    {
        let output = tictactoe(args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
}
