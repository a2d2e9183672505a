use std::collections::{BTreeMap, BTreeSet};

use crownhead_index::Material;
use crownhead_table::{Check, Header, TableError, TableErrorKind, open_table};
use rayon::prelude::*;

use super::files::{expected_bytes, summary_of};
use super::residents::Residents;
use super::{Options, Plan};
use crate::{Backend, SolveError, Summary};

/// What is there and what is to be done, found before anything is changed.
#[derive(Debug)]
pub struct Survey {
    /// The finished tables of the plan.
    pub(super) finished: BTreeMap<Material, (Summary, Header)>,
    /// The damaged or older tables of the plan, which will be built again.
    pub rebuild: Vec<TableError>,
    /// The materials to be built, in solve order.
    pub build: Vec<Material>,
    /// The largest amount of memory in use at a time, in bytes, as the backend estimates it.
    pub memory: u64,
    /// The material at which that is.
    pub memory_at: Option<Material>,
    /// The size of the tables to be written, in bytes.
    pub disk: u64,
    pub(super) rounds: Vec<Round>,
}

/// Materials built at the same time, and what comes and goes with them.
#[derive(Debug, Default)]
pub(super) struct Round {
    /// Finished tables taken into the store before.
    pub(super) adopt: Vec<Material>,
    pub(super) build: Vec<Material>,
    /// What nothing needs any more.
    pub(super) release: Vec<Material>,
}

/// What the process takes before it builds anything: the program, its threads, lists of moves.
const PROCESS: u64 = 8 << 20;

/// Memory that materials built side by side may take together where no limit is known, in bytes.
const SIDE_BY_SIDE: u64 = 1 << 30;

impl Survey {
    /// Looks at the tables that are there, checksums included, and makes the schedule.
    ///
    /// # Errors
    ///
    /// When a table cannot be read, or a part is missing that the plan does not build.
    pub(super) fn new(
        backend: &dyn Backend,
        plan: &Plan,
        options: &Options<'_>,
    ) -> Result<Self, SolveError> {
        let mut survey = Self {
            finished: BTreeMap::new(),
            rebuild: Vec::new(),
            build: Vec::new(),
            memory: 0,
            memory_at: None,
            disk: 0,
            rounds: Vec::new(),
        };
        survey.look(backend, plan, options)?;
        if !survey.build.is_empty() {
            check_parts(backend, plan, options)?;
        }
        survey.schedule(backend, plan, options);
        if options.write {
            let bytes = |&material| expected_bytes(material, backend.metric());
            survey.disk = survey.build.iter().map(bytes).fold(0, u64::saturating_add);
        }
        Ok(survey)
    }

    /// Sorts the plan into what is finished and what is to be built.
    fn look(
        &mut self,
        backend: &dyn Backend,
        plan: &Plan,
        options: &Options<'_>,
    ) -> Result<(), SolveError> {
        let directory = options.directory.filter(|_| !options.force);
        let found: Vec<_> = plan
            .steps()
            .par_iter()
            .map(|step| {
                let directory = directory?;
                let table =
                    open_table(directory, step.material, backend.metric(), Check::Everything);
                // Only the numbers are kept, so that not all files are mapped at once.
                Some(table.map(|table| (summary_of(&table), *table.header())))
            })
            .collect();
        for (step, table) in plan.steps().iter().zip(found) {
            match table {
                Some(Ok(entry)) => {
                    self.finished.insert(step.material, entry);
                    continue;
                }
                None => {}
                Some(Err(error)) => match error.kind {
                    TableErrorKind::Missing => {}
                    TableErrorKind::Io(_) => return Err(SolveError::Table(error)),
                    _ => self.rebuild.push(error),
                },
            }
            self.build.push(step.material);
        }
        Ok(())
    }

