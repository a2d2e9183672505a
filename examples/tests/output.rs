//! Runs each example and compares what it prints with what its comment says.

use std::path::Path;
use std::process::Command;

/// Names and programs of the examples that are built.
const EXAMPLES: &[(&str, &str)] = &[
    ("probe_fen", env!("CARGO_BIN_EXE_probe_fen")),
    ("best_moves", env!("CARGO_BIN_EXE_best_moves")),
    ("embedded", env!("CARGO_BIN_EXE_embedded")),
    ("table_location", env!("CARGO_BIN_EXE_table_location")),
    ("read_at", env!("CARGO_BIN_EXE_read_at")),
    ("solve_material", env!("CARGO_BIN_EXE_solve_material")),
    ("solve_graph", env!("CARGO_BIN_EXE_solve_graph")),
    ("tictactoe", env!("CARGO_BIN_EXE_tictactoe")),
    #[cfg(feature = "gpu")]
    ("gpu", env!("CARGO_BIN_EXE_gpu")),
];

fn source(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/bin/{name}.rs"));
    std::fs::read_to_string(path).unwrap()
}

/// The lines that an example says it prints.
fn expected(source: &str) -> String {
    let lines = source.lines().filter_map(|line| line.strip_prefix("//! > "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn every_example_prints_what_it_says() {
    for &(name, program) in EXAMPLES {
        let out = Command::new(program).output().unwrap();
        let errors = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{name}: {errors}");
        let expected = expected(&source(name));
        assert!(!expected.is_empty(), "{name} says what it prints");
        assert_eq!(String::from_utf8_lossy(&out.stdout), expected, "{name}");
    }
}

#[test]
fn the_index_lists_every_example_and_each_is_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for entry in std::fs::read_dir(folder.join("src/bin")).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let name = file.strip_suffix(".rs").unwrap();
        assert!(readme.contains(&format!("src/bin/{file}")), "{file} is not in README.md");
        let run = EXAMPLES.iter().any(|(example, _)| *example == name);
        assert!(run || name == "gpu", "{file} is not run");
    }
    let task_lines = readme.lines().filter(|line| line.starts_with("| ")).count();
    assert_eq!(task_lines, 1 + 10 + 1, "the heading, ten tasks, and clusters");
}
