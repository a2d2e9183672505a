//! Batches of components between two checkpoints.

use crownhead_solver::Phase;

use super::{Builder, Built, Site, Snapshot};
use crate::GpuError;
use crate::kernel::{Counters, Kernel, Params, counter};

/// What is done with a batch, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    Classify,
    Men,
    Rounds,
    /// Verify, pack, count, audit.
    Finish,
}

/// Components of one level that are built side by side in scratch.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    /// Ranks of the men of each component.
    pub(super) list: Vec<[u32; 2]>,
    /// Where they begin in the component list on the device.
    pub(super) components: u32,
    /// Its number since the last checkpoint, from 0.
    number: u32,
    /// Where its round flags begin in the counters.
    round_flags: u32,
}

/// The batches since the last checkpoint.
///
/// A batch that needs more rounds than were recorded stalls: the device skips all that depends on
/// it, and at the checkpoint the host goes on from there.
#[derive(Debug)]
pub(super) struct Batches {
    pending: Vec<Batch>,
    places: u64,
    used_places: u64,
    rounds: u32,
    /// Rounds that the first batch had before the last checkpoint.
    rounds_before: u32,
}

/// Most batches between two checkpoints.
const MOST: usize = 256;

impl Batches {
    /// No batches, over a component list of so many places.
    pub(super) fn new(places: u64, rounds: u32) -> Self {
        Self { pending: Vec::new(), places, used_places: 0, rounds, rounds_before: 0 }
    }

    fn flags(&self, batches: usize) -> usize {
        counter::ROUND_FLAGS + batches * self.rounds as usize
    }

    pub(super) fn has_room_for(&self, list: &[[u32; 2]]) -> bool {
        let batches = self.pending.len() + 1;
        self.used_places + list.len() as u64 <= self.places
            && batches <= MOST
            && self.flags(batches) <= counter::LEN
    }

    pub(super) fn add(&mut self, list: Vec<[u32; 2]>) -> Batch {
        let number = self.pending.len();
        let batch = Batch {
            components: self.used_places as u32,
            number: number as u32,
            round_flags: self.flags(number) as u32,
            list,
        };
        self.used_places += batch.list.len() as u64;
        self.pending.push(batch.clone());
        batch
    }

    fn clear(&mut self) {
        self.pending.clear();
        self.used_places = 0;
        self.rounds_before = 0;
    }

    /// Forgets the batches before this one, and numbers the others anew.
    fn keep_from(&mut self, stalled: usize) {
        self.rounds_before = if stalled == 0 { self.rounds_before } else { 0 } + self.rounds;
        self.pending.drain(..stalled);
        let rounds = self.rounds as usize;
        for (number, batch) in self.pending.iter_mut().enumerate() {
            batch.number = number as u32;
            batch.round_flags = (counter::ROUND_FLAGS + number * rounds) as u32;
        }
    }
}

impl Batch {
    fn params(&self, site: &Site) -> Params {
        Params {
            end: self.words(site) as u32,
            components: self.components,
            batch: self.number,
            round_flags: self.round_flags,
            ..site.params
        }
    }

    /// Those of the audit, which begins at another word in each batch.
    fn audit_params(&self, site: &Site) -> Params {
        let params = self.params(site);
        let [black, white] = self.list.first().copied().unwrap_or_default();
        let first = 7 * black + 13 * white + params.end / 3;
        Params { first: first % params.sample.min(params.end), ..params }
    }

    /// Words that the audit checks, both sides to move.
    fn audited(&self, site: &Site) -> u64 {
        let params = self.audit_params(site);
        2 * u64::from((params.end - params.first).div_ceil(params.sample))
    }

    fn words(&self, site: &Site) -> u64 {
        self.list.len() as u64 * site.index.component_words()
    }
}