    /// Puts what is to be built in rounds, and adds up the memory that each takes.
    fn schedule(&mut self, backend: &dyn Backend, plan: &Plan, options: &Options<'_>) {
        let build: BTreeSet<Material> = self.build.iter().copied().collect();
        let together = options.memory.map_or(SIDE_BY_SIDE, |limit| limit / 4);
        let mut parts_of = BTreeMap::new();
        for level in plan.levels() {
            let mut room = 0;
            for step in level.iter().filter(|step| build.contains(&step.material)) {
                let needs = backend.needs(step.material);
                let bytes = needs.stored.saturating_add(needs.working);
                if room < bytes || self.rounds.is_empty() {
                    self.rounds.push(Round::default());
                    room = if backend.side_by_side() { together } else { 0 };
                }
                room = room.saturating_sub(bytes);
                if let Some(round) = self.rounds.last_mut() {
                    round.build.push(step.material);
                }
                parts_of.insert(step.material, &step.needs);
            }
        }
        self.place_parts(backend, &parts_of, options);
    }

    /// Each part is there from the first round that needs it to the last. Where memory is short it
    /// makes room before that, if its table can be read again, and the one that is not needed for
    /// longest goes first.
    fn place_parts(
        &mut self,
        backend: &dyn Backend,
        parts_of: &BTreeMap<Material, &Vec<Material>>,
        options: &Options<'_>,
    ) {
        let is_readable = |material: Material| {
            options.directory.is_some() && (options.write || !parts_of.contains_key(&material))
        };
        let mut residents = Residents::new(backend, &self.rounds, parts_of);
        for number in 0..self.rounds.len() {
            let build = self.rounds[number].build.clone();
            let parts = build.iter().flat_map(|material| parts_of[material]);
            let needed: BTreeSet<Material> = build.iter().chain(parts).copied().collect();
            let new = residents.enter(&needed);
            let working = build.iter().map(|&material| residents.needs(material).working);
            let working = working.fold(PROCESS, u64::saturating_add);
            let peak =
                |residents: &Residents| with_fragments(residents.bytes().saturating_add(working));
            while options.memory.is_some_and(|limit| peak(&residents) > limit)
                && let Some(idle) = residents.drop_one(number, &needed, is_readable)
            {
                // Nothing is there before the first round.
                self.rounds[number - 1].release.push(idle);
            }
            if peak(&residents) > self.memory {
                self.memory = peak(&residents);
                self.memory_at = build.iter().copied().max_by_key(|&m| residents.needs(m).stored);
            }
            let round = &mut self.rounds[number];
            round.adopt = new.into_iter().filter(|material| !build.contains(material)).collect();
            round.release = residents.drop_done(number);
        }
    }

    /// Refuses what cannot fit.
    pub(super) fn check_room(&self, options: &Options<'_>) -> Result<(), SolveError> {
        if let (Some(allowed), Some(material)) = (options.memory, self.memory_at)
            && self.memory > allowed
        {
            return Err(SolveError::Memory { material, needed: self.memory, allowed });
        }
        if let (Some(free), Some(directory)) = (options.disk, options.directory)
            && self.disk > free
        {
            let path = directory.to_owned();
            return Err(SolveError::Disk { path, needed: self.disk, free });
        }
        Ok(())
    }
}

/// With what the allocator keeps of what is freed: the win, draw and loss of 6 pieces took 848 MiB
/// where the sum was 727.
const fn with_fragments(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / 8)
}

/// The parts that the plan does not build must be finished tables.
pub(super) fn check_parts(
    backend: &dyn Backend,
    plan: &Plan,
    options: &Options<'_>,
) -> Result<(), SolveError> {
    for part in plan.missing().into_iter().filter(|&part| !backend.keeps(part)) {
        let needs_it = plan.steps().iter().find(|step| step.needs.contains(&part));
        let missing =
            SolveError::NotSolved { material: needs_it.map_or(part, |step| step.material), part };
        let Some(directory) = options.directory else { return Err(missing) };
        match open_table(directory, part, backend.metric(), Check::Everything) {
            Ok(_) => {}
            Err(TableError { kind: TableErrorKind::Missing, .. }) => return Err(missing),
            Err(error) => return Err(SolveError::Table(error)),
        }
    }
    Ok(())
}
