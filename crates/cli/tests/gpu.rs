//! Commands that use a GPU, on whatever adapter there is.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{arg, crownhead, run};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The SHA-256 of every table in a directory, by name.
fn sums(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let paths = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "wld"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, Sha256::digest(std::fs::read(&path).unwrap()).to_vec())
        })
        .collect()
}

fn solve(arguments: &[&str]) -> (BTreeMap<String, Vec<u8>>, String) {
    let directory = tempfile::tempdir().unwrap();
    let tables = ["solve", "--pieces", "3", "--metric", "wld", "--tables", arg(directory.path())];
    let ran = run(&[&tables, arguments].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    (sums(directory.path()), ran.err)
}

#[test]
fn gpu_tables_equal_those_of_the_cpu() {
    let (right, _) = solve(&["--cpu"]);
    assert_eq!(right.len(), 9);
    let (found, told) = solve(&["--gpu"]);
    assert!(found == right, "files differ");
    assert!(told.contains("using adapter 0 "), "{told}");
    assert!(told.contains("pipelines ready in "), "{told}");
    // What everything to 3 pieces takes is more.
    let (found, told) = solve(&["--gpu", "--memory", "60KiB"]);
    assert!(found == right, "files differ");
    assert!(told.contains("at most 60 KiB"), "{told}");
}

#[test]
fn a_gpu_build_that_cannot_fit_is_refused_before_it_starts() {
    let ran =
        run(&["solve", "--pieces", "3", "--gpu", "--no-tables", "--memory", "8KiB", "--json"]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("KKvK is too large"), "{}", ran.err);
}

#[test]
fn gpu_and_processor_agree_in_every_phase() {
    for phase in ["classify", "men", "sweep", "finish"] {
        let ran = run(&["crosscheck", "--pieces", "3", "--until", phase, "--json"]);
        let lines = ran.json();
        assert_eq!((ran.status, lines.len()), (0, 9), "{}", ran.err);
        for line in lines {
            assert_eq!(line["backends"], json!(["reference", "cpu", "gpu"]));
            assert_eq!((&line["equal"], &line["first_difference"]), (&json!(true), &Value::Null));
        }
    }
}

#[test]
fn a_graph_has_the_same_solution_on_the_gpu() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("graph.txt");
    let edge = |i: u32| format!("{} {}\n", i * 7 % 97, (i * i + 3) % 101);
    std::fs::write(&file, (0..300).map(edge).collect::<String>()).unwrap();
    let solved = |more: &[&str]| {
        let ran = run(&[&["graph", arg(&file), "--json"], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.json()
    };
    assert_eq!(solved(&["--gpu"]), solved(&[]));
}

/// Every command that needs a GPU says in two lines what is missing and how to get it.
#[test]
#[cfg(target_os = "linux")]
fn without_a_driver_the_way_to_one_is_shown() {
    for arguments in [&["solve", "--gpu", "--no-tables"][..], &["crosscheck"], &["gpu-report"]] {
        let output = crownhead(arguments)
            .env("VK_ICD_FILENAMES", "/nonexistent")
            .env("VK_DRIVER_FILES", "/nonexistent")
            .output()
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0), "{err}");
        assert_eq!(err.lines().count(), 2, "{err}");
        assert!(err.contains("no GPU adapter") && err.contains("cargo xtask setup gpu"), "{err}");
    }
}

#[test]
fn adapters_are_chosen_by_name() {
    let ran = run(&["solve", "--gpu", "--no-tables", "--adapter", "no such adapter"]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("no adapter matches"), "{}", ran.err);
}

/// JSON and Markdown say what was compared and solved, or that there was no time for it.
#[test]
fn a_report_is_written_whatever_the_time() {
    for (minutes, compared, solved) in [("5", 3, 1), ("0", 0, 0)] {
        let directory = tempfile::tempdir().unwrap();
        let sizes = ["gpu-report", "--pieces", "2", "--crosscheck", "2", "--minutes", minutes];
        let ran = run(&[&sizes[..], &["--json", "--out", arg(directory.path())]].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
        let report: Value = serde_json::from_str(&read("gpu-report.json")).unwrap();
        assert_eq!(ran.json(), std::slice::from_ref(&report));
        let found = &report["crosscheck"];
        assert_eq!((&found["materials"], &found["compared"]), (&json!(3), &json!(compared)));
        let solves = report["solves"].as_array().unwrap();
        assert_eq!(solves.len(), solved);
        for solve in solves {
            assert_eq!((&solve["positions"], &solve["equal"]), (&json!(3488), &json!(true)));
            let kernels = solve["kernels"].as_array().unwrap().iter();
            let ran: Vec<_> = kernels.map(|kernel| kernel["name"].as_str().unwrap()).collect();
            let all = ["fill", "classify", "men", "solve", "verify", "finish", "audit"];
            assert_eq!(ran, all, "components of two pieces are too small to be swept");
        }
        let verdict = if solved > 0 { "all equal bit for bit" } else { "the time was over" };
        let text = read("gpu-report.md");
        assert!(text.contains(verdict) && text.contains("pipelines ready in "), "{text}");
    }
}
