//! Tests of the repository itself.

use std::fs;
use std::path::Path;

use crownhead_tests::{repository_files, root};

/// One file's complaints, for the text that stands in it.
type Rule = fn(path: &str, text: &str) -> Vec<String>;

const RULES: [Rule; 5] =
    [short_files, clean_lines, no_machine_paths, unsafe_where_allowed, no_stubs];

fn extension(path: &str) -> &str {
    Path::new(path).extension().and_then(|ext| ext.to_str()).unwrap_or("")
}

fn is_code(path: &str) -> bool {
    matches!(extension(path), "rs" | "wgsl" | "py" | "c" | "h")
}

/// Complains of each line that the test finds at fault.
fn lines_that(text: &str, what: &str, fault: impl Fn(&str) -> bool) -> Vec<String> {
    let lines = text.lines().enumerate().filter(|(_, line)| fault(line));
    lines.map(|(i, line)| format!("line {}: {what}: {}", i + 1, line.trim())).collect()
}

/// A file holds one subject and can be read in one sitting.
fn short_files(path: &str, text: &str) -> Vec<String> {
    const MOST: usize = 520;
    let lines = text.lines().count();
    if is_code(path) && lines > MOST {
        return vec![format!("{lines} lines, more than {MOST}: split it")];
    }
    Vec::new()
}

fn clean_lines(path: &str, text: &str) -> Vec<String> {
    if !(is_code(path) || matches!(extension(path), "md" | "toml")) {
        return Vec::new();
    }
    let mut found = lines_that(text, "white space at the end", |line| line.ends_with([' ', '\t']));
    if extension(path) != "md" {
        found.extend(lines_that(text, "a tab", |line| line.contains('\t')));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        found.push("no newline at the end".to_owned());
    }
    found
}

/// Nothing names a directory that only one machine has.
fn no_machine_paths(_path: &str, text: &str) -> Vec<String> {
    let forbidden = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];
    lines_that(text, "a machine's own path", |line| forbidden.iter().any(|dir| line.contains(dir)))
}

/// Crates that promise to contain no unsafe code forbid it.
fn unsafe_where_allowed(path: &str, text: &str) -> Vec<String> {
    const SAFE: [&str; 5] = ["rules", "index", "graph", "tictactoe", "engine"];
    let is_root_of = |name: &str| path == format!("crates/{name}/src/lib.rs");
    if SAFE.iter().any(|name| is_root_of(name)) && !text.contains("#![forbid(unsafe_code)]") {
        return vec!["#![forbid(unsafe_code)] is missing".to_owned()];
    }
    Vec::new()
}

fn no_stubs(path: &str, text: &str) -> Vec<String> {
    let marks =
        [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("to", "do!(")];
    if !is_code(path) {
        return Vec::new();
    }
    lines_that(text, "unfinished work", |line| marks.iter().any(|mark| line.contains(mark)))
}

#[test]
fn every_file_keeps_the_rules() {
    let mut complaints = Vec::new();
    let files = repository_files();
    assert!(files.len() > 40, "only {} files found", files.len());
    for file in files {
        let path = file.to_str().expect("file names are UTF-8").replace('\\', "/");
        let Ok(text) = fs::read_to_string(root().join(&file)) else { continue };
        for rule in RULES {
            complaints.extend(rule(&path, &text).into_iter().map(|what| format!("{path}: {what}")));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// The negative control: each rule finds what it is there for.
#[test]
fn each_rule_finds_its_fault() {
    let long = "line\n".repeat(600);
    let faults: [(Rule, &str, &str); 7] = [
        (short_files, "crates/x/src/lib.rs", &long),
        (clean_lines, "README.md", "trailing \n"),
        (clean_lines, "crates/x/src/lib.rs", "\ttab\n"),
        (clean_lines, "crates/x/src/lib.rs", "no newline"),
        (no_machine_paths, "README.md", concat!("see /wo", "rk/main\n")),
        (unsafe_where_allowed, "crates/rules/src/lib.rs", "#![no_std]\n"),
        (no_stubs, "crates/x/src/lib.rs", concat!("// TO", "DO: later\n")),
    ];
    for (rule, path, text) in faults {
        assert!(!rule(path, text).is_empty(), "{path}: {text:.40}");
        assert!(rule("crates/rules/src/lib.rs", "#![forbid(unsafe_code)]\n").is_empty());
    }
}

#[test]
fn the_root_shows_what_is_required() {
    let required = "Cargo.toml crates shaders xtask benches tests README.md ARCHITECTURE.md \
                    CHANGELOG.md LICENSE-MIT LICENSE-APACHE .ci/run";
    for name in required.split_whitespace() {
        assert!(root().join(name).exists(), "{name} is missing");
    }
}

#[test]
fn every_crate_states_what_publishing_needs_and_takes_the_workspace_lints() {
    for manifest in repository_files().iter().filter(|file| file.ends_with("Cargo.toml")) {
        let path = manifest.to_str().expect("file names are UTF-8");
        // Firmware and fuzz targets are workspaces of their own, with needs of their own; examples
        // print.
        let apart = ["crates/firmware", "tests/fuzz", "xtask/fixtures", "examples"]
            .iter()
            .any(|dir| path.starts_with(dir));
        if path == "Cargo.toml" || apart {
            continue;
        }
        let text = fs::read_to_string(root().join(manifest)).expect("manifest reads");
        for line in ["description = ", "license.workspace = true", "[lints]\nworkspace = true"] {
            assert!(text.contains(line), "{path}: no '{line}'");
        }
    }
}

#[test]
fn the_architecture_page_has_a_place_for_every_crate() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page reads");
    for manifest in repository_files() {
        let Some(path) = manifest.strip_prefix("crates").ok().and_then(|rest| rest.to_str()) else {
            continue;
        };
        if let Some(name) = path.strip_suffix("/Cargo.toml").filter(|name| !name.contains('/')) {
            assert!(page.contains(&format!("### crates/{name}")), "no heading for crates/{name}");
        }
    }
}

/// The value of a line `key = "value"` or `key: value`.
fn stated<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(rest.trim_start_matches([' ', '=', ':']).trim_matches('"'))
}

#[test]
fn versions_agree_wherever_they_are_stated() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file reads");
    let root = read("Cargo.toml");
    let (version, rust) = (stated(&root, "version"), stated(&root, "rust-version"));
    assert!(version.is_some() && rust.is_some());
    for path in ["crates/firmware/Cargo.toml", "crates/firmware/capi/Cargo.toml"] {
        let manifest = read(path);
        assert_eq!(stated(&manifest, "version"), version, "{path}");
        assert_eq!(stated(&manifest, "rust-version"), rust, "{path}");
    }
    assert_eq!(stated(&read("CITATION.cff"), "version"), version);
    let readme = read("README.md");
    assert!(readme.contains(&format!("{} or newer", rust.expect("stated"))), "README.md: Rust");
    // The control.
    assert_ne!(stated(&root.replace("1.95", "1.96"), "rust-version"), rust);
}
