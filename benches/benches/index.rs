//! Rank and unrank in the perfect index, and probes of plain tables, in random order.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead_index::{Material, PerfectIndex};
use crownhead_rules::{Color, Position, Prober, Value};
use crownhead_table::{Check, Encoding, Metric, PlainWriter, Tables};

const SAMPLE: u64 = 4096;

/// Ranks below `len`, in an order without locality.
fn ranks(len: u64) -> impl Iterator<Item = u64> {
    (0..SAMPLE).map(move |i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % len)
}

fn rank_and_unrank(c: &mut Criterion) {
    for name in ["KKvK", "KMvKM", "KKMvKMM", "MMMvMMM", "KKKvKKK"] {
        let material: Material = name.parse().unwrap();
        let index: PerfectIndex = PerfectIndex::new(material).unwrap();
        let ranks: Vec<u32> = ranks(index.len().into()).map(|rank| rank as u32).collect();
        let positions: Vec<Position> =
            ranks.iter().map(|&rank| index.unrank(rank, Color::Black).unwrap()).collect();

        let mut group = c.benchmark_group("index");
        group.throughput(Throughput::Elements(SAMPLE));
        let expected: u64 = ranks.iter().map(|&rank| u64::from(rank)).sum();
        group.bench_function(format!("rank/{name}"), |b| {
            b.iter(|| {
                let sum: u64 =
                    positions.iter().map(|p| u64::from(index.rank(black_box(p)).unwrap())).sum();
                assert_eq!(sum, expected);
            });
        });
        group.bench_function(format!("unrank/{name}"), |b| {
            b.iter(|| {
                for (&rank, position) in ranks.iter().zip(&positions) {
                    let found = index.unrank(black_box(rank), Color::Black);
                    assert_eq!(found.as_ref(), Some(position));
                }
            });
        });
        group.finish();
    }
}

/// The values of the positions 0, 1, 2, ... of the made-up table, over and over.
const VALUES: [Value; 4] = [Value::Win, Value::Loss, Value::Draw, Value::Draw];

/// Writes a table whose values follow from the ranks alone.
fn write_made_up_table(directory: &Path, material: Material) {
    let encoding = Encoding::new(Metric::Wld, 2).unwrap();
    let mut writer = PlainWriter::create(directory, material, encoding).unwrap();
    let index = PerfectIndex::<u64>::new(material).unwrap();
    for _ in index.sides() {
        let mut bytes = vec![0b1001; index.len().div_ceil(4) as usize];
        if !index.len().is_multiple_of(4) {
            *bytes.last_mut().unwrap() &= (1 << (2 * (index.len() % 4))) - 1;
        }
        writer.write(&bytes).unwrap();
    }
    writer.finish().unwrap();
}

fn probe(c: &mut Criterion) {
    let directory = tempfile::tempdir().unwrap();
    let mut group = c.benchmark_group("plain");
    group.throughput(Throughput::Elements(SAMPLE));
    for name in ["KMvKM", "KKMvKM", "KKMvKMM"] {
        let material: Material = name.parse::<Material>().unwrap().canonical();
        write_made_up_table(directory.path(), material);
        let index = PerfectIndex::<u64>::new(material).unwrap();
        let tables = Tables::open(directory.path(), Metric::Wld, Check::Everything);
        let positions: Vec<(Position, Value)> = ranks(index.len())
            .map(|rank| {
                (index.unrank(rank, Color::Black).unwrap().mirror(), VALUES[rank as usize % 4])
            })
            .collect();
        group.bench_function(format!("probe/{name}"), |b| {
            b.iter(|| {
                for (position, value) in &positions {
                    assert_eq!(tables.probe(black_box(position)).unwrap().value, *value);
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, rank_and_unrank, probe);
criterion_main!(benches);
