//! `solve` and the commands that read tables, as processes: output, statuses, bad input.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod common;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::OnceLock;

use common::{arg, crownhead, keys, run, run_with_input};
use serde_json::{Value, json};

/// A directory with all tables to 3 pieces, distances to the end, shared by the tests.
fn three_pieces() -> &'static Path {
    static TABLES: OnceLock<tempfile::TempDir> = OnceLock::new();
    TABLES
        .get_or_init(|| {
            let directory = tempfile::tempdir().unwrap();
            let built = run(&["solve", "--pieces", "3", "--tables", arg(directory.path())]);
            assert_eq!(built.status, 0, "{built:?}");
            directory
        })
        .path()
}

/// A copy that a test may change.
fn copy() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(three_pieces()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, directory.path().join(path.file_name().unwrap())).unwrap();
    }
    directory
}

#[test]
fn solve_prints_a_line_a_material_and_a_total() {
    let directory = tempfile::tempdir().unwrap();
    let args =
        ["solve", "--pieces", "3", "--reference", "--tables", arg(directory.path()), "--json"];
    let lines = run(&args).json();
    assert_eq!(lines.len(), 10);
    let mut positions = 0;
    for line in &lines[..9] {
        assert_eq!(keys(line), ["backend", "bytes", "material", "positions", "seconds"]);
        assert_eq!(line["backend"], "reference");
        let path = directory.path().join(format!("{}.dtw", line["material"].as_str().unwrap()));
        assert_eq!(line["bytes"], fs::metadata(path).unwrap().len());
        positions += line["positions"].as_u64().unwrap();
    }
    let total = &lines[9];
    let names =
        ["adapter", "backend", "positions_per_second", "seconds", "total_bytes", "total_positions"];
    assert_eq!(keys(total), names);
    assert_eq!((&total["total_positions"], &total["adapter"]), (&json!(positions), &Value::Null));
    let again = run(&args).json();
    assert_eq!(again.len(), 1, "nothing is built twice");
    assert_eq!(again[0]["total_positions"], positions);
}

#[test]
fn solve_goes_on_from_working_files() {
    let directory = tempfile::tempdir().unwrap();
    let [tables, words, straight] =
        ["tables", "words", "straight"].map(|name| directory.path().join(name));
    let args = ["solve", "--pieces", "3", "--metric", "wld", "--threads", "2"];
    let built = run(&[&args[..], &["--tables", arg(&straight)]].concat());
    assert_eq!(built.status, 0, "{built:?}");
    let with_words = [&args[..], &["--tables", arg(&tables), "--working", arg(&words)]].concat();
    let read = |directory: &Path| fs::read(directory.join("KMvM.wld")).unwrap();
    // The second time the words are there, the tables are not. The third time it is the other way
    // round, and one table is missing.
    for lost in [&tables, &words, &tables] {
        let built = run(&with_words);
        assert_eq!(built.status, 0, "{built:?}");
        assert!(read(&tables) == read(&straight));
        fs::remove_dir_all(lost).unwrap();
        let _ = fs::remove_file(tables.join("MMvM.wld"));
    }
    let refused = run(&["solve", "--pieces", "3", "--metric", "dtw", "--working", arg(&words)]);
    assert_eq!(refused.status, 2, "{refused:?}");
}

#[test]
fn solve_ends_with_a_summary_for_people() {
    let directory = copy();
    let ran = run(&["solve", "--pieces", "3", "--tables", arg(directory.path())]);
    for part in ["materials", "wins", "draws", "losses", "61 plies", "probe"] {
        assert!(ran.out.contains(part), "{part} in {}", ran.out);
    }
    assert_eq!(ran.err, "", "nothing to build, nothing to say");
}

#[test]
fn a_dry_run_changes_nothing() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("tables");
    let ran = run(&["solve", "--pieces", "4", "--dry-run", "--tables", arg(&directory)]);
    assert_eq!(ran.status, 0);
    assert!(ran.out.contains("6,408,836 positions"), "{}", ran.out);
    assert!(!directory.exists());
}

#[test]
fn impossible_requests_name_what_is_right() {
    let directory = tempfile::tempdir().unwrap();
    let tables = ["--tables", arg(directory.path())];
    let file = directory.path().join("file");
    fs::write(&file, b"").unwrap();
    let cases: [(&[&str], i32, &str); 10] = [
        (&["solve", "--pieces", "1"], 2, "2..=24"),
        (&["solve", "--pieces", "x"], 2, "--pieces"),
        (&["solve", "--material", "KXvK"], 2, "KKMvKM"),
        (&["solve", "--material", "MKvK"], 2, "kings come before men"),
        (&["solve", "--metric", "dtm"], 2, "wld, dtc or dtw"),
        (&["solve", "--memory", "lots"], 2, "512M"),
        (&["solve", "--cpu", "--reference"], 2, "cannot be used with"),
        (&["solve", "--pieces", "3", "--memory", "1000"], 3, "--memory"),
        (&["solve", "--only", "KMvK"], 3, "KvK"),
        (&["no-such-command"], 2, "no-such-command"),
    ];
    for (args, status, part) in cases {
        let ran = run(&[args, if args[0] == "solve" { &tables } else { &[] }].concat());
        assert_eq!(ran.status, status, "{args:?}: {ran:?}");
        assert!(ran.err.contains(part) && ran.out.is_empty(), "{args:?}: {ran:?}");
    }
    let ran = run(&["solve", "--pieces", "2", "--tables", arg(&file)]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.err.contains("file"), "{ran:?}");
}

