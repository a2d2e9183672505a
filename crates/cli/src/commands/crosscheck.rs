//! `crownhead crosscheck`: builds with every backend and compares bit for bit.

use clap::ValueEnum;
use crownhead_index::{Material, PerfectIndex};
use crownhead_rules::Position;
use crownhead_solver::{Backend, Control, Flags, Job, Metric, Phase, Plan, SolveError, Summary};
use serde::Serialize;

use crate::backends::Kind;
use crate::gpu;
use crate::output::Output;
use crate::progress;
use crate::status::{CommandResult, Failure, Status};

/// Arguments of `crosscheck`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Every material with 2 to this many pieces.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=8))]
    pieces: u32,
    /// Compare at the end of this phase of each material's build.
    #[arg(long, value_name = "PHASE", value_enum, default_value_t = Until::Finish)]
    until: Until,
    /// Leave the GPU out.
    #[arg(long)]
    no_gpu: bool,
    /// The GPU to use: its name, a part of it, or its index.
    #[arg(long, value_name = "NAME|INDEX", conflicts_with = "no_gpu")]
    adapter: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Until {
    /// Captures and promotions are looked up.
    Classify,
    /// Man moves are added.
    Men,
    /// King moves are swept.
    Sweep,
    /// The values are stored.
    Finish,
}

impl From<Until> for Phase {
    fn from(until: Until) -> Self {
        match until {
            Until::Classify => Self::Classify,
            Until::Men => Self::Men,
            Until::Sweep => Self::Sweep,
            Until::Finish => Self::Finish,
        }
    }
}

#[derive(Serialize)]
struct Record<'a> {
    material: String,
    backends: &'a [&'static str],
    equal: bool,
    /// The first position in the order of the tables that two backends disagree on.
    first_difference: Option<String>,
}

/// The first position that two backends disagree on, and what each says of it.
struct Difference {
    position: Position,
    said: Vec<(&'static str, Flags)>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let gpu = gpu::Choice { adapter: args.adapter.clone(), memory: None };
    let kinds = Kind::to_compare((!args.no_gpu).then_some(gpu));
    let backends: Vec<Box<dyn Backend>> =
        kinds.into_iter().map(|kind| kind.make(Metric::Wld)).collect::<Result<_, _>>()?;
    let names: Vec<&'static str> = backends.iter().map(|backend| backend.name()).collect();
    for backend in &backends {
        if let Some(adapter) = backend.adapter() {
            eprintln!("{}: {adapter}", backend.name());
        }
    }
    let plan = Plan::to_pieces(args.pieces);
    let bar = progress::bar(plan.positions() as u64, "positions");
    let mut unequal = 0;
    for step in plan.steps() {
        let material = step.material;
        bar.set_message(material.to_string());
        let difference = compare(&backends, material, args.until.into())?;
        bar.inc(material.positions::<u64>().unwrap_or(0));
        let record = Record {
            material: material.to_string(),
            backends: &names,
            equal: difference.is_none(),
            first_difference: difference.as_ref().map(|d| d.position.to_string()),
        };
        bar.suspend(|| out.json(&record))?;
        out.flush()?;
        if let Some(difference) = difference {
            unequal += 1;
            bar.suspend(|| out.human(format_args!("{material}: {}", difference.describe())))?;
        }
    }
    bar.finish_and_clear();
    out.human(format_args!(
        "{} materials built by {}, compared after {}: {}",
        plan.steps().len(),
        names.join(", "),
        Phase::from(args.until).name(),
        if unequal == 0 { "all equal".to_owned() } else { format!("{unequal} differ") }
    ))?;
    Ok(if unequal == 0 { Status::Done } else { Status::Negative })
}

/// Builds one material on every backend, compares at the phase, and finishes it for what follows.
fn compare(
    backends: &[Box<dyn Backend>],
    material: Material,
    until: Phase,
) -> Result<Option<Difference>, Failure> {
    let control = Control::default();
    for backend in backends {
        backend.build(Job { material, until }, &control)?;
    }
    let mut difference = None;
    for &side in Summary::sides_of(material) {
        let snapshots = backends.iter().map(|backend| backend.snapshot(material, side));
        let snapshots: Vec<Vec<Flags>> = snapshots.collect::<Result<_, SolveError>>()?;
        let Some(rank) = first_unequal(&snapshots) else { continue };
        let index = PerfectIndex::<u64>::new(material).map_err(Failure::bad_input)?;
        // A snapshot that is too long differs where there is no position any more.
        let position = index.unrank(rank as u64, side).unwrap_or(Position::empty(side));
        let said = backends.iter().zip(&snapshots).map(|(backend, snapshot)| {
            (backend.name(), snapshot.get(rank).copied().unwrap_or_default())
        });
        difference.get_or_insert(Difference { position, said: said.collect() });
    }
    if until < Phase::Finish {
        for backend in backends {
            backend.build(Job::finish(material), &control)?;
        }
    }
    Ok(difference)
}

/// The first place where not all snapshots say the same.
fn first_unequal(snapshots: &[Vec<Flags>]) -> Option<usize> {
    let (first, others) = snapshots.split_first()?;
    others
        .iter()
        .filter(|other| *other != first)
        .map(|other| {
            let differs = first.iter().zip(other).position(|(a, b)| a != b);
            differs.unwrap_or_else(|| first.len().min(other.len()))
        })
        .min()
}

impl Difference {
    fn describe(&self) -> String {
        let mut text = format!("first difference at {}:", self.position);
        for (name, flags) in &self.said {
            text.push_str(&format!(" {name} {};", words(*flags)));
        }
        text
    }
}

fn words(flags: Flags) -> String {
    let names = [
        (Flags::WIN, "win"),
        (Flags::LOSS, "loss"),
        (Flags::QUIET, "quiet"),
        (Flags::LOSSABLE, "lossable"),
    ];
    let set: Vec<&str> =
        names.into_iter().filter(|(bit, _)| flags.0 & bit != 0).map(|(_, name)| name).collect();
    if set.is_empty() { "open".to_owned() } else { set.join("+") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_found_among_all() {
        let flags = |bytes: &[u8]| bytes.iter().map(|&byte| Flags(byte)).collect::<Vec<_>>();
        assert_eq!(first_unequal(&[]), None);
        assert_eq!(first_unequal(&[flags(&[1, 2]), flags(&[1, 2])]), None);
        let three = [flags(&[1, 2, 3]), flags(&[1, 2, 0]), flags(&[1, 0, 3])];
        assert_eq!(first_unequal(&three), Some(1));
        assert_eq!(first_unequal(&[flags(&[1, 2]), flags(&[1])]), Some(1), "one is cut short");
    }
}
