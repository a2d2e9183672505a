//! Whole builds to 3 and 4 pieces with the per-position reference, and their verification.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead_index::materials_to;
use crownhead_solver::{Counts, Finished, Metric, Options, Pipeline, Plan, Reference};
use crownhead_table::{Check, Tables};
use crownhead_verify::verify_table;

/// Pieces, then wins, losses and draws of all materials, published and from other programs.
const TOTALS: [(u32, [u64; 3]); 2] =
    [(3, [100_966, 87_707, 10_847]), (4, [2_675_270, 2_004_797, 1_728_769])];

fn build(plan: &Plan, metric: Metric, directory: Option<&Path>) -> Vec<Finished> {
    let backend = Reference::new(metric);
    let options = Options { directory, write: directory.is_some(), ..Options::default() };
    let stop = AtomicBool::new(false);
    Pipeline { backend: &backend, plan, options, stop: &stop, observer: &|_| {} }.run().unwrap()
}

fn totals(finished: &[Finished]) -> [u64; 3] {
    let sides = || finished.iter().flat_map(|finished| &finished.summary.sides);
    let sum = |of: fn(&Counts) -> u64| sides().map(of).sum();
    [sum(|counts| counts.wins), sum(|counts| counts.losses), sum(|counts| counts.draws)]
}

/// All positions a second: no table is read or written.
fn solve(c: &mut Criterion) {
    for (pieces, right) in TOTALS {
        let plan = Plan::to_pieces(pieces);
        let mut group = c.benchmark_group("reference");
        group.sample_size(10).measurement_time(Duration::from_secs(10));
        group.throughput(Throughput::Elements(right.iter().sum()));
        for metric in Metric::ALL {
            group.bench_function(format!("solve {metric} to {pieces}"), |b| {
                b.iter(|| assert_eq!(totals(&build(&plan, metric, None)), right));
            });
        }
        group.finish();
    }
}

/// Every value of all tables to 3 pieces against its successors'.
fn verify(c: &mut Criterion) {
    let mut group = c.benchmark_group("verify");
    group.sample_size(10);
    for metric in Metric::ALL {
        let directory = tempfile::tempdir().unwrap();
        build(&Plan::to_pieces(3), metric, Some(directory.path()));
        let tables = Tables::open(directory.path(), metric, Check::Everything);
        let all = || -> u64 {
            materials_to(3).map(|material| verify_table(&tables, material, &|_| {}).unwrap()).sum()
        };
        group.throughput(Throughput::Elements(all()));
        group.bench_function(format!("{metric} to 3"), |b| b.iter(|| assert_eq!(all(), 199_520)));
    }
    group.finish();
}

criterion_group!(benches, solve, verify);
criterion_main!(benches);
