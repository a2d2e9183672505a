//! Move generation: positions a second from the start, and what a single position costs.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead_rules::Position;

/// Published count of move sequences of this length.
const PLIES: u32 = 9;
const ROUTES: u64 = 3_963_680;

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(ROUTES));
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    group.bench_function("every leaf made", |bencher| {
        bencher.iter(|| assert_eq!(black_box(Position::START).perft(PLIES), ROUTES));
    });
    group.bench_function("last ply in bulk", |bencher| {
        bencher.iter(|| assert_eq!(black_box(Position::START).perft_bulk(PLIES), ROUTES));
    });
    group.finish();
}

fn single_positions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("moves of one position");
    for (name, fen, routes) in [
        ("start", "B:W21-32:B1-12", 7),
        ("kings", "W:WK10,K14,K19,K23:BK1,K28,K32", 12),
        ("nine jumps", "W:WK4:BK6,K7,K8,K14,K15,K16,K22,K23,K24", 9),
    ] {
        let position: Position = fen.parse().expect("a FEN");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut count = 0;
                let _ = black_box(position).visit_moves(|m| {
                    black_box(m);
                    count += 1;
                    ControlFlow::<()>::Continue(())
                });
                assert_eq!(count, routes);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, perft, single_positions);
criterion_main!(benches);
