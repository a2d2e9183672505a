use std::collections::{BTreeMap, BTreeSet};

use crownhead_index::Material;

use super::survey::Round;
use crate::{Backend, Needs};

/// What a schedule has in the backend's store from round to round.
pub(super) struct Residents {
    needs: BTreeMap<Material, Needs>,
    /// The rounds that build a material or need it as a part, ascending.
    uses: BTreeMap<Material, Vec<usize>>,
    live: BTreeSet<Material>,
    bytes: u64,
}

impl Residents {
    /// An empty store before these rounds.
    pub(super) fn new(
        backend: &dyn Backend,
        rounds: &[Round],
        parts_of: &BTreeMap<Material, &Vec<Material>>,
    ) -> Self {
        let mut uses: BTreeMap<Material, Vec<usize>> = BTreeMap::new();
        for (number, round) in rounds.iter().enumerate() {
            for material in &round.build {
                for &used in parts_of[material].iter().chain([material]) {
                    uses.entry(used).or_default().push(number);
                }
            }
        }
        let needs = uses.keys().map(|&material| (material, backend.needs(material))).collect();
        Self { needs, uses, live: BTreeSet::new(), bytes: 0 }
    }

    /// What the store takes, in bytes.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn needs(&self, material: Material) -> Needs {
        self.needs[&material]
    }

    fn next_use(&self, material: Material, after: usize) -> Option<usize> {
        self.uses[&material].iter().copied().find(|&number| number > after)
    }

    /// Takes these in; returns those that were not there.
    pub(super) fn enter(&mut self, needed: &BTreeSet<Material>) -> Vec<Material> {
        let new: Vec<Material> = needed.difference(&self.live).copied().collect();
        for &material in &new {
            self.bytes = self.bytes.saturating_add(self.needs[&material].stored);
            self.live.insert(material);
        }
        new
    }

    fn leave(&mut self, material: Material) {
        if self.live.remove(&material) {
            self.bytes = self.bytes.saturating_sub(self.needs[&material].stored);
        }
    }

    /// Drops the material that is not needed for longest, of those that this round does not need
    /// and that may be dropped.
    pub(super) fn drop_one(
        &mut self,
        number: usize,
        needed: &BTreeSet<Material>,
        may_be: impl Fn(Material) -> bool,
    ) -> Option<Material> {
        let idle = self.live.difference(needed).copied();
        let takes_room = |&m: &Material| self.needs[&m].stored > 0 && may_be(m);
        let last = idle.filter(takes_room).max_by_key(|&m| self.next_use(m, number))?;
        self.leave(last);
        Some(last)
    }

    /// Drops what no round after this one needs.
    pub(super) fn drop_done(&mut self, number: usize) -> Vec<Material> {
        let is_done = |&material: &Material| self.next_use(material, number).is_none();
        let done: Vec<Material> = self.live.iter().copied().filter(is_done).collect();
        done.iter().for_each(|&material| self.leave(material));
        done
    }
}