#[test]
fn probe_answers_in_full() {
    let args = ["probe", "--json", "W:WK19:B5,K8", "--tables", arg(three_pieces())];
    let line = &run(&args).json()[0];
    assert_eq!(
        keys(line),
        ["best", "fen", "metric", "moves", "plies", "rule40", "value"],
        "{line}"
    );
    assert_eq!((&line["value"], &line["metric"]), (&json!("loss"), &json!("dtw")));
    let moves = line["moves"].as_array().unwrap();
    assert!(!moves.is_empty());
    assert_eq!(line["best"], moves[0]["move"]);
    assert_eq!(line["plies"], moves[0]["plies"], "the longest loss first");
    for m in moves {
        assert_eq!((keys(m), &m["value"]), (vec!["move", "plies", "value"], &json!("loss")));
    }
    // No legal move: status 0, a loss in 0 plies. A side without pieces: the same.
    for fen in ["W:W:B5", "B:WK10:B"] {
        let ran = run(&["probe", "--json", fen, "--tables", arg(three_pieces())]);
        let line = &ran.json()[0];
        assert_eq!((ran.status, &line["value"], &line["plies"]), (0, &json!("loss"), &json!(0)));
        assert_eq!((&line["best"], &line["moves"]), (&Value::Null, &json!([])));
    }
}

#[test]
fn probe_draws_the_board_and_groups_the_moves() {
    let ran = run(&["probe", "W:WK6,K9:BK15", "--tables", arg(three_pieces())]);
    assert_eq!(ran.status, 0);
    for part in ["W:WK6,K9:BK15", "win in 27 plies", "keep the win", "29 30 31 32"] {
        assert!(ran.out.contains(part), "{part} in {}", ran.out);
    }
}

#[test]
fn probe_answers_every_line_of_input() {
    let input = "W:WK18:BK29\n\nnonsense\nB:WK1,K2:BK29,K30\n[FEN \"W:W5:BK32.\"]\n";
    let args = ["probe", "--json", "--tables", arg(three_pieces())];
    let ran = run_with_input(&args, input.as_bytes());
    let lines = ran.json();
    assert_eq!((lines.len(), ran.status), (4, 3), "the largest status wins");
    assert!(lines[0]["value"].is_string() && lines[3]["fen"] == "W:W5:BK32", "{lines:?}");
    assert_eq!((keys(&lines[1]), &lines[1]["fen"]), (vec!["error", "fen"], &json!("nonsense")));
    let missing = lines[2]["error"].as_str().unwrap();
    assert!(missing.contains("KKvKK") && missing.contains("solve"), "{missing}");
    let bytes = run_with_input(&args, b"\xff\xfe\n");
    assert_eq!((bytes.status, bytes.json().len()), (2, 1), "any bytes are answered");
    let people = run_with_input(&["probe", "--tables", arg(three_pieces())], input.as_bytes());
    assert_eq!((people.out.lines().count(), people.status), (4, 3));
}

