//! Builds that are killed with -9 inside each of their stages lose nothing: they go on from what is
//! finished, build nothing twice, and give the bytes of a build that was left alone.
#![cfg(unix)]

#[allow(dead_code, reason = "each file of tests uses a part")]
mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Output;

use common::{arg, crownhead, files};
use serde_json::Value;

const STAGES: [&str; 7] = ["classify", "men", "sweep", "finish", "write", "rename", "manifest"];

/// What is built: 9 materials, by each backend that this program has without a GPU.
const BUILDS: [[&str; 3]; 4] = [
    ["--cpu", "--metric", "wld"],
    ["--cpu", "--metric", "dtc"],
    ["--cpu", "--metric", "dtw"],
    ["--reference", "--metric", "dtw"],
];

fn solve(directory: &Path, build: [&str; 3], kill_at: Option<String>) -> Output {
    let mut command = crownhead(&["solve", "--pieces", "3", "--threads", "2", "--json"]);
    command.args(build).args(["--tables", arg(directory)]);
    if let Some(kill_at) = kill_at {
        command.env("CROWNHEAD_KILL_AT", kill_at);
    }
    command.output().unwrap()
}

/// The materials that a run says it has built; the last line of a run that ended is the total.
fn built(output: &Output) -> BTreeSet<String> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|line| Some(line["material"].as_str()?.to_owned())).collect()
}

/// The tables among the files, by material.
fn finished(files: &BTreeMap<String, Vec<u8>>) -> BTreeSet<String> {
    let tables = files.keys().filter_map(|name| name.split_once('.'));
    tables
        .filter(|(_, ending)| ["wld", "dtc", "dtw"].contains(ending))
        .map(|(material, _)| material.to_owned())
        .collect()
}

/// A fresh directory, in memory where there is such a place: syncing is slow elsewhere.
fn directory() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}

/// A build that was left alone, and how many points each of its stages has.
struct Straight {
    files: BTreeMap<String, Vec<u8>>,
    points: BTreeMap<String, u64>,
}

impl Straight {
    fn new(build: [&str; 3]) -> Self {
        let directory = directory();
        let output = solve(directory.path(), build, Some(format!("write:{}", u64::MAX)));
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("stages: ")).unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let points = words.chunks(2).map(|w| (w[0].to_owned(), w[1].parse().unwrap())).collect();
        Self { files: files(directory.path()), points }
    }
}

/// Numbers that look random, the same each time.
struct Random(u64);

impl Random {
    /// From 1 to `most`.
    fn up_to(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        1 + self.0 % most
    }
}

/// Kills a build at a random point of the stage, looks at what it leaves, perhaps kills it again,
/// and lets it go on; how often it was killed.
fn kill_and_go_on(build: [&str; 3], straight: &Straight, stage: &str, random: &mut Random) -> u64 {
    let directory = directory();
    let mut kills = 0;
    loop {
        let before = files(directory.path());
        let there = finished(&before);
        let killed = kills == 0 || kills < random.up_to(3);
        let point = random.up_to(straight.points[stage]);
        let output = solve(directory.path(), build, killed.then(|| format!("{stage}:{point}")));
        let said = built(&output);
        assert!(said.is_disjoint(&there), "{stage}:{point} built {said:?}, {there:?} were there");
        let after = files(directory.path());
        for (name, bytes) in &after {
            if name.ends_with(".tmp") || name == "manifest.tsv" {
                continue;
            }
            assert!(straight.files[name] == *bytes, "{stage}:{point}: {name} has other bytes");
        }
        assert!(finished(&after).is_superset(&there), "{stage}:{point} lost a table");
        if output.status.signal() == Some(9) {
            assert!(said.is_subset(&finished(&after)), "{stage}:{point} told of too much");
            kills += 1;
            continue;
        }
        // With what was finished before, the point may not be reached any more.
        assert!(output.status.success(), "{stage}:{point}: {output:?}");
        assert!(kills > 0, "{stage}:{point} was not reached");
        let all = finished(&after);
        assert_eq!(said, all.difference(&there).cloned().collect(), "built what was missing");
        assert!(after == straight.files, "{stage}: {:?}", after.keys());
        return kills;
    }
}

/// At least so many kills in every stage.
fn kill_everywhere(hits: u64) {
    let straight = BUILDS.map(Straight::new);
    let mut random = Random(2026);
    for stage in STAGES {
        let mut killed = 0;
        let mut nth = 0;
        while killed < hits {
            let build = BUILDS[nth % BUILDS.len()];
            let straight = &straight[nth % BUILDS.len()];
            nth += 1;
            // The reference has no pass of its own for man moves.
            if straight.points[stage] > 0 {
                killed += kill_and_go_on(build, straight, stage, &mut random);
            }
        }
        eprintln!("{stage}: killed {killed} times in {nth} builds, each with the right bytes");
    }
}

#[test]
fn killed_builds_go_on() {
    kill_everywhere(4);
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn builds_killed_fifty_times_a_stage_go_on() {
    kill_everywhere(50);
}

#[test]
fn the_variable_names_a_stage() {
    let output = solve(directory().path(), BUILDS[0], Some("nonsense".to_owned()));
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("write:17"));
}
