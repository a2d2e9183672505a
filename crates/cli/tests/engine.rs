//! The commands play, analyse, annotate, match and bench, seen from outside.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// Tables to three pieces, with distances.
static TABLES: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let directory = tempfile::tempdir().expect("a directory");
    let built = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args(["solve", "--pieces", "3", "--tables"])
        .arg(directory.path())
        .output()
        .expect("the command starts");
    assert!(built.status.success());
    directory
});

fn run(args: &[&str], input: &str) -> Output {
    run_with(TABLES.path(), args, input)
}

fn run_with(tables: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args(args)
        .env("CROWNHEAD_TABLES", tables)
        .env_remove("LC_ALL")
        .env("LC_CTYPE", "C.UTF-8")
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
    text(output).lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn analysis_deepens_and_has_every_field() {
    let output =
        run(&["analyse", "W:WK26,K27:B21,K25", "--json", "--depth", "14", "--time", "60"], "");
    assert_eq!(output.status.code(), Some(0));
    let records = records(&output);
    let depths: Vec<u64> = records.iter().map(|record| record["depth"].as_u64().unwrap()).collect();
    assert_eq!(depths, (1..=depths.len() as u64).collect::<Vec<_>>());
    let last = records.last().unwrap();
    assert_eq!((last["plies"].as_u64(), last["score"].as_i64()), (Some(11), Some(31_989)));
    for name in ["fen", "nodes", "nps", "table_hits"] {
        assert!(!last[name].is_null(), "{name}");
    }
    assert_eq!(last["table"], "win");
    assert!(last["pv"].as_array().unwrap().len() > 1 && last["table_hits"].as_u64() > Some(0));
}

#[test]
fn analysis_answers_where_tables_reach_and_where_the_game_is_over() {
    let output = run(&["analyse", "W:WK6,K9:BK15"], "");
    assert!(text(&output).starts_with("tables: win\n"), "{}", text(&output));
    assert!(text(&output).contains("win in 27 plies"), "{}", text(&output));
    let drawn = run(&["analyse", "W:WK6:BK15", "--json"], "");
    assert_eq!(records(&drawn)[0]["table"], "draw");
    let over = run(&["analyse", "B:W16,19:B12", "--prove", "--json"], "");
    assert_eq!(over.status.code(), Some(0));
    let records = records(&over);
    assert_eq!(records[0]["pv"], serde_json::json!([]));
    assert_eq!(records.last().unwrap()["proved"], "loss");
    assert_eq!(run(&["analyse", "W:W1"], "").status.code(), Some(2));
    assert_eq!(run(&["analyse", "W:WK1:BK5", "--time", "0"], "").status.code(), Some(2));
}

/// All positions with 2 and 3 pieces, with distances.
const IMAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../table/images/3.img");
/// All positions with 2 to 4 pieces.
const FOUR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../table/images/4.img");

#[test]
fn proof_number_search_reaches_beyond_the_tables() {
    for (fen, value) in [("W:WK26,K27:B21,K25", "win"), ("B:WK26,K27:B21,K25", "loss")] {
        let limits = ["--time", "60", "--depth", "4", "--nodes", "1000000"];
        let args = [&["analyse", fen, "--prove", "--json", "--image", IMAGE][..], &limits].concat();
        let records = records(&run(&args, ""));
        let beyond = Some(&serde_json::Value::Null);
        assert_eq!(records[0].get("table"), beyond, "the image has fewer pieces");
        let record = records.last().expect("a proof");
        assert_eq!(record["proved"], value, "{fen}: {record}");
        assert_eq!(record["method"], "proof-number", "{fen}");
    }
}

/// Positions with a piece more than any table, by each of the ways that prove.
#[test]
fn what_can_follow_is_solved_where_that_is_soon_done() {
    let proved = |fen: &str, more: &[&str]| {
        let image = ["--image", FOUR];
        let args =
            [&["analyse", fen, "--prove", "--json", "--time", "60"][..], &image, more].concat();
        let record = records(&run(&args, "")).pop().expect("a proof");
        (record["proved"].as_str().map(str::to_owned), record["method"].to_string())
    };
    for (fen, value) in [
        ("W:WK4,22,K25:BK1,K32", "win"),
        ("B:W20,21,K29:B9,K14", "loss"),
        ("W:WK9,K27:BK10,K24,K30", "draw"),
    ] {
        let (found, method) = proved(fen, &["--depth", "4"]);
        assert_eq!((found.as_deref(), method.as_str()), (Some(value), "\"retrograde\""), "{fen}");
    }
    let (_, method) = proved("W:WK4,22,K25:BK1,K32", &["--depth", "4", "--nodes", "1000"]);
    assert_eq!(method, "\"proof-number\"", "a number of nodes is for searches");
    let (_, method) =
        proved("W:W30,31,32,21,25,22:B1,2,3,4,8,12", &["--depth", "4", "--nodes", "1000"]);
    assert_eq!(method, "\"proof-number\"");
}

#[test]
fn an_image_does_for_tables_and_one_to_5_pieces_is_in_the_program() {
    let nothing = Path::new("no-such-directory");
    let output = run_with(nothing, &["analyse", "W:WK6,K9:BK15", "--image", IMAGE], "");
    assert!(text(&output).contains("win in 27 plies"), "{}", text(&output));
    let args = ["play", "--side", "none", "--fen", "W:WK6,K9:BK15,K4", "--time", "0.1"];
    let output = run_with(nothing, &args, "");
    assert!(text(&output).contains("tables: a draw"), "{}", text(&output));
    let args = ["analyse", "W:WK26,K27:B21,K25", "--prove", "--depth", "2", "--nodes", "9"];
    let output = run_with(nothing, &args, "");
    assert!(text(&output).contains("proved win by the tables"), "{}", text(&output));
    let five = ["analyse", "W:WK4,22,K25:BK1,K32", "--prove", "--depth", "2", "--nodes", "9"];
    let output = run_with(nothing, &five, "");
    assert!(text(&output).contains("proved win by the tables"), "{}", text(&output));
    let wrong = run(&["analyse", "W:WK6,K9:BK15", "--image", file!()], "");
    assert_ne!(wrong.status.code(), Some(0));
    let missing = run(&["play", "--image", "no-such.img"], "");
    assert_eq!(missing.status.code(), Some(3));
}

#[test]
fn a_game_is_played_through_a_pipe_and_saved() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("game.pdn");
    let typed = "moves\nvalue\n11-15\nundo\nhint\nflip\nbad\n11 - 15\nquit\n";
    let args = ["play", "--time", "0.05", "--pdn", file.to_str().unwrap()];
    let output = run(&args, typed);
    assert_eq!(output.status.code(), Some(0));
    let shown = text(&output);
    for part in
        ["9-13 10-14", "no table knows", "White plays ", "'bad' is no move", "15[●]", "not proved"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains("[Black \"Player\"]") && saved.contains("1. 11-15 2"), "{saved}");
    // A wrong name of a file is no end of the game when typed, and known before it as an option.
    let wrong = format!("{}/no/such/game.pdn", directory.path().display());
    let output = run(&["play", "--time", "0.01"], &format!("save {wrong}\n11-15\nquit\n"));
    let shown = text(&output);
    assert!(shown.contains("cannot write ") && shown.contains("White plays "), "{shown}");
    assert_eq!(output.status.code(), Some(0));
    let output = run(&["play", "--pdn", &wrong], "11-15\n");
    assert_eq!((output.status.code(), text(&output)), (Some(2), ""));
    let ascii = run(&["play", "--ascii", "--time", "0.05"], "");
    assert!(text(&ascii).is_ascii() && ascii.status.code() == Some(0));
}

