//! The compact image against the tables that it was packed from.

use std::sync::LazyLock;

use crownhead_index::{PerfectIndex, materials_to};
use crownhead_pack::{MemoryTables, Watch, pack};
use crownhead_rules::{Color, Outcome, Position, Value};
use crownhead_solver::{Backend, Control, Cpu, Job};
use crownhead_table::compact::{CompactError, CompactTable};
use crownhead_table::{Encoding, Metric};
use rayon::prelude::*;

/// All tables to so many pieces, solved in memory.
fn solve(pieces: u32) -> MemoryTables {
    let backend = Cpu::new(Metric::Wld).expect("the backend has this metric");
    let encoding = Encoding::new(Metric::Wld, 2).expect("plain tables have 2 bits");
    let mut tables = MemoryTables::default();
    for material in materials_to(pieces) {
        backend.build(Job::finish(material), &Control::default()).expect("its parts are there");
        for &side in PerfectIndex::<u64>::new(material).expect("an index").sides() {
            let mut codes = Vec::new();
            let taken = backend.export(material, side, &mut |entries| {
                let outcomes =
                    entries.iter().map(|entry| Outcome { value: entry.value(), plies: None });
                codes.extend(outcomes.map(|outcome| encoding.code(outcome).expect("a code")));
                Ok(())
            });
            taken.expect("it was built");
            tables.0.insert((material, side), codes);
        }
    }
    tables
}

const VALUES: [Value; 3] = [Value::Draw, Value::Win, Value::Loss];

static FOUR: LazyLock<(MemoryTables, Vec<u8>)> = LazyLock::new(|| {
    let tables = solve(4);
    let image = pack(&tables, 4, Metric::Wld, &Watch::default()).expect("it fits");
    (tables, image)
});

/// Probes every position; returns how many there are and the first that differs.
fn compare(tables: &MemoryTables, image: &[u8]) -> (u64, Option<Position>) {
    let table = CompactTable::open(image).expect("a sound image");
    let mut positions = 0;
    for (&(material, side), codes) in &tables.0 {
        let index = PerfectIndex::<u64>::new(material).expect("an index");
        positions += index.len();
        let wrong = (0..index.len()).into_par_iter().find_map_first(|rank| {
            let position = index.unrank(rank, side)?;
            let value = table.value(&position).expect("a value");
            (value != VALUES[usize::from(codes[rank as usize])]).then_some(position)
        });
        if wrong.is_some() {
            return (positions, wrong);
        }
    }
    (positions, None)
}

#[test]
fn every_position_to_four_pieces_has_the_value_of_the_plain_table() {
    let (tables, image) = &*FOUR;
    assert_eq!(compare(tables, image), (6_408_836, None));
}

/// The negative control: one value changed is found.
#[test]
fn a_wrong_value_is_found() {
    let mut tables = solve(3);
    let image = pack(&tables, 3, Metric::Wld, &Watch::default()).expect("it fits");
    assert_eq!(compare(&tables, &image), (199_520, None));
    let material = "KMvK".parse().expect("a material");
    let codes = tables.0.get_mut(&(material, Color::White)).expect("it was solved");
    codes[5000] = (codes[5000] + 1) % 3;
    let index = PerfectIndex::<u64>::new(material).expect("an index");
    assert_eq!(compare(&tables, &image).1, index.unrank(5000, Color::White));
}

#[test]
fn four_pieces_fit_in_24_000_bytes() {
    assert!(FOUR.1.len() <= 24_000, "{} bytes", FOUR.1.len());
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn five_pieces_fit_in_190_000_bytes_and_have_the_values_of_the_plain_tables() {
    let tables = solve(5);
    let image = pack(&tables, 5, Metric::Wld, &Watch::default()).expect("it fits");
    assert!(image.len() <= 190_000, "{} bytes", image.len());
    assert_eq!(compare(&tables, &image), (145_859_644, None));
}

#[test]
fn the_image_does_not_depend_on_the_number_of_threads() {
    let tables = solve(3);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| pack(&tables, 3, Metric::Wld, &Watch::default())).expect("it fits")
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn a_probe_gives_up_after_as_many_lookups_as_allowed() {
    let table = CompactTable::open(&FOUR.1[..]).expect("a sound image");
    let position: Position = "B:WK4,K29:BK15,K16".parse().expect("a FEN");
    let (value, lookups) = table.value_within(&position, u32::MAX).expect("a value");
    assert!(lookups > 1);
    assert_eq!(table.value_within(&position, lookups), Ok((value, lookups)));
    assert_eq!(table.value_within(&position, lookups - 1), Err(CompactError::OutOfLookups));
}
