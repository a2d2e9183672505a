//! `crownhead verify`: checks the tables.

mod image;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, anyhow};
use crownhead_index::Material;
use crownhead_rules::Value;
use crownhead_solver::{RULE40_PIECES, rule40};
use crownhead_table::{Check, Metric, Tables, table_path};
use crownhead_verify::{Fault, Listed, Share, verify_checksums, verify_rule40, verify_share};
use indicatif::ProgressBar;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::TablesArg;
use crate::image::ImageArg;
use crate::output::Output;
use crate::progress;
use crate::status::{CommandResult, Failure, Status};
use crate::text::grouped;

/// Arguments of `verify`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Compare checksums only, not every value with those of the positions that follow.
    #[arg(long)]
    quick: bool,
    /// Compare each file's SHA-256 with this list too, lines of `HASH  NAME` as sha256sum writes.
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// The share of the positions that are compared with those that follow, in percent; counts and
    /// checksums are always checked of all [default: 100 to 6 pieces, 1 for larger materials]
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, conflicts_with = "quick")]
    share: Option<f64>,
    /// Chooses which positions are the share [default: others each time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// This material only.
    #[arg(long, value_name = "M")]
    material: Option<Material>,
    /// Tables of this metric only: wld, dtc or dtw [default: all]
    #[arg(long, value_name = "X")]
    metric: Option<Metric>,
    #[command(flatten)]
    image: ImageArg,
    #[command(flatten)]
    tables: TablesArg,
}

/// The pieces of the largest materials of which every position is compared unless told otherwise,
/// and the share in percent above.
const COMPARED_TO: u32 = 6;
const SHARE_ABOVE: f64 = 1.0;

fn parse_percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').parse() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("expected a number from 0 to 100".to_owned()),
    }
}

#[derive(Serialize)]
struct Record {
    material: String,
    ok: bool,
    positions_checked: u64,
    error: Option<String>,
}

/// What every table is checked with.
struct Checks<'a> {
    quick: bool,
    /// In percent; without, what is usual for the material.
    share: Option<f64>,
    seed: u64,
    listed: Option<Listed>,
    against: Option<BTreeMap<String, String>>,
    directory: &'a Path,
    bar: ProgressBar,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    if let Some(path) = &args.image.image {
        return image::run(args, path, out);
    }
    let directory = args.tables.tables.as_path();
    let against = args.against.as_deref().map(read_sums).transpose().map_err(Failure::bad_input)?;
    let all: Vec<Tables> = Metric::ALL
        .into_iter()
        .filter(|metric| args.metric.is_none_or(|asked| asked == *metric))
        .map(|metric| Tables::open(directory, metric, Check::Everything))
        .collect();
    let work: Vec<(&Tables, Material)> = all
        .iter()
        .flat_map(|tables| tables.materials(2 * Material::MAX_SIDE).map(move |m| (tables, m)))
        .filter(|(_, material)| args.material.is_none_or(|asked| asked.canonical() == *material))
        .collect();
    let (listed, unreadable) = match Listed::read(directory) {
        Ok(listed) => (listed, None),
        Err(fault) => (None, Some(fault)),
    };
    let lost = lost_files(args, listed.as_ref());
    if work.is_empty() && lost.is_empty() {
        return Err(Failure::missing(anyhow!(
            "no table to verify in {}; `{} solve` builds some",
            directory.display(),
            super::invoked_as()
        )));
    }
    let positions = work.iter().filter_map(|(_, material)| material.positions::<u64>()).sum();
    let bar = progress::bar(positions, "positions");
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let (quick, share) = (args.quick, args.share);
    let checks = Checks { quick, share, seed, listed, against, directory, bar };
    if let Some(line) = checks.says_share(&work) {
        checks.bar.suspend(|| eprintln!("{line}"));
    }
    let mut tally = Tally::default();
    for (tables, material) in work {
        let result = checks.table(tables, material);
        checks.bar.suspend(|| tally.show(out, material, tables.metric(), result))?;
    }
    checks.bar.finish_and_clear();
    for (material, metric) in lost {
        let error = "listed in manifest.tsv and not there; solve builds it again";
        tally.show(out, material, metric, Err(anyhow!(error)))?;
    }
    if let Some(fault) = unreadable {
        eprintln!("error: {fault}");
        tally.wrong += 1;
    }
    tally.end(out)
}

