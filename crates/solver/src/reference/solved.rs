use std::sync::Arc;

use crownhead_index::{Material, PerfectIndex};
use crownhead_rules::{Color, Position};

use crate::{Entry, SolveError};

/// The entries of one material in perfect-index order.
#[derive(Debug)]
pub(super) struct Solved {
    index: PerfectIndex<u64>,
    /// By side to move; nothing under White where colours are symmetric.
    sides: [Vec<Entry>; 2],
}

impl Solved {
    /// All drawn.
    pub(super) fn new(material: Material) -> Result<Self, SolveError> {
        let index = index_of(material)?;
        let mut sides = [Vec::new(), Vec::new()];
        for &side in index.sides() {
            sides[side as usize] = vec![Entry::DRAW; index.len() as usize];
        }
        Ok(Self { index, sides })
    }

    pub(super) fn index(&self) -> &PerfectIndex<u64> {
        &self.index
    }

    pub(super) fn material(&self) -> Material {
        self.index.material()
    }

    pub(super) fn side(&self, side: Color) -> &[Entry] {
        &self.sides[side as usize]
    }

    pub(super) fn side_mut(&mut self, side: Color) -> &mut [Entry] {
        &mut self.sides[side as usize]
    }

    /// # Panics
    ///
    /// If the rank is beyond the material.
    pub(super) fn position(&self, rank: u64, side: Color) -> Position {
        self.index.unrank(rank, side).expect("a rank below the number of placements")
    }

    /// The entry of a position of this material or its mirror.
    ///
    /// # Panics
    ///
    /// If the position has another material.
    pub(super) fn entry(&self, position: &Position) -> Entry {
        let (side, rank) = self.index.locate(position).expect("a position of this material");
        self.sides[side as usize][rank as usize]
    }
}

/// # Errors
///
/// When the reference, which numbers positions in 32 bits, cannot hold the material.
pub(super) fn index_of(material: Material) -> Result<PerfectIndex<u64>, SolveError> {
    let too_large = |reason: String| SolveError::TooLarge { material, reason };
    let index = PerfectIndex::<u64>::new(material).map_err(|error| too_large(error.to_string()))?;
    if index.len() > u64::from(u32::MAX) / 2 {
        return Err(too_large(format!(
            "{} positions a side to move, and the reference backend numbers {}",
            index.len(),
            u32::MAX / 2
        )));
    }
    Ok(index)
}

/// The solved materials that one capture or promotion leads to.
#[derive(Debug)]
pub(super) struct Parts(Vec<Arc<Solved>>);

impl FromIterator<Arc<Solved>> for Parts {
    fn from_iter<T: IntoIterator<Item = Arc<Solved>>>(parts: T) -> Self {
        Self(parts.into_iter().collect())
    }
}

impl Parts {
    /// The entry of a position that a capture or promotion has led to.
    ///
    /// # Panics
    ///
    /// If its material is not among the parts.
    pub(super) fn entry(&self, position: &Position) -> Entry {
        if position.side(position.side_to_move).is_empty() {
            return Entry::loss(0);
        }
        let material = Material::of(position).canonical();
        let part = self.0.iter().find(|part| part.material() == material);
        part.expect("every capture and promotion leads to a part").entry(position)
    }
}
