//! The compact image against the tables that it was packed from.

use std::fs::File;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};

use crownhead_index::{PerfectIndex, materials_to};
use crownhead_pack::{Decoded, MemoryTables, Watch, pack};
use crownhead_rules::{Color, Outcome, Position, Prober, Value};
use crownhead_solver::{Backend, Control, Cpu, Job};
use crownhead_table::compact::{CompactError, CompactTable};
use crownhead_table::embedded::{IMAGE_3, IMAGE_4, IMAGE_5};
use crownhead_table::{Encoding, Metric};
use rayon::prelude::*;

/// All tables to so many pieces, solved in memory.
fn solve(pieces: u32, metric: Metric) -> MemoryTables {
    let backend = Cpu::new(metric);
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
#[expect(clippy::print_stdout, reason = "the number that the limit is set by")]
fn the_embedded_image_of_five_pieces_is_what_packing_gives_and_right() {
    let tables = solve(5, Metric::Wld);
    let image = pack(&tables, 5, Metric::Wld, &Watch::default()).expect("it fits");
    assert!(image == IMAGE_5, "cargo xtask pack --pieces 5 crates/table/images/5.img");
    // The worst of all takes 1,632.
    let (positions, worst, wrong) = compare_within(&tables, &image, 1640);
    assert_eq!((positions, wrong), (145_859_644, None));
    println!("{} look-ups at worst: {}", worst.0, worst.1.expect("a position"));
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
fn progress_adds_up_to_all_passes() {
    for metric in [Metric::Wld, Metric::Dtw] {
        let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
        let advance = |positions| {
            done.fetch_add(positions, Ordering::Relaxed);
        };
        pack(&solve(3, metric), 3, metric, &Watch::new(&stop, &advance)).expect("it fits");
        assert_eq!(done.into_inner(), 199_520 * Watch::passes(metric), "{metric}");
    }
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

/// So many positions with 2 to so many pieces: of each material and side to move in turn, at
/// places that a pinned seed draws.
fn sample(pieces: u32, count: usize) -> Vec<Position> {
    let tables: Vec<(PerfectIndex<u64>, Color)> = materials_to(pieces)
        .map(|material| PerfectIndex::new(material).expect("an index"))
        .flat_map(|index| index.sides().iter().map(move |&side| (index, side)))
        .collect();
    let mut state = 0x5EC0_4DEA_D312_0001_u64;
    let tables = tables.iter().cycle().take(count);
    tables
        .map(|(index, side)| {
            // SplitMix64, as Steele, Lea and Flood give it.
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut word = state;
            word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            index.unrank((word ^ (word >> 31)) % index.len(), *side).expect("a rank of the table")
        })
        .collect()
}

/// Values as this workspace's reader gives them.
fn values(image: &[u8], positions: &[Position]) -> Vec<&'static str> {
    let table = CompactTable::open(image).expect("a sound image");
    positions.iter().map(|position| table.value(position).expect("a value").name()).collect()
}

/// What the second reader says: a line for each position, or why it refuses the image.
///
/// It is in Python, and was written from FORMAT.md and the rules alone.
fn second_reader(image: &[u8], positions: &[Position]) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (packed, fens) = (folder.path().join("packed.img"), folder.path().join("fens"));
    let lines: String = positions.iter().map(|position| format!("{position}\n")).collect();
    std::fs::write(&packed, image).expect("it is written");
    std::fs::write(&fens, lines).expect("they are written");
    let out = Command::new("python3")
        .arg(crownhead_tests::root().join("tests/compact_reader.py"))
        .arg(&packed)
        .stdin(File::open(&fens).expect("it was written"))
        .output()
        .expect("python3 runs");
    match out.status.code() {
        Some(0) => {
            Ok(String::from_utf8_lossy(&out.stdout).lines().map(ToOwned::to_owned).collect())
        }
        Some(2) => Err(String::from_utf8_lossy(&out.stderr).into_owned()),
        _ => panic!("{out:?}"),
    }
}

/// Compares the readers on a sample; returns the positions on which they differ.
fn compare_readers(image: &[u8], pieces: u32, count: usize) -> Vec<Position> {
    let positions = sample(pieces, count);
    let answers = second_reader(image, &positions).expect("a sound image");
    assert_eq!(answers.len(), count);
    let values = values(image, &positions);
    let wrong = (0..count).filter(|&i| answers[i] != values[i]);
    wrong.map(|i| positions[i]).collect()
}

/// This workspace's reader gives what the plain tables hold, by the tests above.
#[test]
fn the_second_reader_agrees_on_ten_thousand_positions() {
    assert_eq!(compare_readers(IMAGE_5, 5, 10_000), []);
}

#[test]
fn the_second_reader_agrees_on_the_smaller_images() {
    assert_eq!(compare_readers(IMAGE_4, 4, 1_000), []);
    assert_eq!(compare_readers(IMAGE_3, 3, 1_000), []);
}

#[test]
fn the_second_reader_says_where_it_knows_nothing() {
    let positions = sample(5, 300);
    let known = |position: &Position| position.occupied().len() <= 4;
    let answers = second_reader(IMAGE_4, &positions).expect("a sound image");
    assert!(positions.iter().any(known) && !positions.iter().all(known));
    for (position, answer) in positions.iter().zip(answers) {
        assert_eq!(answer != "unknown", known(position), "{position}: {answer}");
    }
}

/// Where a section, numbered from 0, lies in an image.
fn section(image: &[u8], number: usize) -> std::ops::Range<usize> {
    let word = |at: usize| u32::from_le_bytes(image[at..at + 4].try_into().expect("four bytes"));
    let entry = 48 + 16 * number;
    word(entry) as usize..(word(entry) + word(entry + 4)) as usize
}

/// The negative control: one bit of a tree or of a ribbon changed is refused by its CRC, and with
/// the CRC made to fit the comparison finds it.
#[test]
fn a_changed_bit_is_found_by_the_second_reader() {
    let positions = sample(3, 2_000);
    let right = values(IMAGE_3, &positions);
    assert_eq!(second_reader(IMAGE_3, &positions).expect("a sound image"), right);
    // The codes of leaves of a tree; slots of a ribbon.
    for (number, byte) in [(0, 32), (1, 93)] {
        let mut image = IMAGE_3.to_vec();
        let bytes = section(&image, number);
        image[bytes.start + byte] ^= 1 << 4;
        let refused = second_reader(&image, &positions).expect_err("a wrong CRC");
        assert!(refused.contains(&format!("CRC of section {}", number + 1)), "{refused}");

        let crc = crc32fast::hash(&image[bytes]);
        image[56 + 16 * number..60 + 16 * number].copy_from_slice(&crc.to_le_bytes());
        let refused = second_reader(&image, &positions).expect_err("a wrong CRC");
        assert!(refused.contains("header CRC"), "{refused}");

        let crc = crc32fast::hash(&image[..124]);
        image[124..128].copy_from_slice(&crc.to_le_bytes());
        let answers = second_reader(&image, &positions).expect("CRCs that fit");
        assert_eq!(answers.len(), right.len());
        assert_ne!(answers, right, "section {number}, byte {byte}");
    }
}
