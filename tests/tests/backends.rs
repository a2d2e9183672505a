//! One suite for every backend: tables to 4 pieces, read back through the public reader.
//!
//! To add a backend, add tests at the end that call [`check_to_four_pieces`].

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crownhead_index::{Material, PerfectIndex, materials_to};
use crownhead_rules::{Color, Position, Prober, Value};
use crownhead_solver::{
    Backend, Control, Cpu, Entry, EntrySource, Flags, Job, Metric, Needs, Options, Pipeline, Plan,
    Reference, Sink, SolveError, Summary,
};
use crownhead_table::{Check, Tables};
use crownhead_tests::root;
use crownhead_verify::{Listed, verify_table};

/// The lines of a file in tests/data: fields by tab, without comments and the column names.
fn rows(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join("tests/data").join(name)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn build(backend: &dyn Backend, pieces: u32, directory: &Path) {
    let plan = Plan::to_pieces(pieces);
    let options = Options { directory: Some(directory), write: true, ..Options::default() };
    let stop = AtomicBool::new(false);
    Pipeline { backend, plan: &plan, options, stop: &stop, observer: &|_| {} }.run().unwrap();
}

/// What is counted of one material with the side named first to move.
#[derive(Default, PartialEq, Eq, Debug)]
struct Counts {
    wins: u64,
    losses: u64,
    draws: u64,
    /// The largest distance in plies, and how many positions have it.
    longest_win: Option<(u16, u64)>,
    longest_loss: Option<(u16, u64)>,
}

fn longer(longest: &mut Option<(u16, u64)>, plies: Option<u16>) {
    let Some(plies) = plies else { return };
    *longest = Some(match *longest {
        Some((most, count)) if most == plies => (most, count + 1),
        Some((most, count)) if most > plies => (most, count),
        _ => (plies, 1),
    });
}

/// Counts every position of every table, one probe each.
fn count(tables: &Tables, pieces: u32) -> BTreeMap<String, Counts> {
    let mut all = BTreeMap::new();
    for material in materials_to(pieces) {
        let index = *tables.table(material).unwrap().index();
        for &side in index.sides() {
            let mut counts = Counts::default();
            for rank in 0..index.len() {
                let position = index.unrank(rank, side).unwrap();
                let outcome = tables.probe(&position).unwrap();
                match outcome.value {
                    Value::Win => {
                        counts.wins += 1;
                        longer(&mut counts.longest_win, outcome.plies);
                    }
                    Value::Draw => counts.draws += 1,
                    Value::Loss => {
                        counts.losses += 1;
                        longer(&mut counts.longest_loss, outcome.plies);
                    }
                }
            }
            let named = if side as usize == 0 { material } else { material.mirror() };
            all.insert(named.to_string(), counts);
        }
    }
    all
}

fn check_counts(tables: &Tables) {
    let counted = count(tables, 4);
    let rows = rows("wld_2_4.tsv");
    assert_eq!(rows.len(), 41);
    assert_eq!(counted.len(), rows.len());
    for row in rows {
        let number = |at: usize| row[at].parse::<u64>().unwrap();
        let longest = |at: usize| {
            let plies = row[at].parse().ok()?;
            (tables.metric() == Metric::Dtw).then(|| (plies, number(at + 1)))
        };
        let found = counted[&row[0]].published(tables.metric());
        let right = Counts {
            wins: number(2),
            losses: number(3),
            draws: number(4),
            longest_win: longest(5),
            longest_loss: longest(7),
        };
        assert_eq!(found, right, "{}", row[0]);
        assert_eq!(right.wins + right.losses + right.draws, number(1));
    }
}

impl Counts {
    /// The longest distances are published for distances to the end of the game alone.
    fn published(&self, metric: Metric) -> Self {
        let keep = metric == Metric::Dtw;
        Self {
            longest_win: self.longest_win.filter(|_| keep),
            longest_loss: self.longest_loss.filter(|_| keep),
            ..*self
        }
    }
}

/// Known values, and known distances where the tables have them.
fn check_known_positions(tables: &Tables) {
    let mut seen = 0;
    for row in rows("positions.tsv") {
        let position: Position = row[0].parse().unwrap();
        if Material::of(&position).pieces() > 4 {
            continue;
        }
        seen += 1;
        let outcome = tables.probe(&position).unwrap();
        assert_eq!(outcome.value.name(), row[1], "{position}");
        if tables.metric() == Metric::Dtw {
            assert_eq!(outcome.plies, row[2].parse().ok(), "{position}");
        }
    }
    assert!(seen >= 10, "{seen} known positions");
    let sample = rows("values.tsv");
    let to_four: Vec<_> = sample.iter().filter(|row| row[1].parse::<u32>().unwrap() <= 4).collect();
    assert!(to_four.len() >= 200, "{} positions in the sample", to_four.len());
    for row in to_four {
        let position: Position = row[0].parse().unwrap();
        assert_eq!(tables.probe(&position).unwrap().value.name(), row[2], "{position}");
    }
}

/// Builds all tables to 4 pieces with this backend and checks every one.
fn check_to_four_pieces(backend: &dyn Backend) {
    let directory = tempfile::tempdir().unwrap();
    build(backend, 4, directory.path());
    let tables = Tables::open(directory.path(), backend.metric(), Check::Everything);
    assert_eq!(tables.max_pieces(), 4);
    check_counts(&tables);
    check_known_positions(&tables);
    let listed = Listed::read(directory.path()).unwrap().expect("a manifest");
    for material in materials_to(4) {
        verify_table(&tables, material, &|_| {})
            .unwrap_or_else(|fault| panic!("{material}: {fault}"));
        listed.compare(tables.table(material).unwrap().header()).unwrap();
    }
}

#[test]
fn reference_values() {
    check_to_four_pieces(&Reference::new(Metric::Wld));
}

#[test]
fn reference_distances_to_the_end() {
    check_to_four_pieces(&Reference::new(Metric::Dtw));
}

#[test]
fn reference_distances_to_conversion() {
    check_to_four_pieces(&Reference::new(Metric::Dtc));
}

#[test]
fn cpu_values() {
    check_to_four_pieces(&Cpu::new(Metric::Wld));
}

#[test]
fn cpu_distances_to_the_end() {
    check_to_four_pieces(&Cpu::new(Metric::Dtw));
}

/// Values to 4 pieces on whatever adapter there is; it fails where there is none.
#[test]
#[cfg(feature = "gpu")]
fn gpu_values() {
    use crownhead_gpu::{Choice, Gpu, GpuBackend, Settings};
    let gpu = Gpu::open(&Choice::Best).unwrap_or_else(|error| panic!("{error}"));
    eprintln!("adapter: {}", gpu.summary());
    check_to_four_pieces(&GpuBackend::new(gpu.into(), Settings::default()).unwrap());
}

/// A backend that is wrong in one position of one material: it says win for a quiet draw.
struct WrongOnce(Cpu);

impl WrongOnce {
    const MATERIAL: &str = "KMvKM";

    /// The place of the first draw without a capture.
    fn place(entries: &[Entry], index: &PerfectIndex<u64>, side: Color) -> usize {
        let quiet = |rank: usize| !index.unrank(rank as u64, side).unwrap().has_capture(side);
        let is_wrong = |&rank: &usize| entries[rank].value() == Value::Draw && quiet(rank);
        (0..entries.len()).find(is_wrong).unwrap()
    }
}

impl Backend for WrongOnce {
    fn name(&self) -> &'static str {
        "wrong"
    }

    fn metric(&self) -> Metric {
        self.0.metric()
    }

    fn needs(&self, material: Material) -> Needs {
        self.0.needs(material)
    }

    fn build(&self, job: Job, control: &Control<'_>) -> Result<(), SolveError> {
        self.0.build(job, control)
    }

    fn adopt(&self, material: Material, source: &dyn EntrySource) -> Result<(), SolveError> {
        self.0.adopt(material, source)
    }

    fn export(
        &self,
        material: Material,
        side: Color,
        sink: &mut Sink<'_>,
    ) -> Result<(), SolveError> {
        if material.to_string() != Self::MATERIAL {
            return self.0.export(material, side, sink);
        }
        let mut entries = Vec::new();
        self.0.export(material, side, &mut |run| {
            entries.extend_from_slice(run);
            Ok(())
        })?;
        let index = PerfectIndex::new(material).unwrap();
        let place = Self::place(&entries, &index, side);
        entries[place] = Entry::win(0);
        sink(&entries)
    }

    fn summary(&self, material: Material) -> Result<Summary, SolveError> {
        self.0.summary(material)
    }

    fn snapshot(&self, material: Material, side: Color) -> Result<Vec<Flags>, SolveError> {
        self.0.snapshot(material, side)
    }

    fn release(&self, material: Material) {
        self.0.release(material);
    }
}

