//! Holds the arrows between the crates, and what each may take from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crownhead_tests::root;
use serde_json::Value;

/// For each crate the workspace crates it may use, directly or through others (ARCHITECTURE.md).
const ARROWS: [(&str, &[&str]); 12] = [
    ("crownhead-rules", &[]),
    ("crownhead-index", &["rules"]),
    ("crownhead-table", &["index", "rules"]),
    ("crownhead-pack", &["table", "index", "rules"]),
    ("crownhead-graph", &[]),
    ("crownhead-tictactoe", &[]),
    ("crownhead-solver", &["table", "index", "rules"]),
    // Shares no code with what it checks.
    ("crownhead-verify", &["table", "index", "rules"]),
    ("crownhead-gpu", &["solver", "graph", "table", "index", "rules"]),
    ("crownhead-engine", &["rules"]),
    (
        "crownhead",
        &[
            "rules",
            "index",
            "table",
            "pack",
            "graph",
            "tictactoe",
            "solver",
            "verify",
            "gpu",
            "engine",
        ],
    ),
    ("xtask", &[]),
];

/// Crates that run on boards, with all that they may use from outside when built without features.
const OUTSIDE: [(&str, &[&str]); 7] = [
    ("crownhead-rules", &["heapless"]),
    ("crownhead-index", &[]),
    ("crownhead-table", &[]),
    ("crownhead-graph", &["bytemuck", "crc32fast", "hashbrown"]),
    ("crownhead-tictactoe", &[]),
    ("crownhead-engine", &["heapless"]),
    ("xtask", &["anyhow", "object"]),
];

/// A normal dependency of one package on another.
#[derive(Clone, Debug)]
struct Use {
    user: String,
    used: String,
    optional: bool,
}

fn metadata() -> Value {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("cargo metadata is JSON")
}

/// Every normal (not test, not build) dependency that a workspace package states.
fn uses() -> Vec<Use> {
    let mut uses = Vec::new();
    for package in metadata()["packages"].as_array().expect("packages") {
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            if dependency["kind"].is_null() {
                uses.push(Use {
                    user: package["name"].as_str().expect("name").to_owned(),
                    used: dependency["name"].as_str().expect("name").to_owned(),
                    optional: dependency["optional"].as_bool().expect("optional"),
                });
            }
        }
    }
    uses
}

fn is_ours(name: &str) -> bool {
    name.starts_with("crownhead") || name == "xtask"
}

/// Dependencies within the workspace that no arrow allows.
fn wrong_arrows(uses: &[Use]) -> Vec<String> {
    let allowed: BTreeMap<_, _> = ARROWS.into_iter().collect();
    let mut wrong = Vec::new();
    for Use { user, used, .. } in uses.iter().filter(|dependency| is_ours(&dependency.used)) {
        let short = used.strip_prefix("crownhead-").unwrap_or(used);
        // Tests, benches and examples may use everything.
        let free =
            matches!(user.as_str(), "crownhead-tests" | "crownhead-benches" | "crownhead-examples");
        if !free && !allowed.get(user.as_str()).is_some_and(|arrows| arrows.contains(&short)) {
            wrong.push(format!("{user} -> {used}"));
        }
    }
    wrong
}

/// Dependencies from outside that a crate for boards may not have.
fn wrong_outside(uses: &[Use]) -> Vec<String> {
    let allowed: BTreeMap<_, _> = OUTSIDE.into_iter().collect();
    let mut wrong = Vec::new();
    for Use { user, used, optional } in uses {
        let Some(outside) = allowed.get(user.as_str()) else { continue };
        if !is_ours(used) && !optional && !outside.contains(&used.as_str()) {
            wrong.push(format!("{user} -> {used}"));
        }
    }
    wrong
}

#[test]
fn arrows_point_from_user_to_used() {
    assert_eq!(wrong_arrows(&uses()), [""; 0]);
}

#[test]
fn board_crates_use_nothing_else_from_outside() {
    assert_eq!(wrong_outside(&uses()), [""; 0]);
}

/// The negative control: a wrong arrow and a foreign dependency are found.
#[test]
fn a_wrong_dependency_is_found() {
    let planted = |user: &str, used: &str| {
        let mut uses = uses();
        uses.push(Use { user: user.to_owned(), used: used.to_owned(), optional: false });
        uses
    };
    assert_eq!(wrong_arrows(&planted("crownhead-rules", "crownhead-table")).len(), 1);
    assert_eq!(wrong_arrows(&planted("crownhead-graph", "crownhead-rules")).len(), 1);
    assert_eq!(wrong_arrows(&planted("crownhead-engine", "crownhead-tests")).len(), 1);
    assert_eq!(wrong_outside(&planted("crownhead-rules", "rand")).len(), 1);
}

#[test]
fn every_crate_has_its_arrows_listed() {
    let listed: BTreeSet<_> = ARROWS.iter().map(|(name, _)| *name).collect();
    for package in metadata()["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("name");
        if !matches!(name, "crownhead-tests" | "crownhead-benches" | "crownhead-examples") {
            assert!(listed.contains(name), "{name} is not in the list of arrows");
        }
    }
}

/// The first build compiles no GPU code: wgpu is reached through the `gpu` feature only.
#[test]
fn the_default_binary_has_no_gpu_code() {
    let tree = |features: &[&str]| {
        let out = Command::new(env!("CARGO"))
            .args(["tree", "--offline", "--package", "crownhead", "--edges", "normal"])
            .args(features)
            .current_dir(root())
            .output()
            .expect("cargo runs");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("UTF-8")
    };
    assert!(!tree(&[]).contains("wgpu"));
    assert!(tree(&["--features", "gpu"]).contains("wgpu"), "the control finds it");
}
