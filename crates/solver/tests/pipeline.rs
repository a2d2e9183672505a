//! The pipeline's promises: nothing finished is lost or built twice, nothing hopeless is begun.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crownhead_index::Material;
use crownhead_solver::{
    Event, Finished, Metric, Options, Pipeline, Plan, Reference, SolveError, manifest_lines,
    read_manifest,
};
use crownhead_table::{Check, open_table};

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

fn options(directory: &Path) -> Options<'_> {
    Options { directory: Some(directory), write: true, ..Options::default() }
}

fn run_with(
    plan: &Plan,
    options: Options<'_>,
    stop: &AtomicBool,
    observer: &(dyn Fn(Event<'_>) + Sync),
) -> Result<Vec<Finished>, SolveError> {
    let backend = Reference::new(Metric::Dtw);
    Pipeline { backend: &backend, plan, options, stop, observer }.run()
}

fn run(plan: &Plan, options: Options<'_>) -> Result<Vec<Finished>, SolveError> {
    run_with(plan, options, &AtomicBool::new(false), &|_| {})
}

/// The names of what a run built.
fn built(finished: &[Finished]) -> Vec<String> {
    let built = finished.iter().filter(|finished| finished.built);
    built.map(|finished| finished.summary.material.to_string()).collect()
}

/// Every visible file with its bytes.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path).unwrap())
        })
        .filter(|(name, _)| !name.starts_with('.'))
        .collect()
}

/// All tables to 3 pieces in a fresh directory.
fn three_pieces() -> (tempfile::TempDir, BTreeMap<String, Vec<u8>>) {
    let directory = tempfile::tempdir().unwrap();
    let finished = run(&Plan::to_pieces(3), options(directory.path())).unwrap();
    assert_eq!(built(&finished).len(), 9);
    let files = files(directory.path());
    assert_eq!(files.len(), 10, "nine tables and the manifest");
    (directory, files)
}

#[test]
fn finished_tables_are_skipped() {
    let (directory, straight) = three_pieces();
    let again = run(&Plan::to_pieces(3), options(directory.path())).unwrap();
    assert_eq!(built(&again).len(), 0);
    assert_eq!(again.len(), 9);
    let fresh = run(&Plan::to_pieces(3), Options { force: true, ..options(directory.path()) });
    let fresh = fresh.unwrap();
    assert_eq!(built(&fresh).len(), 9, "--force builds again");
    for (there, now) in again.iter().zip(&fresh) {
        assert_eq!(there.summary, now.summary, "counts of files are those of the backend");
    }
    assert_eq!(files(directory.path()), straight);
}

#[test]
fn what_is_missing_damaged_or_older_is_built_again() {
    let (directory, straight) = three_pieces();
    let path = |name: &str| directory.path().join(name);
    fs::remove_file(path("KvM.dtw")).unwrap();
    fs::remove_file(path("manifest.tsv")).unwrap();
    fs::write(path("KMvM.dtw.123.tmp"), b"left by a killed build").unwrap();
    let change = |name: &str, at: usize, to: u8| {
        let mut bytes = straight[name].clone();
        assert_ne!(bytes[at], to);
        bytes[at] = to;
        fs::write(path(name), bytes).unwrap();
    };
    change("KKvK.dtw", 5000, 0xee);
    change("MMvM.dtw", 8, 0); // the format's version
    fs::write(path("KMvK.dtw"), &straight["KMvK.dtw"][..999]).unwrap();
    let complaints = Mutex::new(Vec::new());
    let finished = run_with(
        &Plan::to_pieces(3),
        options(directory.path()),
        &AtomicBool::new(false),
        &|event| {
            if let Event::Rebuild(error) = event {
                complaints.lock().unwrap().push(error.to_string());
            }
        },
    );
    assert_eq!(built(&finished.unwrap()), ["KvM", "KKvK", "KMvK", "MMvM"]);
    let complaints = complaints.into_inner().unwrap();
    assert_eq!(complaints.len(), 3, "{complaints:?}");
    for (complaint, (name, what)) in complaints.iter().zip([
        ("KKvK.dtw", "damaged"),
        ("KMvK.dtw", "cut short"),
        ("MMvM.dtw", "older release"),
    ]) {
        assert!(complaint.contains(name) && complaint.contains(what), "{complaint}");
    }
    assert_eq!(files(directory.path()), straight, "and the leftover is gone");
}

#[test]
fn a_stopped_build_goes_on_from_what_is_finished() {
    let (_directory, straight) = three_pieces();
    let directory = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let count = AtomicUsize::new(0);
    let result = run_with(&Plan::to_pieces(3), options(directory.path()), &stop, &|event| {
        if matches!(event, Event::Finished(_)) && count.fetch_add(1, Ordering::SeqCst) == 3 {
            stop.store(true, Ordering::SeqCst);
        }
    });
    assert!(matches!(result, Err(SolveError::Interrupted)), "{result:?}");
    let there = files(directory.path()).len() - 1;
    assert!((4..9).contains(&there), "{there} tables are finished");
    let finished = run(&Plan::to_pieces(3), options(directory.path())).unwrap();
    assert_eq!(built(&finished).len(), 9 - there);
    assert_eq!(files(directory.path()), straight);
}