#[test]
fn more_memory_than_there_is_is_refused() {
    // Where the system does not tell how much it has, or has a lot, it would be taken.
    let told = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let free = free.and_then(|kib| kib.trim().trim_end_matches(" kB").parse::<u64>().ok());
    if free.is_none_or(|kib| kib > 100 << 20) {
        return;
    }
    let output = run(&["analyse", "B:W18,24:B12,20", "--hash", "65536"], "");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("MiB that are free"), "{error}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_won_game_is_won_and_told() {
    let args =
        ["play", "--side", "none", "--fen", "W:WK6,K9:BK15", "--time", "0.2", "--never-lose"];
    let output = run(&args, "");
    let shown = text(&output);
    assert!(shown.contains("tables: White wins in 27 plies"), "{shown}");
    assert!(shown.contains("proved win"), "{shown}");
    assert!(shown.trim_end().ends_with("Black has no move: White wins."), "{shown}");
    assert_eq!(run(&["play", "--json"], "").status.code(), Some(2));
}

const GAME: &str = "[Event \"e\"]\n[FEN \"W:WK6,K9:BK15.\"]\n\n1... 9-13 15-19 2. 6-10 *\n";

#[test]
fn annotation_tells_what_moves_keep_and_sums_up() {
    let output = run(&["annotate", "-"], GAME);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = text(&output);
    assert!(shown.contains("[SetUp \"1\"]") && shown.contains("kept"), "{shown}");
    assert!(shown.contains("White: "), "{shown}");
    // What it writes is PDN again, with the same moves.
    let again = run(&["annotate", "-", "--json"], shown);
    assert_eq!(again.status.code(), Some(0));
    let records = records(&again);
    assert_eq!(records.len(), 4, "three moves and the summary");
    assert_eq!(records[0]["before"], "win");
    assert!(records[3]["white"]["decisions"].is_u64());
}

