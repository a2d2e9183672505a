use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crownhead_index::Material;
use crownhead_index::product::ProductIndex;
use crownhead_rules::{Color, Position, Value};
use crownhead_table::Encoding;

use super::classify::Captures;
use super::levels::{LevelFiles, Levels};
use super::plies::{Distances, Keep};
use super::reach::Reach;
use super::record::Record;
use super::scores::Width;
use super::solve::{Means, PhaseClock, solve, solve_levels};
use super::store::{Solved, Store};
use super::sweep::PhaseLimit;
use super::vector::VectorPath;
use super::views::Views;
use super::working::Working;
use super::{adopt, count, export, longest, needs};
use crate::backend::export_entries;
use crate::{
    Backend, ByteSink, Control, Counts, Entry, EntrySource, Flags, Job, LevelTask, Metric, Needs,
    Phase, Sink, SolveError, Summary,
};

/// The set-wise backend: the default, 32 positions in every word. ARCHITECTURE.md explains how.
#[derive(Debug)]
pub struct Cpu {
    metric: Metric,
    store: Store,
    views: Views,
    path: VectorPath,
    phases: bool,
    /// Whether distances are for summaries only.
    summaries: bool,
    limit: PhaseLimit,
    width: Width,
    reach: Option<Reach>,
    working: Option<PathBuf>,
    distances: Mutex<HashMap<Material, Arc<Distances>>>,
    stopped: Mutex<HashMap<Material, Record>>,
}

impl Cpu {
    /// A backend with an empty store.
    pub fn new(metric: Metric) -> Self {
        Self {
            metric,
            store: Store::default(),
            views: Views::default(),
            path: VectorPath::detect(),
            phases: false,
            summaries: false,
            limit: PhaseLimit::NONE,
            width: Width::Narrow,
            reach: None,
            working: None,
            distances: Mutex::default(),
            stopped: Mutex::default(),
        }
    }

    /// Uses these vector instructions instead of the best there are.
    ///
    /// # Panics
    ///
    /// If the processor does not have them.
    #[must_use]
    pub fn with_path(self, path: VectorPath) -> Self {
        assert!(path.is_available(), "this processor has no {}", path.name());
        Self { path, ..self }
    }

    /// Keeps solved words in memory-mapped files in this directory, so that builds can take more
    /// memory than there is, and one that was stopped, at whatever point, goes on after the last
    /// finished level of its components. Only one rule's words belong in a directory.
    ///
    /// [`release`](Backend::release) leaves the files; builds of distances do not use them.
    #[must_use]
    pub fn with_working_files(self, directory: PathBuf) -> Self {
        let views = Views::in_directory(directory.clone());
        Self { working: Some(directory), views, ..self }
    }

    /// Keeps no distances to conversion but those that [`summary`](Backend::summary) names, which
    /// is faster: so none can be exported.
    #[must_use]
    pub fn with_summaries_only(self) -> Self {
        Self { summaries: true, ..self }
    }

    /// Finds the longest phase of each material too, without keeping distances.
    #[must_use]
    pub fn with_phases(self) -> Self {
        Self { phases: true, ..self }
    }

    /// Decides by the rule that the side to move may claim a draw when each side has made this
    /// many moves, at least 1, without a man move or a capture; the rule of the game has 40.
    ///
    /// Every value is by the rule then, counted from zero in every position: what it takes to
    /// convert from here, in time, to a position that is won by the rule as well. A win without
    /// the rule that is none with it is *cursed*, such a loss *blessed*.
    ///
    /// # Panics
    ///
    /// With no move.
    #[must_use]
    pub fn with_move_limit(self, moves: u32) -> Self {
        assert!(moves > 0, "the rule needs at least one move of each side");
        Self { phases: true, limit: PhaseLimit::moves(moves), ..self }
    }

    /// Leaves out what cannot follow from a position, as far as its men tell: words of the store
    /// are right for what can follow and unset elsewhere, so nothing is to be exported.
    pub(crate) fn after(self, position: &Position) -> Self {
        Self { reach: Some(Reach::of(position)), ..self }
    }

    /// The value of a position, where the store has its material.
    pub(crate) fn value(&self, position: &Position) -> Result<Value, SolveError> {
        let material = Material::of(position).canonical();
        let turned = Material::of(position) != material
            || material.is_symmetric() && position.side_to_move == Color::White;
        let position = if turned { position.mirror() } else { *position };
        let solved = self.solved(material)?;
        let place = solved.index.place(&position).expect("a position of this material");
        let words = &solved.sides[position.side_to_move as usize];
        let bit = |words: &[u32]| words[place.word as usize] >> place.bit & 1 != 0;
        Ok(match (bit(&words.wins), bit(&words.losses)) {
            (true, _) => Value::Win,
            (_, true) => Value::Loss,
            _ => Value::Draw,
        })
    }

    /// The most plies from a position of this material to the next conversion or the end, both
    /// sides playing best: known for materials built with distances to conversion or
    /// [with phases](Self::with_phases).
    pub fn longest_phase(&self, material: Material) -> Option<u32> {
        self.distances().get(&material).map(|distances| distances.largest())
    }

