//! Reads tables from a directory of your own choice.
//!
//! > tables to 3 pieces
//! > W:WK18:BK1 is a draw
//! > KKvKK.wld is missing

use anyhow::Result;
use crownhead_rules::{Position, Prober};
use crownhead_solver::Metric;
use crownhead_table::{Check, Tables};

fn main() -> Result<()> {
    // Yours has been filled by `crownhead solve --tables DIR`; this one is filled here.
    let directory = tempfile::tempdir()?;
    build(directory.path())?;

    // Files are mapped when first needed; their checksums are compared then.
    let tables = Tables::open(directory.path(), Metric::Wld, Check::Everything);
    println!("tables to {} pieces", tables.max_pieces());
    let position: Position = "W:WK18:BK1".parse()?;
    println!("{position} is a {}", tables.probe(&position)?.value);
    // What is not there is an error, not a guess.
    let unknown: Position = "W:WK18,K19:BK1,K2".parse()?;
    if tables.probe(&unknown).is_err() {
        println!("KKvKK.wld is missing");
    }
    Ok(())
}

fn build(directory: &std::path::Path) -> Result<()> {
    use crownhead_solver::{Cpu, Options, Pipeline, Plan};
    let pipeline = Pipeline {
        backend: &Cpu::new(Metric::Wld),
        plan: &Plan::to_pieces(3),
        options: Options { directory: Some(directory), write: true, ..Options::default() },
        stop: &false.into(),
        observer: &|_| {},
    };
    pipeline.run()?;
    Ok(())
}
