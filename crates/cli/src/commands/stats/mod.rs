//! `crownhead stats`: what is in the tables.

mod image;

use anyhow::anyhow;
use crownhead_index::{Material, materials_to};
use crownhead_rules::Color;
use crownhead_table::{
    Check, Longest, MappedFile, Metric, PlainTable, TableError, TableErrorKind, open_table,
};
use serde::Serialize;

use super::TablesArg;
use crate::image::ImageArg;
use crate::output::Output;
use crate::status::{CommandResult, Failure, Status, status_of_table};
use crate::text::grouped;

/// Arguments of `stats`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// This material only, the side to move first.
    #[arg(long, value_name = "M")]
    material: Option<Material>,
    /// Tables of this metric: wld, dtc or dtw [default: the richest there is, dtw before dtc]
    #[arg(long, value_name = "X")]
    metric: Option<Metric>,
    #[command(flatten)]
    image: ImageArg,
    #[command(flatten)]
    tables: TablesArg,
}

/// Counts of a material for the side named first, to move.
#[derive(Serialize)]
struct Record {
    material: String,
    positions: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    metric: &'static str,
    longest_win: Option<u16>,
    longest_loss: Option<u16>,
    longest_win_fen: Option<String>,
    longest_loss_fen: Option<String>,
}

impl Record {
    fn new(table: &PlainTable<MappedFile>, side: Color) -> Self {
        let header = table.header();
        let counts = &header.sides[side as usize];
        let fen = |longest: Option<Longest>| {
            Some(table.index().unrank(longest?.first, side)?.to_string())
        };
        let material = match side {
            Color::Black => header.material,
            Color::White => header.material.mirror(),
        };
        Self {
            material: material.to_string(),
            positions: header.positions,
            wins: counts.wins,
            losses: counts.losses,
            draws: counts.draws,
            metric: header.encoding.metric().name(),
            longest_win: counts.longest_win.map(|longest| longest.plies),
            longest_loss: counts.longest_loss.map(|longest| longest.plies),
            longest_win_fen: fen(counts.longest_win),
            longest_loss_fen: fen(counts.longest_loss),
        }
    }

    fn row(&self) -> String {
        let longest = |plies: Option<u16>, fen: &Option<String>| match (plies, fen) {
            (Some(plies), Some(fen)) => format!("{plies:>4} {fen:<24}"),
            _ => format!("{:>4} {:<24}", "-", ""),
        };
        format!(
            "{:<12} {:>13} {:>13} {:>13} {:>13}  {:<4} {} {}",
            self.material,
            grouped(self.positions),
            grouped(self.wins),
            grouped(self.losses),
            grouped(self.draws),
            self.metric,
            longest(self.longest_win, &self.longest_win_fen),
            longest(self.longest_loss, &self.longest_loss_fen),
        )
        .trim_end()
        .to_owned()
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    if let Some(path) = &args.image.image {
        return image::run(args, path, out);
    }
    let mut status = Status::Done;
    let mut shown = 0;
    let materials: Vec<Material> = match args.material {
        Some(material) => vec![material.canonical()],
        None => materials_to(2 * Material::MAX_SIDE).collect(),
    };
    for material in materials {
        let table = match richest(args, material) {
            None => continue,
            Some(Ok(table)) => table,
            Some(Err(error)) => {
                status = status.max(status_of_table(&error));
                eprintln!("error: {error}");
                continue;
            }
        };
        for &side in table.header().stored_sides() {
            let record = Record::new(&table, side);
            if args.material.is_some_and(|wanted| wanted.to_string() != record.material) {
                continue;
            }
            if shown == 0 {
                out.human(heading())?;
            }
            shown += 1;
            out.json(&record)?;
            out.human(record.row())?;
        }
    }
    if shown == 0 && status == Status::Done {
        return Err(nothing(args));
    }
    Ok(status)
}

/// The line above the rows.
fn heading() -> String {
    format!(
        "{:<12} {:>13} {:>13} {:>13} {:>13}  {:<4} {:>29} {:>29}",
        "material",
        "positions",
        "wins",
        "losses",
        "draws",
        "",
        "longest win (plies)",
        "longest loss (plies)"
    )
}

/// The table of the asked or richest metric; `None` when there is none of any.
fn richest(args: &Args, material: Material) -> Option<Result<PlainTable<MappedFile>, TableError>> {
    let all = Metric::ALL.into_iter().rev();
    all.filter(|metric| args.metric.is_none_or(|asked| asked == *metric))
        .map(|metric| open_table(&args.tables.tables, material, metric, Check::Header))
        .find(|table| !matches!(table, Err(TableError { kind: TableErrorKind::Missing, .. })))
}

fn nothing(args: &Args) -> Failure {
    let metric = args.metric.map_or(String::new(), |metric| format!("{metric} "));
    let what = args.material.map_or("tables".to_owned(), |material| format!("table of {material}"));
    let me = super::invoked_as();
    let more = args.material.map_or(String::new(), |material| format!(" --material {material}"));
    Failure::missing(anyhow!(
        "no {metric}{what} in {}; `{me} solve{more}` builds what is missing",
        args.tables.tables.display()
    ))
}