impl Builder {
    /// Records the stages of a batch from one to another.
    pub(super) fn record(
        &mut self,
        site: &Site,
        batch: &Batch,
        from: Stage,
        to: Stage,
    ) -> Result<(), GpuError> {
        let params = batch.params(site);
        let material = site.index.material();
        for stage in [Stage::Classify, Stage::Men, Stage::Rounds, Stage::Finish] {
            if stage < from || stage > to {
                continue;
            }
            match stage {
                Stage::Classify => self.dispatch(Kernel::Classify, &params)?,
                Stage::Men if material.men() > 0 => self.dispatch(Kernel::Men, &params)?,
                Stage::Men => {}
                Stage::Rounds => self.record_rounds(site, &params)?,
                Stage::Finish => {
                    self.dispatch(Kernel::Verify, &params)?;
                    self.dispatch(Kernel::Finish, &params)?;
                    self.dispatch(Kernel::Audit, &batch.audit_params(site))?;
                }
            }
        }
        Ok(())
    }

    fn record_rounds(&mut self, site: &Site, params: &Params) -> Result<(), GpuError> {
        if site.index.component_words() <= self.settings.solve_words {
            // Rounds inside a workgroup cost little.
            let rounds = 4 * params.rounds;
            return self.dispatch(Kernel::Solve, &Params { rounds, ..*params });
        }
        for round in 0..params.rounds {
            let params = Params { round, ..*params };
            self.dispatch(Kernel::SweepWins, &params)?;
            self.dispatch(Kernel::SweepLosses, &params)?;
        }
        Ok(())
    }

    /// Dispatches a kernel over all words, in parts that are short enough.
    pub(super) fn dispatch(&mut self, kernel: Kernel, params: &Params) -> Result<(), GpuError> {
        let unit = match kernel {
            Kernel::Solve => u64::from(params.group_components) * u64::from(params.component_words),
            Kernel::Audit => u64::from(params.sample),
            _ => 1,
        };
        let (mut first, end) = (u64::from(params.first), u64::from(params.end));
        while first < end {
            let words = (self.executor.dispatch_words(kernel) / unit).max(1) * unit;
            let part_end = end.min(first + words);
            let part = Params { first: first as u32, end: part_end as u32, ..*params };
            self.executor.dispatch(kernel, &part)?;
            first = part_end;
        }
        Ok(())
    }

    /// Waits for all pending batches and takes their counts; goes on with those that stalled.
    /// Returns the words finished.
    pub(super) fn checkpoint(
        &mut self,
        site: &Site,
        batches: &mut Batches,
        built: &mut Built,
    ) -> Result<u64, GpuError> {
        let mut words = 0;
        while !batches.pending.is_empty() {
            let counters = self.executor.counters()?;
            words += self.take_counts(site, batches, &counters, built)?;
            let Some(stalled) = counters.stalled() else { break };
            batches.keep_from(stalled as usize);
            for (i, batch) in batches.pending.clone().iter().enumerate() {
                let from = if i == 0 { Stage::Rounds } else { Stage::Classify };
                self.record(site, batch, from, Stage::Finish)?;
            }
        }
        batches.clear();
        Ok(words)
    }

    /// Takes the counts of the batches before the one that stalled, if any, and checks that the
    /// device did all of them and found nothing wrong.
    fn take_counts(
        &self,
        site: &Site,
        batches: &Batches,
        counters: &Counters,
        built: &mut Built,
    ) -> Result<u64, GpuError> {
        let material = site.index.material();
        let stalled = counters.stalled().map_or(batches.pending.len(), |batch| batch as usize);
        let done = batches.pending.get(..stalled).unwrap_or(&[]);
        let words: u64 = done.iter().map(|batch| 2 * batch.words(site)).sum();
        let finished = counters.wide(counter::FINISHED);
        let no_round = stalled < batches.pending.len() && counters.0[counter::ROUNDS] == 0;
        if finished != words || stalled > batches.pending.len() || no_round {
            return Err(GpuError::Incomplete { material, expected: words, found: finished });
        }
        check_faults(site, counters)?;
        let audited: u64 = done.iter().map(|batch| batch.audited(site)).sum();
        let found = u64::from(counters.0[counter::AUDITED]);
        if found != audited {
            return Err(GpuError::Incomplete { material, expected: audited, found });
        }
        built.positions += counters.wide(counter::COUNTS);
        for side in 0..2 {
            built.wins[side] += counters.wide(counter::COUNTS + 2 + 4 * side);
            built.losses[side] += counters.wide(counter::COUNTS + 4 + 4 * side);
        }
        built.rounds = built.rounds.max(batches.rounds_before + counters.0[counter::ROUNDS]);
        Ok(words)
    }

