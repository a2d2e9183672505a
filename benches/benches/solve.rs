//! Whole builds with the set-wise backend by vector path and by metric, and each phase of one large
//! material.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead_index::{Material, materials_to};
use crownhead_solver::{Backend, Control, Cpu, Job, Metric, Summary, VectorPath};

/// Pieces, then wins, losses and draws of all materials, published and from other programs.
const TOTALS: [(u32, [u64; 3]); 2] =
    [(4, [2_675_270, 2_004_797, 1_728_769]), (5, [74_010_042, 58_997_941, 12_851_661])];

/// The material whose phases are measured: the largest to 6 pieces but two, with kings of both
/// sides in rows and lanes.
const LARGE: &str = "KKMvKKM";

fn build(cpu: &Cpu, material: Material) -> Summary {
    cpu.build(Job::finish(material), &Control::default()).unwrap();
    cpu.summary(material).unwrap()
}

fn totals(cpu: &Cpu, pieces: u32) -> [u64; 3] {
    let mut totals = [0; 3];
    for material in materials_to(pieces) {
        for counts in build(cpu, material).sides {
            totals[0] += counts.wins;
            totals[1] += counts.losses;
            totals[2] += counts.draws;
        }
    }
    totals
}

/// All positions a second, on all threads: no table is read or written.
fn solve(c: &mut Criterion) {
    for (pieces, right) in TOTALS {
        let mut group = c.benchmark_group("cpu");
        group.sample_size(10).measurement_time(Duration::from_secs(10));
        group.throughput(Throughput::Elements(right.iter().sum()));
        for path in VectorPath::ALL.into_iter().filter(|path| path.is_available()) {
            group.bench_function(format!("solve wld to {pieces}, {}", path.name()), |b| {
                b.iter(|| {
                    let cpu = Cpu::new(Metric::Wld).with_path(path);
                    assert_eq!(totals(&cpu, pieces), right);
                });
            });
        }
        for metric in [Metric::Dtc, Metric::Dtw] {
            group.bench_function(format!("solve {metric} to {pieces}"), |b| {
                b.iter(|| assert_eq!(totals(&Cpu::new(metric), pieces), right));
            });
        }
        group.finish();
    }
}

/// Each phase of one material, time summed over the threads.
fn phases(c: &mut Criterion) {
    let material: Material = LARGE.parse().unwrap();
    let cpu = Cpu::new(Metric::Wld);
    for part in materials_to(material.pieces()) {
        if part.pieces() < material.pieces() || part.men() < material.men() {
            build(&cpu, part);
        }
    }
    let mut group = c.benchmark_group(format!("cpu {LARGE}"));
    group.sample_size(10);
    group.throughput(Throughput::Elements(material.positions().unwrap()));
    for (phase, name) in ["classify", "men", "sweep"].into_iter().enumerate() {
        group.bench_function(name, |b| {
            b.iter_custom(|times| {
                (0..times).map(|_| cpu.time_phases(material).unwrap()[phase]).sum()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solve, phases);
criterion_main!(benches);
