//! From a plan to finished tables: dependency order, files, resumption.

mod files;
mod lock;
mod manifest;
mod plan;
mod residents;
mod survey;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crownhead_index::Material;
use crownhead_table::{Header, TableError};
use rayon::prelude::*;

pub use self::files::expected_bytes;
use self::files::{TableSource, write_table};
use self::lock::{Claim, Lock};
pub use self::manifest::{MANIFEST, manifest_lines, read_manifest};
pub use self::plan::{Plan, Step};
use self::survey::Round;
pub use self::survey::Survey;
use crate::{Backend, Control, Job, LevelTask, SolveError, Stage, Stages, Summary};

const LOCK: &str = ".build.lock";

/// Where a build reads and writes, and what it may use.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options<'a> {
    /// The directory of the tables; without one, nothing is read or written.
    pub directory: Option<&'a Path>,
    /// Whether tables are written, not only counted.
    pub write: bool,
    /// Whether finished tables of the plan are built again.
    pub force: bool,
    /// The memory that may be used, in bytes; without, no limit.
    pub memory: Option<u64>,
    /// The space that is free for the tables, in bytes; without, no limit.
    pub disk: Option<u64>,
    /// Told how far each material is, in detail: for tests.
    pub stages: Stages<'a>,
}

/// A material that is finished.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its counts.
    pub summary: Summary,
    /// Whether this run built it; otherwise its table was there.
    pub built: bool,
    /// How long it took to build and write, in seconds.
    pub seconds: f64,
    /// The size of its table, in bytes; 0 when none was written.
    pub bytes: u64,
}

/// What happens during a build. Materials built side by side mix their events.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Another build has the directory; this one goes on when that ends.
    Waiting(&'a Path),
    /// What will be done.
    Surveyed(&'a Survey),
    /// A damaged or older table will be built again.
    Rebuild(&'a TableError),
    /// The building of a material begins.
    Started(Material),
    /// So many more positions of the material are done.
    Advanced(Material, u64),
    /// A material is finished, its table in its place.
    Finished(&'a Finished),
}

/// Builds what a plan asks for and what is not there yet.
///
/// A finished table is a file under its name, whole and synced, and an entry in the manifest; so
/// a build that ends early, however, goes on from the last finished material. Whole builds in one
/// directory wait for each other. Plans for [one material alone](Plan::only) may run side by side:
/// the same material built twice gives the same file.
#[derive(Clone, Copy)]
pub struct Pipeline<'a> {
    /// Who builds.
    pub backend: &'a dyn Backend,
    /// What is built.
    pub plan: &'a Plan,
    /// From where to where.
    pub options: Options<'a>,
    /// Set to stop the build; what is finished stays finished.
    pub stop: &'a AtomicBool,
    /// Told what happens, from any thread.
    pub observer: &'a (dyn Fn(Event<'_>) + Sync),
}