/// What the suite compares with is not what it tests: one wrong position of 6,408,836 fails it.
#[test]
#[should_panic(expected = "KMvKM")]
fn a_backend_that_is_wrong_in_one_position_fails_the_suite() {
    check_to_four_pieces(&WrongOnce(Cpu::new(Metric::Wld)));
}

/// Builds what a plan says with distances to the end and verifies these materials, every number.
fn verify_distances(plan: &Plan, materials: impl Iterator<Item = Material>) {
    let directory = tempfile::tempdir().unwrap();
    let backend = &Cpu::new(Metric::Dtw);
    let options = Options { directory: Some(directory.path()), write: true, ..Options::default() };
    let stop = AtomicBool::new(false);
    Pipeline { backend, plan, options, stop: &stop, observer: &|_| {} }.run().unwrap();
    let tables = Tables::open(directory.path(), Metric::Dtw, Check::Header);
    for material in materials {
        verify_table(&tables, material, &|_| {})
            .unwrap_or_else(|fault| panic!("{material}: {fault}"));
    }
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn cpu_distances_to_the_end_of_five_pieces_are_right() {
    verify_distances(&Plan::to_pieces(5), materials_to(5));
}

/// The six-piece material with the longest phases, and the one that it promotes to.
#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn cpu_distances_to_the_end_of_some_six_pieces_are_right() {
    let sample = ["KKKvKKK", "KKKvKKM"].map(|name| name.parse().unwrap());
    verify_distances(&Plan::with_parts(&sample), sample.into_iter());
}