    /// Builds the batch just added up to a phase, keeps what its scratch holds then, and records
    /// the rest, which later batches need.
    pub(super) fn record_and_look(
        &mut self,
        site: &Site,
        batches: &mut Batches,
        until: Phase,
        snapshot: &mut Snapshot,
    ) -> Result<(), GpuError> {
        let Some(batch) = batches.pending.first().cloned() else { return Ok(()) };
        let to = match until {
            Phase::Classify => Stage::Classify,
            // The fast man's moves and the others' belong together: see `Phase::Men`.
            Phase::Men if !has_kings(site) => Stage::Classify,
            Phase::Men => Stage::Men,
            Phase::Sweep | Phase::Finish => Stage::Rounds,
        };
        self.record(site, &batch, Stage::Classify, to)?;
        if to == Stage::Rounds {
            self.finish_rounds(site, batches)?;
        }
        // Once every position has its value, the quiet ones are told no more.
        self.look(site, &batch, until < Phase::Sweep, snapshot)?;
        if until == Phase::Classify {
            batches.clear();
            return Ok(());
        }
        let next = match to {
            Stage::Classify => Stage::Men,
            Stage::Men => Stage::Rounds,
            _ => Stage::Finish,
        };
        self.record(site, &batch, next, Stage::Finish)
    }

    /// Adds rounds to the one batch at hand until none is needed.
    fn finish_rounds(&mut self, site: &Site, batches: &Batches) -> Result<(), GpuError> {
        loop {
            let counters = self.executor.counters()?;
            if counters.stalled().is_none() {
                return Ok(());
            }
            self.take_counts(site, batches, &counters, &mut Built::default())?;
            for batch in &batches.pending {
                self.record(site, batch, Stage::Rounds, Stage::Rounds)?;
            }
        }
    }

    /// Copies the scratch of a batch to its words in the snapshot.
    fn look(
        &mut self,
        site: &Site,
        batch: &Batch,
        with_quiet: bool,
        snapshot: &mut Snapshot,
    ) -> Result<(), GpuError> {
        let kept = if with_quiet { !0 } else { 0 };
        let component = site.index.component_words() as usize;
        let [black_stride, white_stride] =
            [site.params.black_men_stride, site.params.white_men_stride].map(|s| s as usize);
        for side in 0..2 {
            let words = batch.words(site);
            let scratch = self.executor.read_scratch(self.scratch_words, side, words)?;
            for (i, &[black, white]) in batch.list.iter().enumerate() {
                let to = black as usize * black_stride + white as usize * white_stride;
                for k in 0..component {
                    let from = i * component + k;
                    snapshot.words[side][to + k] = [
                        scratch.wins[from],
                        scratch.losses[from],
                        scratch.quiet[from] & kept,
                        scratch.lossable[from] & kept,
                    ];
                }
            }
        }
        Ok(())
    }
}

/// Compares the number of positions with that of the perfect index.
pub(super) fn check_count(site: &Site, built: &Built) -> Result<(), GpuError> {
    let material = site.index.material();
    let expected = material.placements::<u64>().unwrap_or(u64::MAX);
    if built.positions == expected {
        return Ok(());
    }
    Err(GpuError::Incomplete { material, expected, found: built.positions })
}

fn has_kings(site: &Site) -> bool {
    let material = site.index.material();
    material.black.kings + material.white.kings > 0
}

fn check_faults(site: &Site, counters: &Counters) -> Result<(), GpuError> {
    let material = site.index.material();
    let faults = [
        (counter::MISSED_READS, "accesses outside of the arena"),
        (counter::OFFENDING, "words break the verifier's rules"),
        (counter::AUDIT_OFFENDING, "positions contradict their successors"),
    ];
    for (at, what) in faults {
        let count = counters.0[at];
        if count != 0 {
            let first = counters.0[counter::AUDIT_FIRST];
            let place = if first == u32::MAX {
                String::new()
            } else {
                format!(" (first word of its batch: {first})")
            };
            return Err(GpuError::Wrong { material, detail: format!("{count} {what}{place}") });
        }
    }
    Ok(())
}