impl Pipeline<'_> {
    /// What a run would do, changing nothing.
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run), except for those of writing.
    pub fn survey(&self) -> Result<Survey, SolveError> {
        let survey = Survey::new(self.backend, self.plan, &self.options)?;
        survey.check_room(&self.options)?;
        self.backend.check(&survey.build)?;
        Ok(survey)
    }

    /// Runs to the end of the plan; returns its materials in solve order.
    ///
    /// # Errors
    ///
    /// When memory or disk cannot hold what is asked for (before anything is built), a part is
    /// missing that the plan does not build, the directory or a table cannot be read or written,
    /// the backend fails, or the stop flag is set.
    pub fn run(&self) -> Result<Vec<Finished>, SolveError> {
        let _lock = self.claim_directory()?;
        let survey = self.survey()?;
        survey.rebuild.iter().for_each(|error| (self.observer)(Event::Rebuild(error)));
        (self.observer)(Event::Surveyed(&survey));
        if let Some(directory) = self.target() {
            let headers: Vec<Header> =
                survey.finished.values().map(|(_, header)| *header).collect();
            manifest::enter(directory, &headers, self.options.stages)?;
        }
        let mut finished: Vec<Finished> = survey.finished.values().map(found).collect();
        for round in &survey.rounds {
            finished.append(&mut self.run_round(round)?);
        }
        let order = |material| self.plan.steps().iter().position(|s| s.material == material);
        finished.sort_by_key(|finished| order(finished.summary.material));
        Ok(finished)
    }

    /// The directory that is written to.
    fn target(&self) -> Option<&Path> {
        self.options.directory.filter(|_| self.options.write)
    }

    /// Makes the directory, waits for its lock and removes what killed builds have left.
    fn claim_directory(&self) -> Result<Option<Lock>, SolveError> {
        let Some(directory) = self.target() else { return Ok(None) };
        fs::create_dir_all(directory).map_err(|source| SolveError::Io {
            path: directory.to_owned(),
            action: "cannot make the directory",
            source,
        })?;
        let claim = if self.plan.is_complete() { Claim::Whole } else { Claim::Part };
        let waiting = || (self.observer)(Event::Waiting(directory));
        let lock = Lock::take(directory, LOCK, claim, waiting)?;
        if claim == Claim::Whole {
            for path in leftovers(directory) {
                // One that cannot be removed does no harm.
                let _ = fs::remove_file(path);
            }
        }
        Ok(Some(lock))
    }

    fn run_round(&self, round: &Round) -> Result<Vec<Finished>, SolveError> {
        round.adopt.par_iter().try_for_each(|&material| self.adopt(material))?;
        let finished = if self.backend.side_by_side() {
            let built = round.build.par_iter().map(|&material| self.build(material));
            built.collect::<Result<Vec<_>, _>>()?
        } else {
            let built = round.build.iter().map(|&material| self.build(material));
            built.collect::<Result<Vec<_>, _>>()?
        };
        round.release.iter().for_each(|&material| self.backend.release(material));
        Ok(finished)
    }

    /// Solves some levels of a material, for a later build of it to take: the working files are all
    /// that is written.
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run), and those of [`Backend::build_levels`].
    pub fn run_levels(&self, task: &LevelTask) -> Result<(), SolveError> {
        let _lock = self.claim_directory()?;
        let plan = Plan::only(task.material);
        survey::check_parts(self.backend, &plan, &self.options)?;
        plan.missing().par_iter().try_for_each(|&part| self.adopt(part))?;
        let advance = |positions| (self.observer)(Event::Advanced(task.material, positions));
        let control = Control::new(self.stop, &advance);
        control.check()?;
        self.backend.build_levels(task, &control)
    }

    fn adopt(&self, material: Material) -> Result<(), SolveError> {
        if self.backend.recall(material)? {
            return Ok(());
        }
        let Some(directory) = self.options.directory else {
            return Err(SolveError::NotSolved { material, part: material });
        };
        let source = TableSource::open(directory, material, self.backend.metric())
            .map_err(SolveError::Table)?;
        self.backend.adopt_part(material, &source)
    }

    fn build(&self, material: Material) -> Result<Finished, SolveError> {
        let start = Instant::now();
        (self.observer)(Event::Started(material));
        let advance = |positions| (self.observer)(Event::Advanced(material, positions));
        let stages = self.options.stages;
        let control = Control::new(self.stop, &advance).with_stages(stages);
        control.check()?;
        self.backend.build(Job::finish(material), &control)?;
        stages.reach(Stage::Finish);
        let summary = self.backend.summary(material)?;
        let mut bytes = 0;
        if let Some(directory) = self.target() {
            let header = write_table(self.backend, directory, &summary, stages)?;
            manifest::enter(directory, &[header], stages)?;
            bytes = header.file_bytes().unwrap_or(0);
        }
        self.backend.keep_values_only(material);
        let seconds = start.elapsed().as_secs_f64();
        let finished = Finished { summary, built: true, seconds, bytes };
        (self.observer)(Event::Finished(&finished));
        Ok(finished)
    }
}

/// A table that was there.
fn found((summary, header): &(Summary, Header)) -> Finished {
    let bytes = header.file_bytes().unwrap_or(0);
    Finished { summary: *summary, built: false, seconds: 0.0, bytes }
}

/// Temporary files of builds that were killed.
fn leftovers(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "tmp")).collect()
}
