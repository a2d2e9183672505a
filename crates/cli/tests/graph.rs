//! The commands graph and chase from outside.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn run(arguments: &[&str], folder: &Path, input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A command that has no use for its input may have closed it.
    let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn lines(arguments: &[&str], folder: &Path, input: &str) -> Vec<Value> {
    let output = run(arguments, folder, input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn fails(arguments: &[&str], folder: &Path, input: &str, status: i32, message: &str) {
    let output = run(arguments, folder, input);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains(message), "{arguments:?}: {error}");
}

const EXAMPLE: &str = "0 1\n1 2\n3 4\n4 3\n4 2\n5 6\n6 5\n";

fn example() -> Vec<Value> {
    let values = [
        ("0", "loss", Some(2)),
        ("1", "win", Some(1)),
        ("2", "loss", Some(0)),
        ("3", "loss", Some(2)),
        ("4", "win", Some(1)),
        ("5", "draw", None),
        ("6", "draw", None),
    ];
    values.map(|(v, value, plies)| json!({"vertex": v, "value": value, "plies": plies})).to_vec()
}

#[test]
fn every_format_gives_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("g.txt"), EXAMPLE).unwrap();
    for solver in ["retrograde", "naive"] {
        assert_eq!(lines(&["graph", "g.txt", "--json", "--solver", solver], folder, ""), example());
    }
    assert_eq!(lines(&["--json", "graph", "-"], folder, EXAMPLE), example());
    for name in ["g.csr", "g.pg", "g.gm"] {
        lines(&["graph", "g.txt", "--json", "--out", name], folder, "");
        assert_eq!(lines(&["graph", name, "--json"], folder, ""), example(), "{name}");
    }
    lines(&["graph", "g.txt", "--json", "--out", "g.dot", "--svg", "g.svg"], folder, "");
    let dot = fs::read_to_string(folder.join("g.dot")).unwrap();
    assert!(dot.contains("[label=\"4\\nwin 1\""), "{dot}");
    let svg = fs::read_to_string(folder.join("g.svg")).unwrap();
    assert_eq!(svg.matches("<circle").count(), 7);
    let won = lines(&["graph", "g.txt", "--json", "--stuck", "win"], folder, "");
    assert_eq!(won[2], json!({"vertex": "2", "value": "win", "plies": 0}));
}

#[test]
fn the_searches_print_what_they_visited() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let local =
        lines(&["graph", "-", "--json", "--solver", "local", "--root", "3"], folder, EXAMPLE);
    assert!(local.contains(&example()[3]), "{local:?}");
    assert!(local.iter().all(|line| example().contains(line)), "{local:?}");

    // The paper's counterexample, with names.
    let turns = "d b\nd a\nb d\nb c\nc a\nlabel a win\n\
        owner a first\nowner b first\nowner c second\nowner d second\n";
    let turns = turns.replace("label a win", "label a loss");
    for variant in ["plain", "ordered", "gray"] {
        let arguments = ["graph", "-", "--json", "--solver", "wintree", "--player", "second"];
        let arguments = [&arguments[..], &["--root", "d", "--variant", variant]].concat();
        let visited = lines(&arguments, folder, &turns);
        let root = json!({"vertex": "d", "colour": "black", "won": true, "bound": 1});
        assert!(visited.contains(&root), "{variant}: {visited:?}");
    }
    let spent = ["graph", "-", "--solver", "wintree", "--budget", "1"];
    fails(&spent, folder, &turns, 1, "the budget was spent");
}

#[test]
fn errors_name_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fails(&["graph", "-"], folder, "0 1\n2\n", 2, "line 2: 1 word");
    fails(&["graph", "none.txt"], folder, "", 2, "cannot read 'none.txt'");
    fails(&["graph", "-", "--root", "9", "--solver", "local"], folder, EXAMPLE, 2, "--root '9'");
    fails(&["graph", "-", "--out", "g.xyz"], folder, EXAMPLE, 2, ".csr");
    fails(&["graph", "-"], folder, "parity 1;\n0 1 0 1;\n", 2, "line 2: vertex 1");
    let same = "a b\nowner a first\nowner b first\n";
    fails(&["graph", "-"], folder, same, 2, "`a` → `b`");
    fails(&["graph", "-"], folder, "a b\nowner a first\n", 2, "vertex `b` has no owner");
    let many: String = (0..600).map(|v| format!("{v} {}\n", v + 1)).collect();
    fails(&["graph", "-", "--svg", "g.svg"], folder, &many, 2, "at most 500");
    assert_eq!(lines(&["graph", "-", "--json"], folder, ""), [] as [Value; 0]);
}

#[test]
fn chase_tells_the_outcome_and_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let value = |board: &str| lines(&["chase", "--json"], folder, board).remove(0);
    let caught = value("PT.\n...\n..E\n");
    assert_eq!(caught, json!({"value": "win", "plies": 1, "line": ["P 1,1-1,2"]}));
    let escaped = value("P.TE.\n");
    assert_eq!((&escaped["value"], &escaped["plies"]), (&json!("loss"), &json!(2)));
    assert_eq!(value("P**\n*.*\n**T\n")["value"], "win");
    assert_eq!(value("P*T\n")["value"], "draw");

    fs::write(folder.join("board"), "P.TE.\n").unwrap();
    let output = run(&["chase", "board", "--svg", "board.svg"], folder, "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("The thief escapes in 2 plies\n\nP.TE.\n"), "{text}");
    assert!(fs::read_to_string(folder.join("board.svg")).unwrap().contains("<polyline"));
    fails(&["chase"], folder, "PT\n.x\n", 2, "line 2, column 2: unknown character 'x'");
    fails(&["chase"], folder, "P..\n", 2, "no thief");
}
