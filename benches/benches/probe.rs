//! Probes a second: the compact image by number of pieces, plain tables warm and cold, and both
//! over threads. `cargo xtask bench probe`.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use crownhead_index::{PerfectIndex, materials};
use crownhead_pack::{Decoded, Watch};
use crownhead_rules::{Position, Prober, Value};
use crownhead_table::compact::CompactTable;
use crownhead_table::embedded::{IMAGE_4, IMAGE_5};
use crownhead_table::{Check, Metric, Tables};
use rayon::prelude::*;

/// Positions probed in one pass.
const POSITIONS: usize = 20_000;

/// The position that takes the most look-ups of all with 2 to 5 pieces: 1,632, as the exhaustive test
/// in `tests/tests/compact.rs` found.
const HARDEST: &str = "B:WK16,K18:B10,23,25";

/// Random positions with so many pieces, each as likely as any other.
fn positions(pieces: u32) -> Vec<Position> {
    let indices: Vec<PerfectIndex<u64>> =
        materials(pieces).filter_map(|material| PerfectIndex::new(material).ok()).collect();
    let total: u64 = indices.iter().map(|index| index.len() * index.sides().len() as u64).sum();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % total
    };
    (0..POSITIONS)
        .filter_map(|_| {
            let mut rest = random();
            for index in &indices {
                for &side in index.sides() {
                    if rest < index.len() {
                        return index.unrank(rest, side);
                    }
                    rest -= index.len();
                }
            }
            None
        })
        .collect()
}

/// Probes all; the sum of the values is the check that every probing gives the same.
fn probe_all<P: Prober>(prober: &P, positions: &[Position]) -> i64 {
    let value = |position| match prober.probe(position) {
        Ok(outcome) => outcome.value as i64 - Value::Draw as i64,
        Err(_) => panic!("{position:?} is known"),
    };
    positions.iter().map(value).sum()
}

fn probe_in_parallel<P: Prober + Sync>(prober: &P, positions: &[Position]) -> i64 {
    positions.par_chunks(500).map(|part| probe_all(prober, part)).sum()
}

fn compact(c: &mut Criterion) {
    let table = CompactTable::open(IMAGE_5).expect("a sound image");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let plain = plain_tables(directory.path());
    let mut group = c.benchmark_group("compact");
    group.throughput(Throughput::Elements(POSITIONS as u64)).sample_size(10);
    for pieces in 2..=5 {
        let positions = positions(pieces);
        let sum = probe_all(&table, &positions);
        if pieces <= plain.max_pieces() {
            assert_eq!(sum, probe_all(&plain, &positions), "{pieces} pieces");
        }
        group.bench_function(BenchmarkId::from_parameter(pieces), |b| {
            b.iter(|| assert_eq!(probe_all(&table, &positions), sum));
        });
        eprintln!("compact, {pieces} pieces: worst {:?}", worst(&table, &positions));
    }
    let hardest = [HARDEST.parse().expect("a position")];
    group.throughput(Throughput::Elements(1));
    group.bench_function("hardest", |b| {
        let sum = probe_all(&table, &hardest);
        b.iter(|| assert_eq!(probe_all(&table, black_box(&hardest)), sum));
    });
}

/// The longest time of a probe; the shortest of three, as anything may come between.
fn worst<P: Prober>(prober: &P, positions: &[Position]) -> Duration {
    let time = |position| {
        let start = Instant::now();
        black_box(prober.probe(position).is_ok());
        start.elapsed()
    };
    let best_of_three = |position| (0..3).map(|_| time(position)).min();
    positions.iter().filter_map(best_of_three).max().unwrap_or_default()
}

/// Plain tables to 4 pieces in a temporary directory.
fn plain_tables(directory: &Path) -> Tables {
    let decoded = Decoded::new(IMAGE_4, &Watch::default()).expect("a sound image");
    decoded.write(directory, |_, _| ()).expect("a directory to write to");
    Tables::open(directory, Metric::Wld, Check::Header)
}

fn plain(c: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let tables = plain_tables(directory.path());
    let positions = positions(4);
    let compact = CompactTable::open(IMAGE_4).expect("a sound image");
    let sum = probe_all(&compact, &positions);
    assert_eq!(probe_all(&tables, &positions), sum);
    let mut group = c.benchmark_group("plain");
    group.throughput(Throughput::Elements(POSITIONS as u64)).sample_size(10);
    group.bench_function("warm", |b| b.iter(|| assert_eq!(probe_all(&tables, &positions), sum)));
    drop(tables);
    group.bench_function("cold", |b| {
        b.iter_custom(|rounds| {
            let pass = |_| {
                forget_cached(directory.path());
                let tables = Tables::open(directory.path(), Metric::Wld, Check::Header);
                let start = Instant::now();
                assert_eq!(probe_all(&tables, &positions), sum);
                start.elapsed()
            };
            (0..rounds).map(pass).sum()
        });
    });
}

/// Makes the system forget what it keeps of the files (GNU dd does that for any user).
fn forget_cached(directory: &Path) {
    for file in std::fs::read_dir(directory).expect("the directory").flatten() {
        let input = format!("if={}", file.path().display());
        let _ =
            Command::new("dd").args([&input, "iflag=nocache", "count=0", "status=none"]).status();
    }
}

fn threads(c: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let tables = plain_tables(directory.path());
    let compact = CompactTable::open(IMAGE_4).expect("a sound image");
    let positions = positions(4);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut group = c.benchmark_group("threads");
    group.throughput(Throughput::Elements(POSITIONS as u64)).sample_size(10);
    let sum = probe_all(&compact, &positions);
    for threads in (0..).map(|i| 1 << i).take_while(|threads| *threads <= cores) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        group.bench_function(BenchmarkId::new("compact", threads), |b| {
            b.iter(|| assert_eq!(pool.install(|| probe_in_parallel(&compact, &positions)), sum));
        });
        group.bench_function(BenchmarkId::new("plain", threads), |b| {
            b.iter(|| assert_eq!(pool.install(|| probe_in_parallel(&tables, &positions)), sum));
        });
    }
}

criterion_group!(benches, compact, plain, threads);
criterion_main!(benches);
