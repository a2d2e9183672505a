//! The per-position reference: slow, plain, and what every other backend is compared with.
//!
//! For each position of a material it looks up the moves that leave the material, counts those
//! that stay inside, and then works backwards from decided positions, nearest to the end first:
//! a position with a move to a loss is won, a position whose moves have all been found to lose is
//! lost.

mod retrograde;
mod snapshot;
mod solved;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crownhead_index::Material;
use crownhead_rules::Color;

use self::solved::{Parts, Solved};
use crate::{
    Backend, Control, Counts, Entry, EntrySource, Flags, Job, Metric, Needs, Phase, Sink,
    SolveError, Summary,
};

/// The per-position reference: slow, plain, and what every other backend is compared with.
///
/// Builds all three metrics, and materials side by side.
#[derive(Debug)]
pub struct Reference {
    metric: Metric,
    store: RwLock<BTreeMap<Material, Arc<Solved>>>,
    stopped: Mutex<BTreeMap<Material, (Phase, Arc<Solved>)>>,
}

impl Reference {
    /// A backend for this metric, with an empty store.
    pub const fn new(metric: Metric) -> Self {
        Self { metric, store: RwLock::new(BTreeMap::new()), stopped: Mutex::new(BTreeMap::new()) }
    }

    fn solved(&self, material: Material) -> Result<Arc<Solved>, SolveError> {
        let store = self.store.read().unwrap_or_else(PoisonError::into_inner);
        store.get(&material).cloned().ok_or(SolveError::NotSolved { material, part: material })
    }

    fn insert(&self, material: Material, solved: Solved) {
        let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
        store.insert(material, Arc::new(solved));
    }

    fn parts(&self, material: Material) -> Result<Parts, SolveError> {
        let store = self.store.read().unwrap_or_else(PoisonError::into_inner);
        let find = |part: Material| match store.get(&part) {
            Some(solved) => Ok(Arc::clone(solved)),
            None => Err(SolveError::NotSolved { material, part }),
        };
        material.parts().map(find).collect()
    }
}

impl Backend for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn metric(&self) -> Metric {
        self.metric
    }

    fn side_by_side(&self) -> bool {
        true
    }

    fn needs(&self, material: Material) -> Needs {
        let positions = material.positions::<u64>().unwrap_or(u64::MAX);
        Needs {
            stored: positions.saturating_mul(size_of::<Entry>() as u64),
            working: positions.saturating_mul(retrograde::bytes_a_position(self.metric)),
        }
    }

    fn build(&self, job: Job, control: &Control<'_>) -> Result<(), SolveError> {
        let Job { material, until } = job;
        let parts = self.parts(material)?;
        let solved = retrograde::solve(material, self.metric, &parts, control)?;
        if until == Phase::Finish {
            self.insert(material, solved);
            self.stopped.lock().unwrap_or_else(PoisonError::into_inner).remove(&material);
        } else {
            let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
            stopped.insert(material, (until, Arc::new(solved)));
        }
        Ok(())
    }

    fn adopt(&self, material: Material, source: &dyn EntrySource) -> Result<(), SolveError> {
        let mut solved = Solved::new(material)?;
        for &side in Summary::sides_of(material) {
            source.read(side, 0, solved.side_mut(side))?;
        }
        self.insert(material, solved);
        Ok(())
    }

    fn export(
        &self,
        material: Material,
        side: Color,
        sink: &mut Sink<'_>,
    ) -> Result<(), SolveError> {
        let solved = self.solved(material)?;
        solved.side(side).chunks(1 << 16).try_for_each(sink)
    }

    fn summary(&self, material: Material) -> Result<Summary, SolveError> {
        let solved = self.solved(material)?;
        let mut summary = Summary { material, sides: [Counts::default(); 2] };
        for &side in Summary::sides_of(material) {
            let counts = &mut summary.sides[side as usize];
            for (rank, &entry) in solved.side(side).iter().enumerate() {
                let position = || solved.position(rank as u64, side);
                counts.add(entry, self.metric.has_plies(), position);
            }
        }
        Ok(summary)
    }

    fn snapshot(&self, material: Material, side: Color) -> Result<Vec<Flags>, SolveError> {
        let stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let (phase, solved) = match stopped.get(&material) {
            Some((phase, solved)) => (*phase, Arc::clone(solved)),
            None => (Phase::Finish, self.solved(material)?),
        };
        drop(stopped);
        Ok(snapshot::flags(phase, side, &solved, &self.parts(material)?))
    }

    fn release(&self, material: Material) {
        self.store.write().unwrap_or_else(PoisonError::into_inner).remove(&material);
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner).remove(&material);
    }
}
