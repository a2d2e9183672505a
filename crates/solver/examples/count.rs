//! Counts every material to so many pieces, and the plies of its longest phase, without tables:
//! `count 7 [THREADS [MOVES]] > benches/record/...tsv`. With a number of moves, by the rule that a
//! draw may be claimed after so many of each side without a man move or a capture.
//!
//! Materials that nothing needs any more are dropped, so that all of 7 pieces takes 15 GB.

use std::collections::HashMap;
use std::io::Write;
use std::time::Instant;

use crownhead_index::{Material, materials_to};
use crownhead_solver::{Backend, Control, Cpu, Job, Metric};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let pieces: u32 =
        arguments.next().and_then(|n| n.parse().ok()).expect("count PIECES [THREADS [MOVES]]");
    let threads = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let moves: Option<u32> = arguments.next().and_then(|n| n.parse().ok());
    let cpu = Cpu::new(Metric::Wld).with_phases();
    let cpu = moves.into_iter().fold(cpu, Cpu::with_move_limit);
    let materials: Vec<Material> = materials_to(pieces).collect();
    let mut last_use: HashMap<Material, usize> = HashMap::new();
    for (at, material) in materials.iter().enumerate() {
        last_use.insert(*material, at);
        last_use.extend(material.parts().map(|part| (part, at)));
    }
    let start = Instant::now();
    let mut out = std::io::stdout().lock();
    writeln!(out, "material\tto_move\twins\tlosses\tdraws\tlongest_phase\tseconds").unwrap();
    for (at, &material) in materials.iter().enumerate() {
        let begin = Instant::now();
        let summary = pool.install(|| {
            cpu.build(Job::finish(material), &Control::default()).unwrap();
            cpu.summary(material).unwrap()
        });
        let (phase, seconds) =
            (cpu.longest_phase(material).unwrap(), begin.elapsed().as_secs_f64());
        for (side, counts) in ["black", "white"].iter().zip(&summary.sides) {
            if counts.positions() > 0 {
                let (wins, losses, draws) = (counts.wins, counts.losses, counts.draws);
                writeln!(
                    out,
                    "{material}\t{side}\t{wins}\t{losses}\t{draws}\t{phase}\t{seconds:.1}"
                )
                .unwrap();
            }
        }
        out.flush().unwrap();
        last_use.iter().filter(|(_, last)| **last == at).for_each(|(part, _)| cpu.release(*part));
    }
    eprintln!("{:.1} seconds of wall time", start.elapsed().as_secs_f64());
}