impl Checks<'_> {
    /// The share of this material's positions that is compared, in percent.
    fn percent(&self, material: Material) -> f64 {
        let usual = if material.pieces() <= COMPARED_TO { 100.0 } else { SHARE_ABOVE };
        self.share.unwrap_or(usual)
    }

    /// What is left out, and how to compare the same positions again.
    fn says_share(&self, work: &[(&Tables, Material)]) -> Option<String> {
        let percent = work.iter().map(|(_, material)| self.percent(*material));
        let least = percent.reduce(f64::min).filter(|least| *least < 100.0 && !self.quick)?;
        let above = if self.share.is_none() {
            format!(" of materials above {COMPARED_TO} pieces")
        } else {
            String::new()
        };
        Some(format!(
            "comparing a random {least} % of the positions{above} (--seed {} for the same ones); \
             counts and checksums of all",
            self.seed
        ))
    }

    /// All checks of one table; the number of positions that were covered.
    fn table(&self, tables: &Tables, material: Material) -> anyhow::Result<u64> {
        self.bar.set_message(material.to_string());
        let checked = if self.quick {
            verify_checksums(tables, material).inspect(|&positions| self.bar.inc(positions))?
        } else {
            let share = Share::new(self.percent(material) / 100.0, self.seed);
            let compared =
                verify_share(tables, material, share, &|positions| self.bar.inc(positions))?;
            let matters = |material| rule40(material, Value::Win).is_none();
            if material.pieces() <= RULE40_PIECES {
                verify_rule40(tables, material, &matters)?;
            }
            compared
        };
        if let Some(listed) = &self.listed {
            let table = tables.table(material).map_err(Fault::Table)?;
            listed.compare(table.header())?;
        }
        if let Some(sums) = &self.against {
            compare_sum(sums, &table_path(self.directory, material, tables.metric()))?;
        }
        Ok(checked)
    }
}

/// A seed that differs from run to run.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64
}

/// What the manifest lists, has been asked for, and is not there.
fn lost_files(args: &Args, listed: Option<&Listed>) -> Vec<(Material, Metric)> {
    let absent = listed.map_or(Vec::new(), |listed| listed.absent(&args.tables.tables));
    absent
        .into_iter()
        .filter_map(|name| {
            let (material, metric) = name.split_once('.')?;
            Some((material.parse::<Material>().ok()?, metric.parse::<Metric>().ok()?))
        })
        .filter(|(material, metric)| {
            args.material.is_none_or(|asked| asked.canonical() == *material)
                && args.metric.is_none_or(|asked| asked == *metric)
        })
        .collect()
}

/// What was found so far.
#[derive(Default)]
struct Tally {
    right: usize,
    wrong: usize,
    positions: u64,
}

impl Tally {
    fn show(
        &mut self,
        out: &mut Output,
        material: Material,
        metric: Metric,
        result: anyhow::Result<u64>,
    ) -> io::Result<()> {
        let (positions_checked, error) = match result {
            Ok(positions) => (positions, None),
            Err(error) => (0, Some(format!("{error:#}"))),
        };
        match &error {
            None => self.right += 1,
            Some(error) => {
                self.wrong += 1;
                out.human(format_args!("{material}.{metric}: {error}"))?;
            }
        }
        self.positions += positions_checked;
        let material = material.to_string();
        out.json(&Record { material, ok: error.is_none(), positions_checked, error })?;
        out.flush()
    }

    fn end(&self, out: &mut Output) -> CommandResult {
        let Self { right, wrong, positions } = self;
        let checked = grouped(positions);
        out.human(format_args!(
            "{right} tables are right, {wrong} wrong: {checked} positions checked"
        ))?;
        Ok(if *wrong == 0 { Status::Done } else { Status::Negative })
    }
}

/// Reads lines of `HASH  NAME`; a `*` before the name, as for binary files, is left out.
fn read_sums(path: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut sums = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let is_sum = |sum: &str| sum.len() == 64 && sum.bytes().all(|b| b.is_ascii_hexdigit());
        match line.split_once(char::is_whitespace) {
            Some((sum, name)) if is_sum(sum) => {
                let name = name.trim().trim_start_matches('*');
                let name = Path::new(name).file_name().map_or(name.into(), |n| n.to_string_lossy());
                sums.insert(name.into_owned(), sum.to_ascii_lowercase());
            }
            _ => anyhow::bail!(
                "{} line {}: expected 64 hexadecimal digits, two spaces and a file name",
                path.display(),
                number + 1
            ),
        }
    }
    Ok(sums)
}

fn compare_sum(sums: &BTreeMap<String, String>, path: &Path) -> anyhow::Result<()> {
    let name =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let Some(expected) = sums.get(&name) else { return Ok(()) };
    let mut hash = Sha256::new();
    let mut file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    io::copy(&mut file, &mut hash).with_context(|| format!("cannot read {}", path.display()))?;
    let found: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    if found == *expected {
        return Ok(());
    }
    anyhow::bail!("its SHA-256 is {found}, the list says {expected}")
}
