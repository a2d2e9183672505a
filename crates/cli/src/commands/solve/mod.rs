//! `crownhead solve`: builds tables.

mod levels;
mod report;
mod watch;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use anyhow::anyhow;
use crownhead_index::Material;
use crownhead_solver::{
    Backend, Cpu, Event, LevelTask, Metric, Options, Pipeline, Plan, Share, Stages,
};

use self::watch::{News, Watch};
use super::TablesArg;
use crate::backends::{BackendArgs, Kind};
use crate::kill::KillAt;
use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};
use crate::{system, text};

/// The largest number of pieces for which `solve` builds distances unless told otherwise.
const DISTANCES_TO: u32 = 4;

/// Arguments of `solve`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Build every material with 2 to this many pieces [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=24))]
    pieces: Option<u32>,
    /// Build these materials with all that they depend on, such as KKMvKM.
    #[arg(long, value_name = "M", num_args = 1.., conflicts_with = "pieces")]
    material: Vec<Material>,
    /// Build exactly this material from parts that are there.
    #[arg(long, value_name = "M", conflicts_with_all = ["pieces", "material"])]
    only: Option<Material>,
    /// Solve only these levels of the material's men, the most advanced being level 0; the first
    /// and the one after the last. A later solve --only takes them from the working files.
    #[arg(long, value_name = "A..B", requires_all = ["only", "working"], value_parser = levels::parse)]
    levels: Option<Range<u32>>,
    /// Solve only this share of a level, as in 2/8.
    #[arg(long, value_name = "I/N", requires = "levels", default_value_t = Share::WHOLE)]
    share: Share,
    /// What the tables say: wld (win, draw or loss), dtc (plies to the next conversion) or dtw
    /// (plies to the end) [default: dtw to 4 pieces, else wld; with --gpu wld]
    #[arg(long, value_name = "X")]
    metric: Option<Metric>,
    #[command(flatten)]
    backend: BackendArgs,
    /// Memory to use at most, such as 3GiB; with --gpu, of the device's memory, and what does not
    /// fit waits in the host's [default: what is free]
    #[arg(long, value_name = "BYTES", value_parser = text::parse_bytes)]
    memory: Option<u64>,
    /// Keep solved words in memory-mapped files in this directory (values with --cpu only): a build
    /// may then take more memory than there is, a stopped one goes on inside a material, and other
    /// machines that see the directory can share the work.
    #[arg(long, value_name = "DIR")]
    working: Option<PathBuf>,
    /// Count only: write no table.
    #[arg(long)]
    no_tables: bool,
    /// Say what would be done and what it takes, and do nothing.
    #[arg(long)]
    dry_run: bool,
    /// Build finished tables again.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    tables: TablesArg,
}

impl Args {
    fn plan(&self) -> Plan {
        match (self.only, self.material.as_slice()) {
            (Some(material), _) => Plan::only(material),
            (None, []) => Plan::to_pieces(self.pieces.unwrap_or(DISTANCES_TO)),
            (None, materials) => Plan::with_parts(materials),
        }
    }

    fn metric(&self, plan: &Plan) -> Metric {
        let pieces = plan.steps().iter().map(|step| step.material.pieces()).max().unwrap_or(0);
        let values_only = self.backend.is_gpu() || self.working.is_some();
        let distances = pieces <= DISTANCES_TO && !values_only;
        let default = if distances { Metric::Dtw } else { Metric::Wld };
        self.metric.unwrap_or(default)
    }

    /// The backend that was asked for, with the working files that were asked for.
    fn backend(&self, metric: Metric) -> Result<Box<dyn Backend>, Failure> {
        let kind = self.backend.kind(self.memory);
        match &self.working {
            None if kind == Kind::Cpu && self.no_tables => {
                Ok(Box::new(Cpu::new(metric).with_summaries_only()))
            }
            None => kind.make(metric),
            Some(directory) if kind == Kind::Cpu && metric == Metric::Wld => {
                Ok(Box::new(Cpu::new(metric).with_working_files(directory.clone())))
            }
            Some(_) => Err(Failure::bad_input(anyhow!(
                "--working is for --metric wld on the processor: use it with --cpu --metric wld"
            ))),
        }
    }

    /// What all that is solved may take at a time. A GPU keeps within its own limit by itself.
    fn memory_of_host(&self) -> Option<u64> {
        match (self.memory, system::available_memory()) {
            (Some(device), free) if self.backend.is_gpu() => free?.checked_add(device),
            (limit, free) => limit.or(free),
        }
    }

    fn options(&self) -> Options<'_> {
        Options {
            directory: Some(&self.tables.tables),
            write: !self.no_tables,
            force: self.force,
            memory: self.memory_of_host(),
            disk: system::free_space(&self.tables.tables),
            ..Options::default()
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let plan = args.plan();
    let metric = args.metric(&plan);
    let backend = args.backend(metric)?;
    let pool = args.backend.pool()?;
    let start = Instant::now();
    let stop = AtomicBool::new(false);
    let (news, told) = mpsc::channel();
    let observer = |event: Event<'_>| {
        // Nobody listens any more once standard output is closed.
        let _ = news.send(News::from(event));
    };
    let kill_at = KillAt::from_environment()?;
    let reach = |stage| {
        if let Some(kill_at) = &kill_at {
            kill_at.reach(stage);
        }
    };
    let stages = if kill_at.is_some() { Stages::new(&reach) } else { Stages::default() };
    let pipeline = Pipeline {
        backend: backend.as_ref(),
        plan: &plan,
        options: Options { stages, ..args.options() },
        stop: &stop,
        observer: &observer,
    };
    if args.dry_run {
        let survey = pool.install(|| pipeline.survey())?;
        return report::dry_run(&pipeline, &survey, out);
    }
    if let (Some(material), Some(levels)) = (args.only, &args.levels) {
        let task = LevelTask::whole(material, levels.clone()).shared(args.share);
        return levels::run(&pool, &pipeline, &task, out);
    }
    let finished = std::thread::scope(|scope| {
        let build = scope.spawn(|| {
            let result = pool.install(|| pipeline.run());
            let _ = news.send(News::End);
            result
        });
        let shown = Watch::new(&pipeline, out).show(told);
        if shown.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        let finished = build.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        shown.map_err(Failure::from).and(finished.map_err(Failure::from))
    })?;
    if let Some(kill_at) = &kill_at {
        kill_at.report();
    }
    report::summary(&pipeline, &finished, start.elapsed(), out)?;
    Ok(Status::Done)
}