/// Every file of a directory that has this ending, with its bytes.
fn files(directory: &Path, ending: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.extension().is_some_and(|extension| extension == ending))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(&path).unwrap())
        })
        .collect()
}

#[test]
fn every_backend_and_number_of_threads_writes_the_same_bytes() {
    type Make = fn(Metric) -> Box<dyn Backend>;
    let reference: Make = |metric| Box::new(Reference::new(metric));
    let cpu: Make = |metric| Box::new(Cpu::new(metric));
    for metric in [Metric::Wld, Metric::Dtc, Metric::Dtw] {
        let built = [(reference, 1), (reference, 3), (cpu, 1), (cpu, 3)].map(|(make, threads)| {
            let directory = tempfile::tempdir().unwrap();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| build(make(metric).as_ref(), 3, directory.path()));
            let manifest = files(directory.path(), "tsv");
            (files(directory.path(), metric.name()), manifest)
        });
        assert_eq!(built[0].0.len(), 9);
        assert_eq!(built[0].1.len(), 1);
        for other in &built[1..] {
            assert!(*other == built[0], "tables or manifests of {metric} differ");
        }
    }
}

/// Tables that are there are taken in, as bytes, and what is missing is built from them.
#[test]
fn a_build_that_goes_on_from_tables_writes_the_same_bytes() {
    for metric in [Metric::Wld, Metric::Dtc, Metric::Dtw] {
        let directory = tempfile::tempdir().unwrap();
        build(&Cpu::new(metric), 4, directory.path());
        let straight = files(directory.path(), metric.name());
        let missing = |material: &Material| material.pieces() == 4 && material.men() >= 2;
        for material in materials_to(4).filter(missing) {
            std::fs::remove_file(crownhead_table::table_path(directory.path(), material, metric))
                .unwrap();
        }
        build(&Cpu::new(metric), 4, directory.path());
        assert!(files(directory.path(), metric.name()) == straight, "{metric}");
    }
}
