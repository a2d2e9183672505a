//! Large materials in tasks: `solve --levels`, `plan --node-memory`, `plan --format totals`.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod common;

use std::fs;
use std::path::Path;

use common::{arg, keys, run};

#[test]
fn tasks_by_hand_give_the_same_table() {
    let directory = tempfile::tempdir().unwrap();
    let (tables, work) = (directory.path().join("tables"), directory.path().join("work"));
    let plain = directory.path().join("plain");
    let solve = |more: &[&str]| {
        let places = ["--working", arg(&work), "--tables", arg(&tables), "--json"];
        run(&[&["solve"], more, &places[..]].concat())
    };
    let early = solve(&["--only", "KKvKM", "--levels", "0..3"]);
    assert_eq!((early.status, early.out.as_str()), (3, ""), "its parts are missing: {early:?}");
    assert_eq!(solve(&["--pieces", "3"]).status, 0);
    assert_eq!(solve(&["--material", "KKvKK"]).status, 0);
    let late = solve(&["--only", "KKvKM", "--levels", "3..4"]);
    assert!(late.status == 3 && late.err.contains("level 2"), "{late:?}");
    let lines = solve(&["--only", "KKvKM", "--levels", "0..3"]).json();
    assert_eq!(keys(&lines[0]), ["backend", "levels", "material", "seconds", "share"]);
    for share in ["1/2", "2/2"] {
        assert_eq!(solve(&["--only", "KKvKM", "--levels", "3..4", "--share", share]).status, 0);
    }
    // Joins four levels and goes on.
    assert_eq!(solve(&["--only", "KKvKM"]).status, 0);
    let all = ["solve", "--material", "KKvKM", "--metric", "wld", "--tables", arg(&plain)];
    assert_eq!(run(&all).status, 0);
    let read = |directory: &Path| fs::read(directory.join("KKvKM.wld")).unwrap();
    assert!(read(&tables) == read(&plain));
}

#[test]
fn tasks_that_make_no_sense_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let work = arg(directory.path());
    for (args, says) in [
        (&["solve", "--levels", "0..3", "--working", work][..], "--only"),
        (&["solve", "--only", "KKvKM", "--levels", "0..3"], "--working"),
        (&["solve", "--only", "KKvKM", "--levels", "3..3", "--working", work], "A..B"),
        (
            &["solve", "--only", "KKvKM", "--levels", "0..3", "--share", "3/2", "--working", work],
            "I/N",
        ),
        (&["solve", "--pieces", "3", "--metric", "dtw", "--working", work], "wld"),
        (&["solve", "--pieces", "3", "--reference", "--working", work], "wld"),
        (&["plan", "--metric", "dtw", "--node-memory", "1GiB"], "wld"),
    ] {
        let ran = run(args);
        assert!(ran.status == 2 && ran.err.contains(says), "{args:?}: {ran:?}");
    }
}

#[test]
fn plans_divide_what_does_not_fit() {
    let lines = run(&["plan", "--pieces", "8", "--node-memory", "24GiB", "--json"]).json();
    let mut divided = 0;
    for line in &lines {
        let tasks = line["tasks"].as_array().unwrap();
        divided += usize::from(tasks.len() > 1);
        for task in tasks {
            assert!(task["memory_bytes"].as_u64().unwrap() <= 24 << 30, "{line}");
        }
    }
    assert!(divided > 0, "the largest materials of 8 pieces take more than 24 GiB");
    let workflow =
        run(&["plan", "--pieces", "8", "--node-memory", "24GiB", "--format", "snakemake"]).out;
    assert!(workflow.contains("--levels 0.."), "{workflow:.300}");
}

/// The page about large tables shows what the command prints.
#[test]
fn the_page_shows_what_the_command_prints() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cluster/README.md");
    let Ok(page) = fs::read_to_string(page) else { return };
    let said = run(&["plan", "--pieces", "10", "--format", "totals"]).out;
    assert!(page.contains(said.trim_end()), "examples/cluster/README.md shows other than:\n{said}");
}
