//! Full disks, directories that cannot be written or go away, files that are cut, other builders,
//! too little memory: a clear error or correct waiting, and nothing finished is lost.
#![cfg(unix)]

#[allow(dead_code, reason = "each file of tests uses a part")]
mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Ran, arg, crownhead, files, run};

fn solve(directory: &Path) -> Ran {
    run(&["solve", "--pieces", "3", "--metric", "dtw", "--json", "--tables", arg(directory)])
}

/// How many materials a run has built: its lines but the last.
fn built(ran: &Ran) -> usize {
    assert_eq!(ran.status, 0, "{ran:?}");
    ran.json().len() - 1
}

/// A build that had all it needs.
fn straight() -> BTreeMap<String, Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(built(&solve(directory.path())), 9);
    files(directory.path())
}

/// A small file system in memory, unmounted when dropped.
struct Mounted(tempfile::TempDir);

impl Mounted {
    /// So many pages of 4 KiB; `None` where this user may not mount.
    fn new(pages: u64) -> Option<Self> {
        let directory = tempfile::tempdir().unwrap();
        let options = format!("size={}", 4096 * pages);
        let mounted = mount(&["-t", "tmpfs", "-o", &options, "tmpfs", arg(directory.path())]);
        if !mounted {
            eprintln!("SKIPPED: needs the right to mount a file system (root)");
            return None;
        }
        Some(Self(directory))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn remount(&self, options: &str) {
        assert!(mount(&["-o", &format!("remount,{options}"), arg(self.path())]));
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}

fn mount(args: &[&str]) -> bool {
    let quiet = Command::new("mount").args(args).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

#[test]
fn a_disk_that_fills_up_loses_nothing() {
    let straight = straight();
    let tables = straight.iter().filter(|(name, _)| name.ends_with(".dtw"));
    let bytes: u64 = tables.map(|(_, bytes)| bytes.len() as u64).sum();
    // Enough for the bytes of the tables, but a file takes whole pages, and there is the manifest.
    let Some(disk) = Mounted::new(bytes.div_ceil(4096)) else { return };
    let ran = solve(disk.path());
    assert!(ran.status == 2 || ran.status == 3, "{ran:?}");
    assert!(ran.err.contains("No space left") && ran.err.contains(arg(disk.path())), "{ran:?}");
    let there = files(disk.path());
    let tables = there.iter().filter(|(name, _)| name.ends_with(".dtw")).count();
    assert!(tables > 0 && tables <= 9, "{tables} tables");
    for (name, bytes) in &there {
        assert!(name == "manifest.tsv" || straight[name] == *bytes, "{name}");
        assert!(!name.ends_with(".tmp"), "{name} takes room for nothing");
    }
    disk.remount("size=1m");
    assert_eq!(built(&solve(disk.path())), 9 - tables, "only what was missing");
    assert!(files(disk.path()) == straight);
}

#[test]
fn a_disk_that_is_too_small_is_refused_at_once() {
    let Some(disk) = Mounted::new(20) else { return };
    let ran = solve(disk.path());
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.err.contains("free") && ran.err.contains("--tables"), "{ran:?}");
    assert!(files(disk.path()).is_empty());
}

/// Images and graphs are not files of the pipeline, and what was there is theirs to lose.
#[test]
fn a_full_disk_costs_no_image_and_no_graph_that_was_there() {
    let Some(disk) = Mounted::new(16) else { return };
    let (image, graph) = (disk.path().join("2.img"), disk.path().join("g.csr"));
    let tables = tempfile::tempdir().unwrap();
    let pack = ["pack", "--pieces", "2", "--tables", arg(tables.path()), arg(&image)];
    assert_eq!(run(&pack).status, 0);
    let small = tables.path().join("small");
    fs::write(&small, "a b\nb c\nc a\nc d\n").unwrap();
    assert_eq!(run(&["graph", arg(&small), "--out", arg(&graph)]).status, 0);
    // Read from a map and written to the same place.
    assert_eq!(run(&["graph", arg(&graph), "--out", arg(&graph)]).status, 0);
    let before = files(disk.path());
    let large: String = (0..3000).map(|n| format!("n{n} n{}\n", n * 7 % 3000)).collect();
    fs::write(tables.path().join("large"), large).unwrap();
    let full = vec![0; 64 << 10];
    assert!(fs::write(disk.path().join("full"), full).is_err());
    for command in [&pack[..], &["graph", arg(&tables.path().join("large")), "--out", arg(&graph)]]
    {
        let ran = run(command);
        assert_eq!(ran.status, 2, "{ran:?}");
        assert!(ran.err.contains("No space left"), "{ran:?}");
    }
    fs::remove_file(disk.path().join("full")).unwrap();
    assert!(files(disk.path()) == before, "what was there, and nothing else");
}

#[test]
fn a_directory_that_cannot_be_written_is_named_and_still_read() {
    let Some(disk) = Mounted::new(200) else { return };
    let partly = ["solve", "--pieces", "2", "--metric", "dtw", "--tables", arg(disk.path())];
    assert_eq!(run(&partly).status, 0);
    let before = files(disk.path());
    disk.remount("ro");
    let ran = solve(disk.path());
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.err.contains("Read-only") && ran.err.contains(arg(disk.path())), "{ran:?}");
    assert!(files(disk.path()) == before);
    let tables = ["--tables", arg(disk.path())];
    assert_eq!(run(&[&["probe", "W:WK1:BK32"][..], &tables].concat()).status, 0);
    assert_eq!(run(&[&["verify"][..], &tables].concat()).status, 0);
}

#[test]
fn a_directory_that_goes_away_ends_the_build() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("tables");
    let args = ["solve", "--pieces", "4", "--metric", "dtw", "--reference", "--json"];
    let child = crownhead(&args)
        .args(["--tables", arg(&directory)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !directory.join("KMvM.dtw").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    fs::rename(&directory, parent.path().join("elsewhere")).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(arg(&directory)), "{said}");
    assert!(!directory.exists(), "nothing is built where nobody looks");
    // What was finished is still good.
    fs::rename(parent.path().join("elsewhere"), &directory).unwrap();
    let ran = run(&["verify", "--tables", arg(&directory)]);
    assert_eq!(ran.status, 0, "{ran:?}");
}

#[test]
fn a_cut_file_is_named_and_built_again() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(built(&solve(directory.path())), 9);
    let right = files(directory.path());
    let path = directory.path().join("KKvK.dtw");
    for len in [0, 1, 255, 256, 300, right["KKvK.dtw"].len() - 1] {
        fs::write(&path, &right["KKvK.dtw"][..len]).unwrap();
        let tables = ["--tables", arg(directory.path())];
        let verified = run(&[&["verify"][..], &tables].concat());
        assert_eq!(verified.status, 1, "{len} bytes: {verified:?}");
        let probed = run(&[&["probe", "W:WK1:BK31,K32"][..], &tables].concat());
        assert_eq!(probed.status, 2, "{len} bytes: {probed:?}");
        assert!(probed.err.contains("KKvK.dtw"), "{probed:?}");
        assert_eq!(built(&solve(directory.path())), 1, "{len} bytes");
        assert!(files(directory.path()) == right, "{len} bytes");
    }
}

