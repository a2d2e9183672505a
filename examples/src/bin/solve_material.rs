//! Solves one material, two kings against one, with all that it depends on, and counts it.
//!
//! > KKvK: 29760 positions, 15258 wins, 13018 losses, 1484 draws

use anyhow::Result;
use crownhead_solver::{Cpu, Metric, Options, Pipeline, Plan};

fn main() -> Result<()> {
    let material = "KKvK".parse()?;
    let pipeline = Pipeline {
        backend: &Cpu::new(Metric::Wld),
        plan: &Plan::with_parts(&[material]),
        // No directory: count only. With one, finished tables are kept and taken up again.
        options: Options::default(),
        stop: &false.into(),
        observer: &|_| {},
    };
    let finished = pipeline.run()?;
    let [.., last] = &finished[..] else { anyhow::bail!("nothing was built") };
    let (mut wins, mut losses, mut draws) = (0, 0, 0);
    for side in &last.summary.sides {
        wins += side.wins;
        losses += side.losses;
        draws += side.draws;
    }
    let positions = last.summary.positions();
    println!("{material}: {positions} positions, {wins} wins, {losses} losses, {draws} draws");
    Ok(())
}
