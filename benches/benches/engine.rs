//! The engine: positions a second in search, and table probes a second within it.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead_engine::{
    Engine, Game, Limits, ProofSlot, Prover, SIGNATURE_SLOTS, Slot, TranspositionTable, signature,
};
use crownhead_rules::{Position, Value};
use crownhead_solver::{Cpu, Options, Pipeline, Plan};
use crownhead_table::{Check, Metric, Tables};

fn slots(number: usize) -> Vec<Slot> {
    std::iter::repeat_with(Slot::default).take(number).collect()
}

/// Tables to three pieces, values only.
fn tables(directory: &std::path::Path) -> Tables {
    let backend = Cpu::new(Metric::Wld);
    let options = Options { directory: Some(directory), write: true, ..Options::default() };
    let (plan, stop) = (Plan::to_pieces(3), std::sync::atomic::AtomicBool::new(false));
    Pipeline { backend: &backend, plan: &plan, options, stop: &stop, observer: &|_| {} }
        .run()
        .expect("tables");
    Tables::open(directory, Metric::Wld, Check::Everything)
}

/// Positions visited a second, by the search that gives the signature.
fn search(c: &mut Criterion) {
    let slots = slots(SIGNATURE_SLOTS);
    let nodes = signature(&slots);
    let mut group = c.benchmark_group("search");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    group.throughput(Throughput::Elements(nodes));
    group.bench_function("nodes", |b| {
        b.iter(|| assert_eq!(signature(black_box(&slots)), nodes, "deterministic"));
    });
    group.finish();
}

/// Table answers a second while an ending with four pieces is searched above tables to three.
fn probes(c: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = tables(directory.path());
    let slots = slots(SIGNATURE_SLOTS);
    let table = TranspositionTable::new(&slots);
    let run = || {
        table.clear();
        let position: Position = "B:W11,6:B3,K25".parse().expect("a position");
        Engine::new(table, &tables).search(&Game::new(position), &Limits::depth(14), |_| {})
    };
    let report = run();
    assert!(report.table_hits > 100, "{report:?}");
    let mut group = c.benchmark_group("search");
    group.throughput(Throughput::Elements(report.table_hits));
    group.bench_function("table hits", |b| b.iter(|| assert_eq!(run().nodes, report.nodes)));
    group.finish();
}

/// One proof of each of some positions with four pieces above tables to three, which take at most
/// some ten thousand positions.
fn proofs(c: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = tables(directory.path());
    let won = [("W:WK26,K27:B21,K25", Value::Win), ("B:WK26,K27:B21,K25", Value::Loss)];
    let mut group = c.benchmark_group("proof");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    for (fen, value) in won {
        let position: Position = fen.parse().expect("a position");
        group.bench_function(fen, |b| {
            b.iter(|| {
                let mut slots = vec![ProofSlot::default(); 1 << 16];
                let proof = Prover::new(&mut slots, &tables).prove(
                    &position,
                    None,
                    &Limits::nodes(2_000_000),
                );
                assert_eq!(proof.value(), Some(value));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, search, probes, proofs);
criterion_main!(benches);
