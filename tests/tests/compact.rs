//! The compact image against the tables that it was packed from.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex};

use crownhead_index::{PerfectIndex, materials_to};
use crownhead_pack::{Decoded, MemoryTables, Watch, pack};
use crownhead_rules::{Color, Outcome, Position, Prober, Value};
use crownhead_solver::{Backend, Control, Cpu, Job, Reference};
use crownhead_table::compact::{CompactError, CompactTable};
use crownhead_table::embedded::{IMAGE_3, IMAGE_4, IMAGE_5};
use crownhead_table::{Encoding, Metric};
use rayon::prelude::*;

/// All tables to so many pieces, solved in memory.
fn solve(pieces: u32, metric: Metric) -> MemoryTables {
    let backend: Box<dyn Backend> = match Cpu::new(metric) {
        Ok(cpu) => Box::new(cpu),
        Err(_) => Box::new(Reference::new(metric)),
    };
    let bits = if metric == Metric::Wld { 2 } else { 16 };
    let encoding = Encoding::new(metric, bits).expect("plain tables have this encoding");
    let mut tables = MemoryTables::default();
    for material in materials_to(pieces) {
        backend.build(Job::finish(material), &Control::default()).expect("its parts are there");
        for &side in PerfectIndex::<u64>::new(material).expect("an index").sides() {
            let mut codes = Vec::new();
            let taken = backend.export(material, side, &mut |entries| {
                let outcomes = entries.iter().map(|entry| entry.outcome(metric.has_plies()));
                codes.extend(outcomes.map(|outcome| encoding.code(outcome).expect("a code")));
                Ok(())
            });
            taken.expect("it was built");
            tables.0.insert((material, side), codes);
        }
    }
    tables
}

/// The values of codes in plain tables without distances.
const VALUES: [Value; 3] = [Value::Draw, Value::Win, Value::Loss];

static FOUR: LazyLock<MemoryTables> = LazyLock::new(|| solve(4, Metric::Wld));

/// Probes every position; returns how many there are and the first that differs.
fn compare(tables: &MemoryTables, image: &[u8]) -> (u64, Option<Position>) {
    let (positions, _, wrong) = compare_within(tables, image, u32::MAX);
    (positions, wrong)
}

/// The most look-ups that a probe took, and of which position.
type Worst = (u32, Option<Position>);

/// The same with so many look-ups a probe at most; returns also the worst probe.
fn compare_within(
    tables: &MemoryTables,
    image: &[u8],
    lookups: u32,
) -> (u64, Worst, Option<Position>) {
    let table = CompactTable::open(image).expect("a sound image");
    let (most, worst) = (AtomicU32::new(0), Mutex::new((0, None)));
    let note = |used, position| {
        if used > most.fetch_max(used, Ordering::Relaxed) {
            let mut worst = worst.lock().expect("no panic");
            if used > worst.0 {
                *worst = (used, Some(position));
            }
        }
    };
    let mut positions = 0;
    for (&(material, side), codes) in &tables.0 {
        let index = PerfectIndex::<u64>::new(material).expect("an index");
        positions += index.len();
        let wrong = (0..index.len()).into_par_iter().find_map_first(|rank| {
            let position = index.unrank(rank, side)?;
            let (value, used) = table.value_within(&position, lookups).expect("a value");
            if used > most.load(Ordering::Relaxed) {
                note(used, position);
            }
            (value != VALUES[usize::from(codes[rank as usize])]).then_some(position)
        });
        if wrong.is_some() {
            return (positions, worst.into_inner().expect("no panic"), wrong);
        }
    }
    (positions, worst.into_inner().expect("no panic"), None)
}

#[test]
fn every_position_to_four_pieces_has_the_value_of_the_plain_table() {
    assert_eq!(compare(&FOUR, IMAGE_4), (6_408_836, None));
}

/// The negative control: one value changed is found.
#[test]
fn a_wrong_value_is_found() {
    let mut tables = solve(3, Metric::Wld);
    let image = pack(&tables, 3, Metric::Wld, &Watch::default()).expect("it fits");
    assert_eq!(compare(&tables, &image), (199_520, None));
    let material = "KMvK".parse().expect("a material");
    let codes = tables.0.get_mut(&(material, Color::White)).expect("it was solved");
    codes[5000] = (codes[5000] + 1) % 3;
    let index = PerfectIndex::<u64>::new(material).expect("an index");
    assert_eq!(compare(&tables, &image).1, index.unrank(5000, Color::White));
}

#[test]
fn five_pieces_fit_in_190_000_bytes() {
    assert!(IMAGE_5.len() <= 190_000, "{} bytes", IMAGE_5.len());
}