    /// Builds a material and says how long each phase took, summed over the threads: captures and
    /// promotions, man moves, sweeps. Nothing enters the store.
    ///
    /// # Errors
    ///
    /// Those of [`build`](Backend::build).
    pub fn time_phases(&self, material: Material) -> Result<[Duration; 3], SolveError> {
        let (clock, control) = (PhaseClock::default(), Control::default());
        let means = Means { clock: Some(&clock), ..self.means(&control, false) };
        solve(means, Self::index(material)?, None)?;
        Ok(clock.times())
    }

    fn means<'a>(&'a self, control: &'a Control<'a>, recording: bool) -> Means<'a> {
        Means {
            store: &self.store,
            views: &self.views,
            control,
            path: self.path,
            captures: Captures::ByRow,
            keep: self.keep(recording),
            limit: self.limit,
            width: self.width,
            reach: self.reach,
            working: None,
            clock: None,
        }
    }

    const fn keep(&self, recording: bool) -> Keep {
        match (self.metric, self.phases) {
            _ if recording => Keep::Nothing,
            (Metric::Dtw, _) => Keep::ToEnd,
            (Metric::Dtc, _) if self.summaries => Keep::Places,
            (Metric::Dtc, _) => Keep::Plies,
            (Metric::Wld, true) => Keep::Longest,
            (Metric::Wld, false) => Keep::Nothing,
        }
    }

    /// Where solved words are kept. Builds of distances keep none.
    fn working_directory(&self) -> Option<&Path> {
        self.working.as_deref().filter(|_| self.keep(false) == Keep::Nothing)
    }

    fn files(&self, index: &ProductIndex) -> Option<Working> {
        self.working_directory().map(|directory| Working::new(directory, index))
    }

    fn solved(&self, material: Material) -> Result<Solved, SolveError> {
        self.store.get(material).ok_or(SolveError::NotSolved { material, part: material })
    }

    fn distances(&self) -> MutexGuard<'_, HashMap<Material, Arc<Distances>>> {
        self.distances.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The distances of a material in the store, where the metric has any.
    fn distances_of(&self, material: Material) -> Result<Option<Arc<Distances>>, SolveError> {
        if self.metric != Metric::Dtc {
            return Ok(None);
        }
        let distances = self.distances().get(&material).cloned();
        distances.map(Some).ok_or(SolveError::NotSolved { material, part: material })
    }

    fn stopped(&self) -> MutexGuard<'_, HashMap<Material, Record>> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn too_long(material: Material) -> SolveError {
        SolveError::TooLarge { material, reason: "a distance exceeds 65,535 plies".into() }
    }

    fn index(material: Material) -> Result<ProductIndex, SolveError> {
        let reason = || "its words do not fit 64 bits".into();
        ProductIndex::new(material)
            .ok_or_else(|| SolveError::TooLarge { material, reason: reason() })
    }

    /// Takes a finished material into the store, with its distances to conversion if they are
    /// wanted.
    fn adopt_with(
        &self,
        material: Material,
        source: &dyn EntrySource,
        mut distances: Option<Distances>,
    ) -> Result<(), SolveError> {
        let index = Self::index(material)?;
        let width = (self.metric == Metric::Dtw).then_some(self.width);
        let solved = match adopt::adopt(index, source, width, distances.as_mut())? {
            Some(solved) => solved,
            None => adopt::adopt(index, source, Some(Width::Wide), None)?
                .ok_or_else(|| Self::too_long(material))?,
        };
        if let Some(files) = self.files(&index) {
            files.keep(&index, &solved.sides)?;
            if self.recall(material)? {
                return Ok(());
            }
        }
        self.store.insert(material, solved);
        if let Some(distances) = distances {
            self.distances().insert(material, Arc::new(distances));
        }
        Ok(())
    }
}

impl Backend for Cpu {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn metric(&self) -> Metric {
        self.metric
    }

    fn needs(&self, material: Material) -> Needs {
        let Some(index) = ProductIndex::new(material) else {
            return Needs { stored: u64::MAX / 4, working: u64::MAX / 4 };
        };
        let keep = self.keep(false);
        // Words in working files are the system's to keep in memory or not.
        let in_files = self.working.is_some() && keep == Keep::Nothing;
        let stored = if in_files { 0 } else { needs::stored(keep).saturating_mul(index.words()) };
        Needs { stored, working: needs::working(&index, keep, rayon::current_num_threads()) }
    }

