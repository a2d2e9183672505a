//! The program as a whole: help, completions, manual pages, options anywhere.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod common;

use common::{arg, run};

#[test]
fn help_and_version_are_status_0() {
    for args in [&["--help"][..], &["--version"], &["help", "solve"], &["solve", "--help"]] {
        let ran = run(args);
        assert!(ran.status == 0 && !ran.out.is_empty() && ran.err.is_empty(), "{args:?}: {ran:?}");
    }
    assert_eq!(run(&[]).status, 2);
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(&["completions", shell]);
        assert!(ran.status == 0 && ran.out.contains("crosscheck"), "{shell}");
    }
    assert_eq!(run(&["completions", "cmd"]).status, 2);
}

#[test]
fn every_command_has_a_manual_page() {
    let directory = tempfile::tempdir().unwrap();
    let pages = directory.path().join("man");
    assert_eq!(run(&["man", "--out", arg(&pages)]).status, 0);
    for page in ["crownhead.1", "crownhead-solve.1", "crownhead-probe.1"] {
        assert!(pages.join(page).is_file(), "{page}");
    }
    let file = directory.path().join("file");
    std::fs::write(&file, b"").unwrap();
    assert_eq!(run(&["man", "--out", arg(&file)]).status, 2);
}

#[test]
fn options_stand_anywhere_after_the_command() {
    let first = run(&["plan", "--json", "--pieces", "2"]);
    assert_eq!(first.json().len(), 3);
    assert_eq!(run(&["plan", "--pieces", "2", "--json"]).out, first.out);
    let moves = run(&["moves", "W:WK1:BK32", "--json"]);
    assert_eq!(run(&["moves", "--json", "W:WK1:BK32"]).out, moves.out);
}

#[test]
fn doctor_lists_what_is_here() {
    let ran = run(&["doctor", "--json"]);
    assert_eq!(ran.status, 0);
    let lines = ran.json();
    for item in ["processor", "memory", "disk", "dtw tables", "gpu"] {
        let line = lines.iter().find(|line| line["item"] == item).expect(item);
        assert!(line["ok"].is_boolean() && line["detail"].is_string(), "{line}");
    }
}
