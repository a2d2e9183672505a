//! One material: its components level by level.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crownhead_index::product::{self, Group, ProductIndex, levels};
use rayon::prelude::*;

use super::classify::{Captures, Classifier};
use super::component::{Codes, Component, LARGE};
use super::flat::Flat;
use super::groups::Groups;
use super::levels::{LevelFiles, Levels};
use super::plies::{Distances, Keep};
use super::reach::Reach;
use super::record::Record;
use super::rows::Scratch;
use super::scores::Width;
use super::store::{Solved, Store, Words, copy_finals};
use super::sweep::{KingMoves, PhaseLimit, Schedule, Sweep, sweep, sweep_plies, sweep_to_end};
use super::task::LevelTask;
use super::vector::VectorPath;
use super::views::Views;
use super::working::{Progress, Working};
use crate::{Control, Phase, SolveError, Stage};

/// What a build works with.
#[derive(Clone, Copy)]
pub(super) struct Means<'a> {
    pub(super) store: &'a Store,
    pub(super) views: &'a Views,
    pub(super) control: &'a Control<'a>,
    pub(super) path: VectorPath,
    pub(super) captures: Captures,
    /// What is kept of distances.
    pub(super) keep: Keep,
    /// How long a phase may last. A limit needs distances to be kept, for exact plies.
    pub(super) limit: PhaseLimit,
    /// In how many bytes distances to the end are kept, if they fit.
    pub(super) width: Width,
    /// What is left out: components that no men come to here.
    pub(super) reach: Option<Reach>,
    /// Where the words are kept, if not in memory only.
    pub(super) working: Option<&'a Working>,
    /// Measures phases.
    pub(super) clock: Option<&'a PhaseClock>,
}

/// Time spent in each phase, all threads together.
#[derive(Debug, Default)]
pub(super) struct PhaseClock {
    nanoseconds: [AtomicU64; 3],
}

impl PhaseClock {
    fn add(&self, phase: Phase, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds[phase as usize].fetch_add(nanoseconds, Ordering::Relaxed);
    }

    pub(super) fn times(&self) -> [Duration; 3] {
        self.nanoseconds.each_ref().map(|sum| Duration::from_nanos(sum.load(Ordering::Relaxed)))
    }
}

/// Measures one run through the phases.
pub(super) struct Laps<'a> {
    clock: Option<(&'a PhaseClock, Instant)>,
    control: &'a Control<'a>,
}

impl<'a> Laps<'a> {
    pub(super) fn begin(means: Means<'a>) -> Self {
        means.control.reach(Stage::Classify);
        let clock = means.clock.map(|clock| (clock, Instant::now()));
        Self { clock, control: means.control }
    }

    /// This phase has ended.
    pub(super) fn end(&mut self, phase: Phase) {
        match phase {
            Phase::Classify => self.control.reach(Stage::Men),
            Phase::Men => self.control.reach(Stage::Sweep),
            Phase::Sweep | Phase::Finish => {}
        }
        if let Some((clock, since)) = &mut self.clock {
            let now = Instant::now();
            clock.add(phase, now - *since);
            *since = now;
        }
    }
}

/// Builds one material from its parts in the store.
pub(super) fn solve(
    means: Means<'_>,
    index: ProductIndex,
    mut record: Option<&mut Record>,
) -> Result<(Solved, Option<Distances>), SolveError> {
    match solve_once(means, index, record.as_deref_mut())? {
        (solved, distances, true) => Ok((solved, distances)),
        // Some distance is too long for a byte.
        _ => {
            let means = Means { width: Width::Wide, ..means };
            solve_once(means, index, record).map(|(solved, distances, _)| (solved, distances))
        }
    }
}