    fn build(&self, job: Job, control: &Control<'_>) -> Result<(), SolveError> {
        let Job { material, until } = job;
        let index = Self::index(material)?;
        // What `needs` counts for views is for this material's; older ones are soon made again.
        if self.views.bytes() > needs::most_kept(&index) {
            self.views.retain(|_| false);
        }
        let mut record = (until < Phase::Finish).then(|| Record::new(&index, until));
        let working = self.files(&index).filter(|_| record.is_none());
        working.as_ref().map(Working::make_directory).transpose()?;
        let means = Means { working: working.as_ref(), ..self.means(control, record.is_some()) };
        let (solved, distances) = solve(means, index, record.as_mut())?;
        match record {
            Some(record) => {
                self.stopped().insert(material, record);
            }
            None => {
                self.stopped().remove(&material);
                self.store.insert(material, solved);
                if let Some(distances) = distances {
                    self.distances().insert(material, Arc::new(distances));
                }
            }
        }
        // Those of as many pieces are of promotions, which few other materials share.
        self.views.retain(|view| view.pieces() < material.pieces());
        if self.views.bytes() > needs::VIEW_BYTES {
            self.views.retain(|_| false);
        }
        Ok(())
    }

    fn keeps(&self, material: Material) -> bool {
        let index = ProductIndex::new(material);
        index.is_some_and(|index| self.files(&index).is_some_and(|files| files.is_finished(&index)))
    }

    fn recall(&self, material: Material) -> Result<bool, SolveError> {
        let index = Self::index(material)?;
        let Some(files) = self.files(&index) else { return Ok(false) };
        let Some(words) = files.recall(&index)? else { return Ok(false) };
        self.store.insert(material, Solved { index, sides: words.map(Arc::new) });
        Ok(true)
    }

    fn build_levels(&self, task: &LevelTask, control: &Control<'_>) -> Result<(), SolveError> {
        let material = task.material;
        let levels = Levels::new(&Self::index(material)?);
        levels.check(task)?;
        let Some(directory) = self.working_directory() else {
            let reason = "levels are handed on in working files; name a directory for them".into();
            return Err(SolveError::Levels { material, reason });
        };
        fs::create_dir_all(directory).map_err(|source| SolveError::Io {
            path: directory.to_owned(),
            action: "cannot make the directory",
            source,
        })?;
        if self.keeps(material) || LevelFiles::new(directory, &levels).has(task) {
            return Ok(());
        }
        solve_levels(self.means(control, false), &levels, task, directory)
    }

    fn adopt(&self, material: Material, source: &dyn EntrySource) -> Result<(), SolveError> {
        let words = Self::index(material)?.words() as usize;
        let plies = (self.metric == Metric::Dtc).then(|| Distances::new(words, Keep::Plies));
        self.adopt_with(material, source, plies)
    }

    fn adopt_part(&self, material: Material, source: &dyn EntrySource) -> Result<(), SolveError> {
        self.adopt_with(material, source, None)
    }

    fn export(
        &self,
        material: Material,
        side: Color,
        sink: &mut Sink<'_>,
    ) -> Result<(), SolveError> {
        let distances = self.distances_of(material)?;
        if distances.as_ref().is_some_and(|distances| distances.found().is_some()) {
            return Err(SolveError::NotKept { material });
        }
        export::export(&self.solved(material)?, distances.as_deref(), side, sink)
    }

    fn export_section(
        &self,
        material: Material,
        side: Color,
        encoding: Encoding,
        sink: &mut ByteSink<'_>,
    ) -> Result<(), SolveError> {
        if encoding.metric() == Metric::Wld {
            return export::export_values(&self.solved(material)?, side, sink);
        }
        export_entries(self, material, side, encoding, sink)
    }

    fn summary(&self, material: Material) -> Result<Summary, SolveError> {
        let solved = self.solved(material)?;
        let mut summary = Summary { material, sides: [Counts::default(); 2] };
        let counts = count::count(&solved, self.path);
        let distances = self.distances_of(material)?;
        let all_longest = match distances {
            Some(distances) => Some(longest::longest(&solved, &distances, self.path)),
            None if self.metric == Metric::Dtw => Some(longest::longest_to_end(&solved, self.path)),
            None => None,
        };
        for &side in Summary::sides_of(material) {
            let [wins, losses, draws] = counts[side as usize];
            let counts = &mut summary.sides[side as usize];
            *counts = Counts { wins, losses, draws, ..Counts::default() };
            if let Some(longest) = all_longest {
                [counts.longest_win, counts.longest_loss] = longest[side as usize];
            }
        }
        Ok(summary)
    }

    fn snapshot(&self, material: Material, side: Color) -> Result<Vec<Flags>, SolveError> {
        if let Some(record) = self.stopped().get(&material) {
            return Ok(record.flags(side));
        }
        let mut flags = Vec::new();
        let flag = |entry: &Entry| match entry.value() {
            Value::Win => Flags(Flags::WIN),
            Value::Draw => Flags(0),
            Value::Loss => Flags(Flags::LOSS),
        };
        self.export(material, side, &mut |entries| {
            flags.extend(entries.iter().map(flag));
            Ok(())
        })?;
        Ok(flags)
    }

    fn keep_values_only(&self, material: Material) {
        self.distances().remove(&material);
    }

    fn release(&self, material: Material) {
        self.store.remove(material);
        self.distances().remove(&material);
        self.stopped().remove(&material);
        self.views.retain(|view| view.canonical() != material);
    }
}