#[test]
fn stats_counts_by_side_to_move() {
    let lines = run(&["stats", "--json", "--tables", arg(three_pieces())]).json();
    let names: Vec<&str> = lines.iter().map(|line| line["material"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 2 + 2 + 6 * 2, "colour-symmetric materials once");
    assert!(names.contains(&"KMvK") && names.contains(&"KvKM"));
    let line = lines.iter().find(|line| line["material"] == "MvK").unwrap();
    let numbers = ["positions", "wins", "losses", "draws", "longest_win", "longest_loss"];
    assert_eq!(numbers.map(|name| line[name].as_u64().unwrap()), [868, 53, 241, 574, 11, 12]);
    assert!(line["longest_win_fen"].as_str().unwrap().starts_with("W:W"), "{line}");
    let one = run(&["stats", "--json", "--material", "MvK", "--tables", arg(three_pieces())]);
    assert_eq!((one.json().len(), &one.json()[0]), (1, line));
    let none = run(&["stats", "--metric", "dtc", "--tables", arg(three_pieces())]);
    assert_eq!(none.status, 3, "{none:?}");
}

#[test]
fn verify_finds_damage_and_solve_repairs_it() {
    let directory = copy();
    let tables = ["--tables", arg(directory.path())];
    let verify = |more: &[&str]| run(&[&["verify", "--json"][..], more, &tables].concat());
    let right = verify(&[]);
    assert_eq!((right.status, right.json().len()), (0, 9));
    assert_eq!(keys(&right.json()[0]), ["error", "material", "ok", "positions_checked"]);
    let path = directory.path().join("KMvM.dtw");
    let mut bytes = fs::read(&path).unwrap();
    bytes[4000] ^= 1;
    fs::write(&path, bytes).unwrap();
    fs::remove_file(directory.path().join("KvK.dtw")).unwrap();
    for more in [&[][..], &["--quick"]] {
        let ran = verify(more);
        assert_eq!(ran.status, 1);
        let lines = ran.json();
        let wrong: Vec<&str> = lines
            .iter()
            .filter(|line| line["ok"] == false)
            .map(|line| line["material"].as_str().unwrap())
            .collect();
        assert!(wrong.contains(&"KMvM") && wrong.contains(&"KvK"), "{lines:?}");
    }
    // Every other reader refuses the damaged file by name.
    let probe = run(&[&["probe", "B:W29:BK1,2"][..], &tables].concat());
    assert_eq!(probe.status, 2, "{probe:?}");
    assert!(probe.err.contains("KMvM.dtw") && probe.err.contains("damaged"), "{probe:?}");
    let solved = run(&[&["solve", "--pieces", "3"][..], &tables].concat());
    assert!(solved.err.contains("KMvM.dtw"), "{solved:?}");
    assert_eq!(verify(&[]).status, 0);
}

#[test]
fn verify_compares_with_a_list_of_sums() {
    let directory = copy();
    let list = directory.path().join("sums");
    let wrong = "0".repeat(64);
    fs::write(&list, format!("{wrong}  KvK.dtw\n")).unwrap();
    let args = ["verify", "--quick", "--against", arg(&list), "--tables", arg(directory.path())];
    let ran = run(&args);
    assert_eq!(ran.status, 1);
    let sum = ran.out.split("SHA-256 is ").nth(1).and_then(|rest| rest.get(..64)).unwrap();
    fs::write(&list, format!("{sum}  KvK.dtw\n")).unwrap();
    assert_eq!(run(&args).status, 0);
    fs::write(&list, "no sum\n").unwrap();
    let ran = run(&args);
    assert!(ran.status == 2 && ran.err.contains("line 1"), "{ran:?}");
}

#[test]
fn missing_tables_are_status_3() {
    let empty = tempfile::tempdir().unwrap();
    for command in [&["stats"][..], &["verify"], &["probe", "W:WK1:BK32"]] {
        let ran = run(&[command, &["--tables", arg(empty.path())]].concat());
        assert_eq!(ran.status, 3, "{command:?}: {ran:?}");
        assert!(ran.err.contains("solve"), "{command:?}: {ran:?}");
    }
}

#[test]
fn plans_come_in_four_forms() {
    let lines = run(&["plan", "--json"]).json();
    let names = ["material", "memory_bytes", "needs", "positions", "working_bytes"];
    assert_eq!(keys(&lines[0]), names);
    let positions: u64 = lines.iter().map(|line| line["positions"].as_u64().unwrap()).sum();
    assert_eq!((lines.len(), positions), (23, 6_408_836));
    let mut done: Vec<&Value> = Vec::new();
    for line in &lines {
        assert!(line["needs"].as_array().unwrap().iter().all(|part| done.contains(&part)));
        done.push(&line["material"]);
    }
    assert_eq!(run(&["plan", "--format", "json"]).json(), lines);
    let text = run(&["plan", "--pieces", "3"]).out;
    assert!(text.contains("KKvK") && text.contains("9 materials"), "{text}");
    let dot = run(&["plan", "--pieces", "3", "--format", "dot"]).out;
    assert!(dot.starts_with("digraph") && dot.contains("KKvK -> KvK;"), "{dot}");
    let workflow = run(&["plan", "--pieces", "3", "--format", "snakemake"]).out;
    assert!(
        workflow.contains("rule KKvK:") && workflow.contains("solve --only KKvK"),
        "{workflow}"
    );
}

#[test]
fn backends_agree() {
    let ran = run(&["crosscheck", "--pieces", "3", "--no-gpu", "--json"]);
    let lines = ran.json();
    assert_eq!((ran.status, lines.len()), (0, 9));
    for line in lines {
        assert_eq!(keys(&line), ["backends", "equal", "first_difference", "material"]);
        assert_eq!(line["backends"], json!(["reference", "cpu"]));
        assert_eq!((&line["equal"], &line["first_difference"]), (&json!(true), &Value::Null));
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = crownhead(&["plan", "--pieces", "8"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn a_killed_build_keeps_what_is_finished() {
    let directory = tempfile::tempdir().unwrap();
    let args = ["solve", "--material", "KMvKM", "--tables", arg(directory.path()), "--json"];
    let finished = |directory: &Path| -> usize {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        entries.filter(|e| e.path().extension().is_some_and(|ending| ending == "dtw")).count()
    };
    let mut child = crownhead(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while finished(directory.path()) == 0 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let there = finished(directory.path());
    assert!(there > 0);
    let ran = run(&args);
    assert_eq!(ran.status, 0, "{ran:?}");
    let all = finished(directory.path());
    assert_eq!(ran.json().len() - 1, all - there, "only what was missing is built");
    assert_eq!(run(&["verify", "--tables", arg(directory.path())]).status, 0);
}