/// Builds a material; the last answer is whether its distances to the end fit their width.
fn solve_once(
    means: Means<'_>,
    index: ProductIndex,
    record: Option<&mut Record>,
) -> Result<(Solved, Option<Distances>, bool), SolveError> {
    let (words, keep) = (index.words() as usize, means.keep);
    let (mut solved, progress) = match means.working {
        Some(working) => open(working, &index)?,
        None if keep == Keep::ToEnd => {
            ([(); 2].map(|()| Words::with_scores(words, means.width)), Progress::Levels(0))
        }
        None => ([(); 2].map(|()| Words::new(words)), Progress::Levels(0)),
    };
    let plies = matches!(keep, Keep::Plies | Keep::Places | Keep::Longest);
    let mut distances = plies.then(|| Distances::new(words, keep));
    let mut fits = true;
    let kept = distances.as_mut();
    if let Progress::Levels(finished) = progress {
        let classifier = classifier(means, index)?;
        let mut run = Run { means, index, finished, done: 0, said: 0, fits };
        if index.component_words() == 1 {
            Flat::new(&classifier).solve(&mut solved, kept, &mut run, record)?;
        } else {
            by_components(&classifier, &mut solved, kept, &mut run, record)?;
        }
        run.say();
        run.note(&solved, Progress::Finished)?;
        fits = run.fits;
    }
    Ok((Solved { index, sides: solved.map(|words| words.into()) }, distances, fits))
}

/// The material's words in their file: what an earlier build has left, or the levels that others
/// have solved.
fn open(working: &Working, index: &ProductIndex) -> Result<([Words; 2], Progress), SolveError> {
    let (mut solved, mut progress) = working.open(index)?;
    if progress == Progress::Levels(0) && index.component_words() > 1 {
        let levels = Levels::new(index);
        let joined = LevelFiles::new(working.directory(), &levels).join(&mut solved)?;
        let all = joined == levels.lens.len();
        progress = if all { Progress::Finished } else { Progress::Levels(joined) };
        if joined > 0 {
            working.note(index, &solved, progress)?;
        }
    }
    Ok((solved, progress))
}

fn classifier(means: Means<'_>, index: ProductIndex) -> Result<Classifier, SolveError> {
    let material = index.material();
    if let Some(part) = material.parts().find(|&part| !means.store.has(part)) {
        return Err(SolveError::NotSolved { material, part });
    }
    let Means { store, views, path, captures, .. } = means;
    Classifier::new(store, views, index, path, captures)
}

/// Solves some levels, or a share of one, from files and into a file.
pub(super) fn solve_levels(
    means: Means<'_>,
    levels: &Levels,
    task: &LevelTask,
    directory: &Path,
) -> Result<(), SolveError> {
    let files = LevelFiles::new(directory, levels);
    let index = levels.index;
    let classifier = classifier(means, index)?;
    let own = levels.own(task);
    let (components, mut solved) = files.load(&own, task)?;
    let len = index.component_words() as usize;
    let layout = Layout::Some { components: &components, len };
    let mut run = Run { means, index, finished: 0, done: 0, said: 0, fits: true };
    let mut crew = Crew::new(&classifier, means, false);
    for level in &own {
        crew.solve(&classifier, level, &layout, &mut solved, None, &mut run, None)?;
    }
    run.say();
    files.write(task, &own, &layout, &solved)
}

/// Where the words of a component lie.
pub(super) enum Layout<'a> {
    /// All components of the material.
    All(&'a ProductIndex),
    /// These, in ascending order, of so many words each.
    Some { components: &'a [product::Component], len: usize },
}

impl Layout<'_> {
    /// The first word of a component; none if it is not there, as one without positions.
    pub(super) fn first(&self, at: product::Component) -> Option<usize> {
        match self {
            Self::All(index) => Some(index.word([at.black, 0, at.white, 0]) as usize),
            Self::Some { components, len } => components.binary_search(&at).ok().map(|n| n * len),
        }
    }
}

/// Words from one word of progress to the next: some ten milliseconds.
const SAID_AT_ONCE: u64 = 1 << 16;

/// The way of one material through its levels.
pub(super) struct Run<'a> {
    pub(super) means: Means<'a>,
    index: ProductIndex,
    /// Levels that were final before this run.
    finished: usize,
    /// Words done in this run, and of how many it was told.
    done: u64,
    said: u64,
    /// Whether all distances to the end fit so far.
    pub(super) fits: bool,
}