#[test]
fn one_material_alone_needs_its_parts() {
    let (source, straight) = three_pieces();
    let directory = tempfile::tempdir().unwrap();
    let only = Plan::only(material("KMvK"));
    match run(&only, options(directory.path())) {
        Err(SolveError::NotSolved { material: m, part }) => {
            assert_eq!((m, part), (material("KMvK"), material("KvK")));
        }
        other => panic!("{other:?}"),
    }
    for part in ["KvK.dtw", "KvM.dtw", "KKvK.dtw"] {
        fs::copy(source.path().join(part), directory.path().join(part)).unwrap();
    }
    assert_eq!(built(&run(&only, options(directory.path())).unwrap()), ["KMvK"]);
    assert_eq!(files(directory.path())["KMvK.dtw"], straight["KMvK.dtw"]);
    // A damaged part is refused, not used.
    let mut bytes = straight["KvK.dtw"].clone();
    bytes[300] ^= 1;
    fs::write(directory.path().join("KvK.dtw"), bytes).unwrap();
    fs::remove_file(directory.path().join("KMvK.dtw")).unwrap();
    let refused = run(&only, options(directory.path()));
    assert!(matches!(refused, Err(SolveError::Table(_))), "{refused:?}");
}

#[test]
fn what_cannot_fit_is_refused_before_anything_is_built() {
    let directory = tempfile::tempdir().unwrap();
    let plan = Plan::to_pieces(3);
    let small = Options { memory: Some(1000), ..options(directory.path()) };
    let refused = run(&plan, small);
    assert!(matches!(refused, Err(SolveError::Memory { allowed: 1000, .. })), "{refused:?}");
    let full = Options { disk: Some(1000), ..options(directory.path()) };
    let refused = run(&plan, full);
    assert!(matches!(refused, Err(SolveError::Disk { free: 1000, .. })), "{refused:?}");
    assert!(files(directory.path()).is_empty());
}

#[test]
fn parts_make_room_only_where_they_can_be_read_again() {
    let directory = tempfile::tempdir().unwrap();
    let needed = |write: bool, memory: Option<u64>| {
        let options = Options { write, memory, ..options(directory.path()) };
        let (backend, stop) = (Reference::new(Metric::Wld), AtomicBool::new(false));
        let plan = Plan::to_pieces(6);
        let pipeline =
            Pipeline { backend: &backend, plan: &plan, options, stop: &stop, observer: &|_| {} };
        match pipeline.survey() {
            Ok(survey) => survey.memory,
            Err(SolveError::Memory { needed, .. }) => needed,
            other => panic!("{other:?}"),
        }
    };
    // Side by side is what memory allows, so that even the least limits that.
    let (least, kept) = (needed(true, Some(1)), needed(false, Some(1)));
    assert!(least < kept && kept <= needed(true, None), "{least} and {kept} bytes");
    let between = least.midpoint(kept);
    assert!((least..=between).contains(&needed(true, Some(between))));
    assert_eq!(needed(false, Some(between)), kept);
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let parent = tempfile::tempdir().unwrap();
    let file = parent.path().join("file");
    fs::write(&file, b"").unwrap();
    let error = run(&Plan::to_pieces(2), options(&file)).unwrap_err();
    assert!(error.to_string().contains("file"), "{error}");
}

#[test]
fn counting_writes_nothing() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("tables");
    let counting = Options { write: false, ..options(&directory) };
    let finished = run(&Plan::to_pieces(2), counting).unwrap();
    assert_eq!(finished.iter().map(|f| f.summary.positions()).sum::<u64>(), 992 + 2 * 868 + 760);
    assert!(finished.iter().all(|finished| finished.built && finished.bytes == 0));
    assert!(!directory.exists());
}

#[test]
fn two_builders_in_one_directory_build_everything_once() {
    let (_directory, straight) = three_pieces();
    let directory = tempfile::tempdir().unwrap();
    let total: usize = std::thread::scope(|scope| {
        let builders = [0, 1].map(|_| {
            scope.spawn(|| {
                built(&run(&Plan::to_pieces(3), options(directory.path())).unwrap()).len()
            })
        });
        builders.map(|builder| builder.join().unwrap()).iter().sum()
    });
    assert_eq!(total, 9);
    assert_eq!(files(directory.path()), straight);
}

#[test]
fn the_manifest_says_what_the_headers_say() {
    let (directory, _) = three_pieces();
    let listed = read_manifest(directory.path()).unwrap();
    assert_eq!(listed.len(), 9);
    for step in Plan::to_pieces(3).steps() {
        let table = open_table(directory.path(), step.material, Metric::Dtw, Check::Everything);
        let lines = manifest_lines(table.unwrap().header());
        assert_eq!(listed[&format!("{}.dtw", step.material)], lines);
    }
}
