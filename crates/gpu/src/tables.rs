//! What the kernels look up beside positions: binomials, sets and steps of each group of pieces,
//! and where each material's slice lies.

use std::collections::BTreeMap;

use crownhead_index::Material;
use crownhead_index::product::{BINOMIAL, Group, GroupTable, ProductIndex};

/// Where one group's lists begin in [`Tables::words`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GroupPlace {
    /// The sets by rank.
    pub(crate) sets: u32,
    /// By rank, where its steps begin; one more than ranks.
    pub(crate) steps: u32,
}

/// Binomials, then for each group and number of pieces in use its sets and steps by rank.
#[derive(Debug)]
pub(crate) struct Tables {
    words: Vec<u32>,
    places: BTreeMap<(Kind, u32), GroupPlace>,
    groups: BTreeMap<(Kind, u32), GroupTable>,
}

/// Groups with the same tables: kings of both colours step alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    BlackMen,
    Kings,
    WhiteMen,
}

impl Kind {
    const fn of(group: Group) -> Self {
        match group {
            Group::BlackMen => Self::BlackMen,
            Group::BlackKings | Group::WhiteKings => Self::Kings,
            Group::WhiteMen => Self::WhiteMen,
        }
    }
}

/// Binomials for each square in `lookup.wgsl`: sets of up to 8 pieces.
pub(crate) const BINOMIALS: usize = 9;

impl Tables {
    pub(crate) fn new() -> Self {
        let words = (0..32).flat_map(|n| BINOMIAL[n][..BINOMIALS].iter().copied()).collect();
        Self { words, places: BTreeMap::new(), groups: BTreeMap::new() }
    }

    /// What goes to the device.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// Adds the groups of a material's indexed pieces; whether any was missing.
    pub(crate) fn ensure(&mut self, index: &ProductIndex) -> bool {
        let before = self.words.len();
        for group in Group::ALL {
            let key = (Kind::of(group), index.counts()[group as usize]);
            if self.places.contains_key(&key) {
                continue;
            }
            let table = GroupTable::new(group, key.1);
            let sets = self.words.len() as u32;
            self.words.extend(table.sets());
            let steps = self.words.len() as u32;
            let ranks = steps + table.step_offsets().len() as u32;
            self.words.extend(table.step_offsets().iter().map(|offset| ranks + offset));
            self.words.extend(table.step_ranks());
            self.places.insert(key, GroupPlace { sets, steps });
            self.groups.insert(key, table);
        }
        self.words.len() != before
    }

    /// Where a group's lists begin; only after [`ensure`](Self::ensure).
    pub(crate) fn place(&self, group: Group, count: u32) -> GroupPlace {
        self.places[&(Kind::of(group), count)]
    }

    /// The group's table; only after [`ensure`](Self::ensure).
    pub(crate) fn group(&self, group: Group, count: u32) -> &GroupTable {
        &self.groups[&(Kind::of(group), count)]
    }
}

/// Words of one slice's record in `lookup.wgsl`.
pub(crate) const SLICE_WORDS: usize = 12;
/// Records: one for each choice of four counts up to 7.
const SLICE_KEYS: usize = 8 * 8 * 8 * 8;

/// Where each material in the arena begins, by its piece counts, in either orientation.
#[derive(Debug)]
pub(crate) struct SliceTable {
    words: Vec<u32>,
}

/// Chunk and offset of the entries with Black to move, then with White to move.
pub(crate) type Base = [u32; 4];

impl SliceTable {
    pub(crate) fn new() -> Self {
        Self { words: vec![0; SLICE_KEYS * SLICE_WORDS] }
    }

    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    fn key(material: Material) -> usize {
        let counts = Group::ALL.map(|group| group.count(material) as usize);
        (counts[0] << 9 | counts[1] << 6 | counts[2] << 3 | counts[3]) * SLICE_WORDS
    }

    /// Enters a canonical material, under its own counts and under its mirror's.
    pub(crate) fn insert(&mut self, index: &ProductIndex, base: Base) {
        let strides = index.strides().map(|stride| stride as u32);
        let record = |turned: u32| {
            let mut record = [0; SLICE_WORDS];
            record[..3].copy_from_slice(&[1, turned, index.fast() as u32]);
            record[3..7].copy_from_slice(&strides);
            record[7..11].copy_from_slice(&base);
            record
        };
        let material = index.material();
        for (turned, material) in [(1, material.mirror()), (0, material)] {
            let key = Self::key(material);
            self.words[key..key + SLICE_WORDS].copy_from_slice(&record(turned));
        }
    }

    pub(crate) fn remove(&mut self, material: Material) {
        for material in [material, material.mirror()] {
            let key = Self::key(material);
            self.words[key..key + SLICE_WORDS].fill(0);
        }
    }
}