impl Run<'_> {
    /// Whether a level, counted from the first, is final already.
    pub(super) const fn skips(&self, level: usize) -> bool {
        level < self.finished
    }

    /// So many words more are final. Says so once enough have come together.
    pub(super) fn advance(&mut self, words: usize) {
        self.done += words as u64;
        if self.done - self.said >= SAID_AT_ONCE {
            self.say();
        }
    }

    fn say(&mut self) {
        let positions = self.index.material().positions::<u64>().unwrap_or(0);
        let share = |words: u64| {
            (u128::from(positions) * u128::from(words) / u128::from(self.index.words())) as u64
        };
        self.means.control.advance(share(self.done) - share(self.said));
        self.said = self.done;
    }

    /// This level, counted from the first, is final.
    pub(super) fn finish_level(
        &mut self,
        level: usize,
        solved: &[Words; 2],
    ) -> Result<(), SolveError> {
        self.say();
        self.note(solved, Progress::Levels(level + 1))
    }

    /// Notes what is final, where there is a file for it.
    fn note(&self, solved: &[Words; 2], progress: Progress) -> Result<(), SolveError> {
        match self.means.working {
            Some(working) => working.note(&self.index, solved, progress),
            None => Ok(()),
        }
    }
}

/// The working memory of one thread's component.
struct Worker {
    component: Component,
    scratch: Scratch,
    sweep: Sweep,
    distances: Option<Distances>,
    to_end: Option<(Codes, Schedule)>,
}

impl Worker {
    fn new(words: usize, means: Means<'_>) -> Self {
        let keep = means.keep;
        let wanted = keep != Keep::Nothing;
        Self {
            component: Component::new(words, wanted),
            scratch: Scratch::default(),
            sweep: Sweep::new(means.limit),
            distances: (wanted && keep != Keep::ToEnd).then(|| Distances::new(words, keep)),
            to_end: (keep == Keep::ToEnd).then(|| (Codes::new(words), Schedule::default())),
        }
    }

    /// Solves one component; calls `done` after each phase.
    #[expect(clippy::too_many_arguments, reason = "what one component needs")]
    fn solve(
        &mut self,
        classifier: &Classifier,
        moves: &KingMoves,
        layout: &Layout<'_>,
        solved: &[Words; 2],
        at: product::Component,
        mut laps: Laps<'_>,
        mut done: impl FnMut(&mut Component, Phase),
    ) {
        let component = &mut self.component;
        let mut codes = self.to_end.as_mut().map(|(codes, _)| codes);
        component.classify(classifier, at, &mut self.scratch, codes.as_deref_mut());
        laps.end(Phase::Classify);
        done(component, Phase::Classify);
        component.add_men(classifier, layout, solved, at, codes);
        laps.end(Phase::Men);
        done(component, Phase::Men);
        let (path, work) = (classifier.path, &mut self.sweep);
        match (&mut self.distances, &mut self.to_end) {
            (None, None) => sweep(path, path, work, moves, component),
            (_, Some((codes, schedule))) => {
                sweep_to_end(path, path, work, moves, component, codes, schedule);
            }
            (Some(distances), None) => {
                distances.clear();
                sweep_plies(path, path, work, moves, component, distances);
            }
        }
        if let (Some(distances), Some(first)) = (&mut self.distances, layout.first(at)) {
            distances.find_longest(&classifier.index, &component.finals(first), path);
        }
        laps.end(Phase::Sweep);
        done(component, Phase::Sweep);
    }
}

/// How many components are solved before their words are copied to where they stay: enough to keep
/// all threads busy, but no more words than the caches hold.
pub(super) fn batch_len(component_words: usize, threads: usize) -> usize {
    match threads {
        1 => 1,
        // The rows and rounds of a large component are on all threads by themselves.
        _ if component_words >= LARGE => 2 * threads,
        _ => (65_536 / component_words).clamp(8 * threads, 256),
    }
}