#[test]
fn builders_in_one_directory_wait_for_each_other() {
    let straight = straight();
    let directory = tempfile::tempdir().unwrap();
    let args = ["solve", "--pieces", "3", "--metric", "dtw", "--json", "--tables"];
    let builders: Vec<_> = (0..3)
        .map(|_| {
            let mut command = crownhead(&args);
            command.arg(directory.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    let mut lines = 0;
    for builder in builders {
        let output = builder.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        lines += String::from_utf8(output.stdout).unwrap().lines().count() - 1;
    }
    assert_eq!(lines, 9, "every material is built once");
    assert!(files(directory.path()) == straight);
}

/// The largest amount of memory that a process has had, in bytes.
fn peak(args: &[&str]) -> u64 {
    let mut child = crownhead(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        if let Some(line) = text.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
            let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().unwrap();
            peak = peak.max(kib * 1024);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(child.wait().unwrap().success());
    peak
}

/// The least `--memory` with which a build is not refused, by the error that names it.
fn least_memory(build: &[&str]) -> u64 {
    let refused = run(&[build, &["--memory", "1"]].concat());
    assert_eq!(refused.status, 3, "{refused:?}");
    let words: Vec<&str> = refused.err.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "takes").unwrap();
    words[at + 1].parse().unwrap()
}

/// A build in so little memory that it is refused in less: its peak, and what it was allowed.
fn peak_in_least_memory(build: &[&str]) -> (u64, u64) {
    let allowed = least_memory(build);
    let peak = peak(&[build, &["--memory", &allowed.to_string()]].concat());
    eprintln!("{build:?}: {peak} bytes at most, {allowed} allowed");
    assert!(peak <= allowed + allowed / 10, "{build:?}: {peak} of {allowed} bytes");
    (peak, allowed)
}

#[test]
#[cfg(target_os = "linux")]
fn memory_stays_below_what_is_allowed() {
    let builds: [&[&str]; 4] = [
        &["solve", "--pieces", "4", "--metric", "dtc", "--reference", "--threads", "2"],
        &["solve", "--pieces", "4", "--metric", "dtw", "--threads", "2"],
        &["solve", "--pieces", "5", "--metric", "wld", "--threads", "2"],
        &["solve", "--pieces", "5", "--metric", "dtc", "--no-tables"],
    ];
    for build in builds {
        let directory = tempfile::tempdir().unwrap();
        peak_in_least_memory(&[build, &["--tables", arg(directory.path())]].concat());
    }
}

/// Parts make room for others and are read again from their tables.
fn memory_that_binds(pieces: &str) {
    let (free, limited) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // One thread, since how much several have at a time is a matter of luck.
    let build = ["solve", "--pieces", pieces, "--metric", "wld", "--threads", "1", "--tables"];
    let wanted = peak(&[&build[..], &[arg(free.path())]].concat());
    let (_, allowed) = peak_in_least_memory(&[&build[..], &[arg(limited.path())]].concat());
    eprintln!("{pieces} pieces: {wanted} bytes without a limit");
    assert!(wanted > allowed + allowed / 10, "{wanted} bytes without, {allowed}: no limit at all");
    assert!(files(free.path()) == files(limited.path()), "other tables");
}

#[test]
#[cfg(target_os = "linux")]
fn memory_that_binds_is_kept_and_changes_no_byte() {
    memory_that_binds("5");
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "long: run with cargo xtask test --long"]
fn memory_that_binds_at_6_pieces_is_kept_and_changes_no_byte() {
    memory_that_binds("6");
}
