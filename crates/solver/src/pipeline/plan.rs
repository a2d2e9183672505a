use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crownhead_index::{Material, materials_to};

/// What to build, in an order in which every material comes after its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    steps: Vec<Step>,
    complete: bool,
}

/// One material of a [`Plan`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The canonical material.
    pub material: Material,
    /// The materials that one capture or promotion leads to, in solve order.
    pub needs: Vec<Material>,
}

impl Step {
    fn new(material: Material) -> Self {
        Self { material, needs: material.parts().collect() }
    }
}

impl Plan {
    /// Every material with 2 to this many pieces.
    ///
    /// ```
    /// use crownhead_solver::Plan;
    /// let plan = Plan::to_pieces(3);
    /// let names: Vec<String> = plan.steps().iter().map(|s| s.material.to_string()).collect();
    /// assert_eq!(names[..5], ["KvK", "KvM", "MvM", "KKvK", "KMvK"]);
    /// ```
    pub fn to_pieces(pieces: u32) -> Self {
        Self { steps: materials_to(pieces).map(Step::new).collect(), complete: true }
    }

    /// These materials with all that they depend on, directly or not.
    pub fn with_parts(materials: &[Material]) -> Self {
        let mut found = BTreeMap::new();
        let mut open: Vec<Material> = materials.iter().map(Material::canonical).collect();
        while let Some(material) = open.pop() {
            if let Entry::Vacant(place) = found.entry(material) {
                let step = place.insert(Step::new(material));
                open.extend(&step.needs);
            }
        }
        let pieces = materials.iter().map(Material::pieces).max().unwrap_or(0);
        let steps = materials_to(pieces).filter_map(|material| found.remove(&material)).collect();
        Self { steps, complete: true }
    }

    /// Exactly this material, from parts that are there.
    pub fn only(material: Material) -> Self {
        Self { steps: vec![Step::new(material.canonical())], complete: false }
    }

    /// The materials in solve order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether the plan holds everything that its materials depend on.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// The steps in runs of equally many pieces and men, none of which needs another.
    pub fn levels(&self) -> impl Iterator<Item = &[Step]> {
        let level = |step: &Step| (step.material.pieces(), step.material.men());
        self.steps.chunk_by(move |a, b| level(a) == level(b))
    }

    /// Positions of all steps, both sides to move.
    pub fn positions(&self) -> u128 {
        self.steps.iter().filter_map(|step| step.material.positions::<u128>()).sum()
    }

    /// The materials that the steps need and the plan does not hold, in solve order.
    pub fn missing(&self) -> Vec<Material> {
        let own: BTreeSet<Material> = self.steps.iter().map(|step| step.material).collect();
        let needed: BTreeSet<Material> =
            self.steps.iter().flat_map(|step| &step.needs).copied().collect();
        let pieces = needed.iter().map(Material::pieces).max().unwrap_or(0);
        materials_to(pieces).filter(|m| needed.contains(m) && !own.contains(m)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(text: &str) -> Material {
        text.parse().unwrap()
    }

    #[test]
    fn every_part_comes_before_what_needs_it() {
        for plan in [Plan::to_pieces(6), Plan::with_parts(&[material("KMMvKKM")])] {
            assert!(plan.missing().is_empty());
            let mut done = BTreeSet::new();
            for step in plan.steps() {
                assert!(step.needs.iter().all(|part| done.contains(part)), "{}", step.material);
                done.insert(step.material);
            }
        }
    }

    #[test]
    fn levels_hold_materials_that_do_not_need_each_other() {
        let plan = Plan::to_pieces(5);
        let steps: Vec<Step> = plan.levels().flatten().cloned().collect();
        assert_eq!(steps, plan.steps());
        for level in plan.levels() {
            let own: BTreeSet<Material> = level.iter().map(|step| step.material).collect();
            assert!(level.iter().all(|step| step.needs.iter().all(|part| !own.contains(part))));
        }
    }

    #[test]
    fn totals_are_the_published_ones() {
        assert_eq!(Plan::to_pieces(4).positions(), 6_408_836);
        assert_eq!(Plan::to_pieces(5).positions(), 145_859_644);
        assert_eq!(Plan::to_pieces(6).positions(), 2_571_945_320);
    }

    #[test]
    fn one_material_alone_names_what_it_misses() {
        let plan = Plan::only(material("KvKM"));
        assert_eq!(plan.steps().len(), 1);
        assert_eq!(plan.steps()[0].material, material("KMvK"));
        assert_eq!(plan.missing(), ["KvK", "KvM", "KKvK"].map(material));
    }
}
