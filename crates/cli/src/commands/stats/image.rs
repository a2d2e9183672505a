//! `crownhead stats --image`: what is in a compact image, and what a probe takes.

use std::path::Path;

use crownhead_index::{Material, PerfectIndex, materials_to};
use crownhead_pack::Decoded;
use crownhead_rules::Color;
use rayon::prelude::*;
use serde::Serialize;

use super::{Args, Record, heading};
use crate::image::Image;
use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};
use crate::text::grouped;

/// So many positions of each material and side to move are probed, evenly spaced.
const PROBES: u64 = 1 << 16;

/// Look-ups that probes of one material and side to move took.
#[derive(Clone, Copy, Default)]
struct Lookups {
    probes: u64,
    sum: u64,
    worst: u32,
}

impl Lookups {
    fn with(self, other: Self) -> Self {
        Self {
            probes: self.probes + other.probes,
            sum: self.sum + other.sum,
            worst: self.worst.max(other.worst),
        }
    }

    fn mean(self) -> f64 {
        self.sum as f64 / self.probes.max(1) as f64
    }
}

/// Counts of the image and look-ups for the side named first, to move.
#[derive(Serialize)]
struct ImageRecord {
    #[serde(flatten)]
    counts: Record,
    probes: u64,
    lookups_mean: f64,
    lookups_worst: u32,
}

pub(super) fn run(args: &Args, path: &Path, out: &mut Output) -> CommandResult {
    let image = Image::open(path)?;
    let decoded = image.decode()?;
    let header = *image.header();
    let mut all = Lookups::default();
    let mut positions = 0;
    out.human(format_args!("{}  {:>9} {:>7}", heading(), "look-ups", "worst"))?;
    for material in materials_to(header.pieces.into()) {
        let index = PerfectIndex::<u64>::new(material).map_err(Failure::bad_input)?;
        for &side in index.sides() {
            let counts = record(&decoded, material, side);
            positions += counts.positions;
            if args.material.is_some_and(|wanted| wanted.to_string() != counts.material) {
                continue;
            }
            let lookups = measure(&image, &index, side)?;
            all = all.with(lookups);
            let (mean, worst) = (lookups.mean(), lookups.worst);
            out.human(format_args!("{:<150}  {mean:>9.1} {worst:>7}", counts.row()))?;
            let probes = lookups.probes;
            out.json(&ImageRecord { counts, probes, lookups_mean: mean, lookups_worst: worst })?;
        }
    }
    out.human(format_args!(
        "\n{}: {} positions with 2 to {} pieces in {} bytes; {:.1} look-ups a probe on average, {} \
         at worst, of {} probes",
        path.display(),
        grouped(positions),
        header.pieces,
        grouped(image.bytes().len()),
        all.mean(),
        grouped(all.worst),
        grouped(all.probes)
    ))?;
    Ok(Status::Done)
}

fn record(decoded: &Decoded, material: Material, side: Color) -> Record {
    let [draws, wins, losses] = decoded.counts(material, side);
    let [win, loss] = decoded.longest(material, side);
    let named = if side == Color::Black { material } else { material.mirror() };
    Record {
        material: named.to_string(),
        positions: draws + wins + losses,
        wins,
        losses,
        draws,
        metric: decoded.metric().name(),
        longest_win: win.map(|(plies, _)| plies),
        longest_loss: loss.map(|(plies, _)| plies),
        longest_win_fen: win.map(|(_, position)| position.to_string()),
        longest_loss_fen: loss.map(|(_, position)| position.to_string()),
    }
}

/// Probes positions of one material and side to move.
fn measure(image: &Image, index: &PerfectIndex<u64>, side: Color) -> Result<Lookups, Failure> {
    let step = index.len().div_ceil(PROBES).max(1);
    (0..index.len().div_ceil(step))
        .into_par_iter()
        .filter_map(|i| index.unrank(i * step, side))
        .map(|position| {
            let (_, lookups) = image.table.value_within(&position, u32::MAX)?;
            Ok(Lookups { probes: 1, sum: lookups.into(), worst: lookups })
        })
        .try_reduce(Lookups::default, |a, b| Ok(a.with(b)))
        .map_err(|error: crownhead_table::compact::CompactError<_>| Failure::bad_input(error))
}
