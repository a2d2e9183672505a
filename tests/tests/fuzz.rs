//! The kept cases of the fuzz targets (tests/fuzz), and small changes of each.

use std::fs;

use crownhead_tests::root;

#[allow(dead_code, unreachable_pub, unused_imports, reason = "a crate of its own for the fuzzer")]
#[path = "../fuzz/src/lib.rs"]
mod fuzz;

/// The kept cases of a target.
fn cases(target: &str) -> Vec<(String, Vec<u8>)> {
    let directory = root().join("tests/fuzz/seeds").join(target);
    let mut cases: Vec<_> = fs::read_dir(&directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.display().to_string(), fs::read(path).unwrap()))
        .collect();
    cases.sort();
    cases
}

#[test]
fn every_target_has_a_program_and_cases() {
    let mut programs: Vec<String> = fs::read_dir(root().join("tests/fuzz/fuzz_targets"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    programs.sort();
    assert_eq!(programs, fuzz::TARGETS.map(|(name, _)| name));
    for (name, _) in fuzz::TARGETS {
        assert!(cases(name).len() >= 3, "{name}");
    }
}

#[test]
fn kept_cases_hold() {
    for (name, target) in fuzz::TARGETS {
        for (path, bytes) in cases(name) {
            eprintln!("{path}");
            target(&bytes);
        }
    }
}

/// Far from what the fuzzer does in a minute, but on every machine.
#[test]
fn small_changes_of_kept_cases_hold() {
    let mut state = 9u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    for (name, target) in fuzz::TARGETS {
        for (_, bytes) in cases(name) {
            for _ in 0..60 {
                let mut changed = bytes.clone();
                for _ in 0..1 + random() % 3 {
                    match random() % 3 {
                        0 if !changed.is_empty() => {
                            let at = random() % changed.len();
                            changed[at] = random() as u8;
                        }
                        1 => changed.truncate(random() % (changed.len() + 1)),
                        _ => changed.insert(random() % (changed.len() + 1), random() as u8),
                    }
                }
                target(&changed);
            }
        }
    }
}
