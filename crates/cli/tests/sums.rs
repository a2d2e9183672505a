//! The SHA-256 of every plain table that is on record (tests/data/sha256-plain.txt).

#[allow(dead_code, reason = "each file of tests uses a part")]
mod common;

use std::fs;
use std::path::Path;

use common::{arg, run};

/// Builds tables and compares all of them with the list.
fn compare(builds: &[[&str; 4]]) {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/sha256-plain.txt");
    let text = fs::read_to_string(&list).unwrap();
    let directory = tempfile::tempdir().unwrap();
    for build in builds {
        let solved = run(&[&["solve", "--tables", arg(directory.path())][..], build].concat());
        assert_eq!(solved.status, 0, "{solved:?}");
    }
    let names = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut tables = 0;
    for name in names.map(|name| name.to_string_lossy().into_owned()) {
        if !name.starts_with('.') && name != "manifest.tsv" {
            assert!(text.contains(&format!("  {name}\n")), "{name} is not listed");
            tables += 1;
        }
    }
    assert!(tables > 40, "{tables}");
    let verify = ["verify", "--quick", "--against", arg(&list), "--tables", arg(directory.path())];
    let verified = run(&verify);
    assert_eq!(verified.status, 0, "{verified:?}");
}

#[test]
fn tables_to_4_pieces_have_the_sums_on_record() {
    compare(&[["--pieces", "4", "--metric", "wld"], ["--pieces", "4", "--metric", "dtc"]]);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn distances_to_4_pieces_have_the_sums_on_record() {
    compare(&[["--pieces", "4", "--metric", "dtw"], ["--pieces", "4", "--metric", "wld"]]);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn tables_to_6_pieces_have_the_sums_on_record() {
    compare(&[["--pieces", "6", "--metric", "wld"], ["--pieces", "5", "--metric", "dtc"]]);
    compare(&[["--pieces", "5", "--metric", "dtw"], ["--pieces", "6", "--metric", "dtc"]]);
}