fn by_components(
    classifier: &Classifier,
    solved: &mut [Words; 2],
    mut distances: Option<&mut Distances>,
    run: &mut Run<'_>,
    mut record: Option<&mut Record>,
) -> Result<(), SolveError> {
    let (index, means) = (classifier.index, run.means);
    let table = |group: Group| Groups::shared().table(group, index.counts()[group as usize]);
    let mut crew = Crew::new(classifier, means, record.is_some());
    let levels = levels(table(Group::BlackMen), table(Group::WhiteMen));
    for (nth, level) in levels.into_iter().enumerate() {
        if run.skips(nth) {
            continue;
        }
        let mut components = level.components;
        if let Some(reach) = means.reach {
            let set = |group, rank| table(group).set(rank);
            components.retain(|at| {
                reach.has(set(Group::BlackMen, at.black), set(Group::WhiteMen, at.white))
            });
        }
        let (kept, recorded) = (distances.as_deref_mut(), record.as_deref_mut());
        let layout = Layout::All(&index);
        crew.solve(classifier, &components, &layout, solved, kept, run, recorded)?;
        run.finish_level(nth, solved)?;
    }
    if let Some(all) = distances {
        crew.workers
            .iter()
            .filter_map(|worker| worker.distances.as_ref())
            .for_each(|d| all.join(d));
    }
    Ok(())
}

/// Those who solve the components of a level side by side.
struct Crew {
    workers: Vec<Worker>,
    moves: KingMoves,
}

impl Crew {
    fn new(classifier: &Classifier, means: Means<'_>, recorded: bool) -> Self {
        let len = classifier.index.component_words() as usize;
        // A recorded build is small: one component at a time.
        let batch_len = if recorded { 1 } else { batch_len(len, rayon::current_num_threads()) };
        let mut workers: Vec<Worker> = Vec::new();
        workers.resize_with(batch_len, || Worker::new(len, means));
        Self { workers, moves: KingMoves::new(&classifier.index) }
    }

    /// Solves components of one level.
    #[expect(clippy::too_many_arguments, reason = "what one build is made of")]
    fn solve(
        &mut self,
        classifier: &Classifier,
        components: &[product::Component],
        layout: &Layout<'_>,
        solved: &mut [Words; 2],
        mut distances: Option<&mut Distances>,
        run: &mut Run<'_>,
        mut record: Option<&mut Record>,
    ) -> Result<(), SolveError> {
        let (means, moves, workers) = (run.means, &self.moves, &mut self.workers);
        let len = classifier.index.component_words() as usize;
        let first =
            |at: &product::Component| layout.first(*at).expect("what is solved has a place");
        for batch in components.chunks(workers.len()) {
            means.control.check()?;
            if let ([worker, ..], [at]) = (&mut workers[..], batch) {
                let laps = Laps::begin(means);
                let see = |component: &mut Component, phase| {
                    component.record(record.as_deref_mut(), phase, first(at));
                };
                worker.solve(classifier, moves, layout, solved, *at, laps, see);
            } else {
                let solved = &*solved;
                workers.par_iter_mut().zip(batch).for_each(|(worker, &at)| {
                    let laps = Laps::begin(means);
                    worker.solve(classifier, moves, layout, solved, at, laps, |_, _| {});
                });
            }
            let finals = workers.iter().zip(batch);
            let finals: Vec<_> =
                finals.map(|(worker, at)| worker.component.finals(first(at))).collect();
            copy_finals(solved, &finals);
            for (worker, at) in workers.iter().zip(batch) {
                if let (Some(all), Some(part)) = (distances.as_deref_mut(), &worker.distances) {
                    all.copy_part(part, first(at));
                }
                if let Some((codes, _)) = &worker.to_end {
                    run.fits &= codes.copy_to(solved, first(at));
                }
            }
            run.advance(batch.len() * len);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_index::materials_to;

    /// Both ways of finding captures, in every material to 4 pieces.
    #[test]
    fn rows_and_words_find_the_same_captures() {
        let (store, views) = (Store::default(), Views::default());
        for material in materials_to(4) {
            let index = ProductIndex::new(material).unwrap();
            let solve = |captures| {
                let mut record = Record::new(&index, Phase::Classify);
                let means = Means {
                    store: &store,
                    views: &views,
                    control: &Control::default(),
                    path: VectorPath::detect(),
                    captures,
                    keep: Keep::Nothing,
                    limit: PhaseLimit::NONE,
                    width: Width::Narrow,
                    reach: None,
                    working: None,
                    clock: None,
                };
                let (solved, _) = solve(means, index, Some(&mut record)).unwrap();
                (solved, record)
            };
            let (solved, by_word) = solve(Captures::ByWord);
            let (_, by_row) = solve(Captures::ByRow);
            assert!(by_word == by_row, "{material}");
            store.insert(material, solved);
        }
    }
}