#[test]
fn annotation_searches_where_no_table_reaches_and_names_what_is_wrong() {
    let file = "1. 11-15 23-18 2. 8-11 1/2-1/2\n\n[Event \"b\"]\n\n1. 11-14 *\n";
    let output = run(&["annotate", "-", "--json", "--nodes", "2000"], file);
    assert_eq!(output.status.code(), Some(2));
    let records = records(&output);
    assert_eq!(records.len(), 5);
    assert!(records[0]["depth"].as_u64() > Some(2) && records[0]["lost"].is_i64());
    assert!(records[1]["lost"].as_i64() < Some(300), "a man is given back: {}", records[1]);
    let error = records[4]["error"].as_str().unwrap();
    assert!(error.contains("line 5, column 4: 11-14 is not legal"), "{error}");
    assert_eq!(run(&["annotate", "no-such.pdn"], "").status.code(), Some(2));
}

#[test]
fn a_match_has_error_bars_and_the_same_games_each_time() {
    let args = ["match", "quiescence", "--openings", "12", "--nodes", "300", "--json"];
    let (first, again) = (run(&args, ""), run(&args, ""));
    assert_eq!(text(&first), text(&again));
    let records = records(&first);
    assert_eq!((records.len(), records[0]["games"].as_u64()), (2, Some(24)));
    assert!(records[0]["score"].as_f64() > Some(0.6), "{}", records[0]);
    assert!(records[1]["moves_without_capture"].as_f64() > Some(3.0));
    assert_eq!(run(&["match", "nothing"], "").status.code(), Some(2));
}

#[test]
fn the_same_depth_takes_more_positions_without_the_transposition_table() {
    let args = ["match", "transpositions", "--depth", "8", "--openings", "24", "--json"];
    let (first, again) = (run(&args, ""), run(&args, ""));
    assert_eq!(text(&first), text(&again));
    let records = records(&first);
    let number = |name: &str| records[0][name].as_f64().expect("a number");
    assert_eq!((records.len(), records[0]["positions"].as_u64()), (1, Some(24)));
    assert!(number("ratio_low") > 1.1, "{}", records[0]);
    assert!(number("ratio_low") < number("ratio") && number("ratio") < number("ratio_high"));
    assert!(number("nodes_without") > number("nodes"), "{}", records[0]);
    assert_eq!(run(&["match", "--depth", "8", "--nodes", "9"], "").status.code(), Some(2));
}

#[test]
fn bench_prints_the_signature() {
    let (first, again) = (run(&["bench", "--json"], ""), run(&["bench"], ""));
    let nodes = records(&first)[0]["nodes"].as_u64().unwrap();
    assert!(text(&again).starts_with(&format!("{nodes} nodes, ")), "{}", text(&again));
}