#[test]
fn four_pieces_fit_in_24_000_bytes() {
    assert!(IMAGE_4.len() <= 24_000, "{} bytes", IMAGE_4.len());
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn the_embedded_image_of_five_pieces_is_what_packing_gives_and_right() {
    let tables = solve(5, Metric::Wld);
    let image = pack(&tables, 5, Metric::Wld, &Watch::default()).expect("it fits");
    assert!(image == IMAGE_5, "cargo xtask pack --pieces 5 crates/table/images/5.img");
    // With 2,500 look-ups a probe takes less than a millisecond.
    let (positions, worst, wrong) = compare_within(&tables, &image, 2500);
    assert_eq!((positions, wrong), (145_859_644, None));
    println!("{} look-ups at worst, {:?}", worst.0, worst.1);
}

#[test]
fn the_image_does_not_depend_on_the_number_of_threads() {
    let tables = solve(3, Metric::Wld);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| pack(&tables, 3, Metric::Wld, &Watch::default())).expect("it fits")
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn a_probe_gives_up_after_as_many_lookups_as_allowed() {
    let table = CompactTable::open(IMAGE_4).expect("a sound image");
    let position: Position = "B:WK4,K29:BK15,K16".parse().expect("a FEN");
    let (value, lookups) = table.value_within(&position, u32::MAX).expect("a value");
    assert!(lookups > 1);
    assert_eq!(table.value_within(&position, lookups), Ok((value, lookups)));
    assert_eq!(table.value_within(&position, lookups - 1), Err(CompactError::OutOfLookups));
}

/// The first position of which a prober and the tables say different things.
fn first_difference<P: Prober + Sync>(
    tables: &MemoryTables,
    metric: Metric,
    prober: &P,
) -> Option<(Position, Outcome)> {
    let encoding = Encoding::new(metric, if metric == Metric::Wld { 2 } else { 16 })?;
    tables.0.iter().find_map(|(&(material, side), codes)| {
        let index = PerfectIndex::<u64>::new(material).expect("an index");
        (0..index.len()).into_par_iter().find_map_first(|rank| {
            let position = index.unrank(rank, side)?;
            let outcome = encoding.outcome(codes[rank as usize])?;
            (prober.probe(&position).ok() != Some(outcome)).then_some((position, outcome))
        })
    })
}

#[test]
fn the_decoder_gives_the_plain_tables_back() {
    let decoded = Decoded::new(IMAGE_4, &Watch::default()).expect("a sound image");
    assert_eq!(first_difference(&FOUR, Metric::Wld, &decoded), None);
}

#[test]
fn the_embedded_images_are_what_packing_gives() {
    let image = pack(&*FOUR, 4, Metric::Wld, &Watch::default()).expect("it fits");
    assert!(image == IMAGE_4, "cargo xtask pack --pieces 4 crates/table/images/4.img");
    let tables = solve(3, Metric::Dtw);
    let image = pack(&tables, 3, Metric::Dtw, &Watch::default()).expect("it fits");
    assert!(image == IMAGE_3, "cargo xtask pack --pieces 3 --metric dtw crates/table/images/3.img");
    let table = CompactTable::open(IMAGE_3).expect("a sound image");
    assert_eq!(first_difference(&tables, Metric::Dtw, &table), None);
    let decoded = Decoded::new(IMAGE_3, &Watch::default()).expect("a sound image");
    assert_eq!(first_difference(&tables, Metric::Dtw, &decoded), None);
}

#[test]
fn distances_to_four_pieces_fit_in_900_000_bytes_and_come_back() {
    let tables = solve(4, Metric::Dtw);
    let image = pack(&tables, 4, Metric::Dtw, &Watch::default()).expect("it fits");
    assert!(image.len() <= 900_000, "{} bytes", image.len());
    let decoded = Decoded::new(&image, &Watch::default()).expect("a sound image");
    assert_eq!(first_difference(&tables, Metric::Dtw, &decoded), None);
}

/// The reader in Python was written from FORMAT.md alone.
#[test]
fn the_second_reader_agrees_on_ten_thousand_positions() {
    let tables = &*FOUR;
    let root = crownhead_tests::root();
    let mut child = Command::new("python3")
        .arg(root.join("tests/compact_reader.py"))
        .arg(root.join("crates/table/images/4.img"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let sides = tables.0.len() as u64;
    let mut fens = String::new();
    let mut expected = Vec::new();
    for (&(material, side), codes) in &tables.0 {
        let index = PerfectIndex::<u64>::new(material).expect("an index");
        let count = 10_000_u64.div_ceil(sides).min(index.len());
        for i in 0..count {
            // Spread over the whole table, not in step with any digit of the index.
            let rank = (i * index.len() + i * 7919) / count % index.len();
            let position = index.unrank(rank, side).expect("a rank of the table");
            fens.push_str(&format!("{position}\n"));
            expected.push((position, VALUES[usize::from(codes[rank as usize])].name()));
        }
    }
    assert!(expected.len() >= 10_000, "{} positions", expected.len());
    let mut input = child.stdin.take().expect("a pipe");
    let feed = std::thread::spawn(move || input.write_all(fens.as_bytes()));
    let out = child.wait_with_output().expect("it ends");
    feed.join().expect("no panic").expect("it reads all");
    assert!(out.status.success());
    let answers = String::from_utf8(out.stdout).expect("text");
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), expected.len());
    for ((position, value), answer) in expected.iter().zip(answers) {
        assert_eq!(answer, *value, "{position}");
    }
}
