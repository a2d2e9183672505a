//! Which slice lies where in the arena, and which is on the host instead.

use std::collections::BTreeMap;
use std::ops::Range;

use crownhead_index::Material;

/// Wins and losses of one word with one side to move.
pub(crate) type Entry = [u32; 2];

/// Hands out ranges of the arena, first fit.
#[derive(Debug)]
struct Space {
    /// Free ranges by start, never touching each other.
    free: BTreeMap<u64, u64>,
}

impl Space {
    fn new(entries: u64) -> Self {
        Self { free: BTreeMap::from([(0, entries)]) }
    }

    /// Takes away what is free beyond some entries.
    fn shrink(&mut self, entries: u64) {
        self.free.split_off(&entries);
        if let Some(end) = self.free.values_mut().next_back() {
            *end = entries.min(*end);
        }
    }

    /// The start of a range of this length.
    fn take(&mut self, len: u64) -> Option<u64> {
        let (&start, &end) = self.free.iter().find(|&(start, end)| end - start >= len)?;
        self.free.remove(&start);
        if start + len < end {
            self.free.insert(start + len, end);
        }
        Some(start)
    }

    fn give_back(&mut self, range: Range<u64>) {
        let (mut start, mut end) = (range.start, range.end);
        if let Some(next) = self.free.remove(&end) {
            end = next;
        }
        if let Some((&before, &before_end)) = self.free.range(..start).next_back()
            && before_end == start
        {
            self.free.remove(&before);
            start = before;
        }
        self.free.insert(start, end);
    }
}

/// Where a solved material is.
#[derive(Debug)]
pub(crate) enum Slice {
    /// In the arena at these entries.
    Device(Range<u64>),
    /// On the host, ready to be brought in.
    Host(Vec<Entry>),
}

/// The solved materials.
#[derive(Debug)]
pub(crate) struct Arena {
    space: Space,
    slices: BTreeMap<Material, (Slice, u64)>,
    clock: u64,
}

impl Arena {
    /// An arena of so many entries.
    pub(crate) fn new(entries: u64) -> Self {
        Self { space: Space::new(entries), slices: BTreeMap::new(), clock: 0 }
    }

    pub(crate) fn get(&self, material: Material) -> Option<&Slice> {
        self.slices.get(&material).map(|(slice, _)| slice)
    }

    /// Where a material in the arena lies; notes that it is in use.
    pub(crate) fn use_range(&mut self, material: Material) -> Option<Range<u64>> {
        self.clock += 1;
        match self.slices.get_mut(&material)? {
            (Slice::Device(range), used) => {
                *used = self.clock;
                Some(range.clone())
            }
            (Slice::Host(_), _) => None,
        }
    }

    /// A free range, if there is one.
    pub(crate) fn allocate(&mut self, entries: u64) -> Option<Range<u64>> {
        let start = self.space.take(entries)?;
        Some(start..start + entries)
    }

    /// Gives a range back that is no slice's.
    pub(crate) fn free(&mut self, range: Range<u64>) {
        self.space.give_back(range);
    }

    /// Makes a range the home of a material.
    pub(crate) fn settle(&mut self, material: Material, range: Range<u64>) {
        self.clock += 1;
        self.put(material, Slice::Device(range));
    }

    /// Keeps a material on the host, and frees its range in the arena.
    pub(crate) fn move_out(&mut self, material: Material, entries: Vec<Entry>) {
        self.put(material, Slice::Host(entries));
    }

    fn put(&mut self, material: Material, slice: Slice) {
        if let Some((Slice::Device(range), _)) = self.slices.insert(material, (slice, self.clock)) {
            self.space.give_back(range);
        }
    }

    pub(crate) fn remove(&mut self, material: Material) {
        if let Some((Slice::Device(range), _)) = self.slices.remove(&material) {
            self.space.give_back(range);
        }
    }

    /// A material in the arena that lies beyond some entries, if only in part.
    pub(crate) fn beyond(&self, entries: u64) -> Option<Material> {
        let beyond = |(slice, _): &(Slice, u64)| matches!(slice, Slice::Device(range) if range.end > entries);
        self.slices.iter().find(|(_, slice)| beyond(slice)).map(|(&material, _)| material)
    }

    /// Leaves the arena so many entries, once nothing lies beyond.
    pub(crate) fn shrink(&mut self, entries: u64) {
        debug_assert_eq!(self.beyond(entries), None, "slices are moved out first");
        self.space.shrink(entries);
    }

    /// The material in the arena that has been unused longest, those to keep left out.
    pub(crate) fn oldest(&self, keep: impl Fn(Material) -> bool) -> Option<Material> {
        let on_device = |(material, (slice, used)): (&Material, &(Slice, u64))| {
            (matches!(slice, Slice::Device(_)) && !keep(*material)).then_some((*used, *material))
        };
        self.slices.iter().filter_map(on_device).min().map(|(_, material)| material)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_ranges_join() {
        let mut space = Space::new(100);
        let starts: Vec<_> = (0..5).map(|_| space.take(20).unwrap()).collect();
        assert_eq!(space.take(1), None);
        for i in [1, 3, 2] {
            space.give_back(starts[i]..starts[i] + 20);
        }
        assert_eq!(space.take(61), None);
        assert_eq!(space.take(60), Some(20));
    }

    #[test]
    fn a_smaller_arena_ends_earlier() {
        let mut arena = Arena::new(100);
        let names = ["KvK", "KvM", "MvM"].map(|name| name.parse::<Material>().unwrap());
        for material in names {
            let range = arena.allocate(30).unwrap();
            arena.settle(material, range);
        }
        assert_eq!(arena.beyond(90), None);
        assert_eq!(arena.beyond(80), Some(names[2]));
        arena.move_out(names[2], vec![[0, 0]; 30]);
        arena.shrink(80);
        assert_eq!(arena.allocate(21), None);
        assert_eq!(arena.allocate(20), Some(60..80));
        arena.shrink(60);
        arena.remove(names[1]);
        assert_eq!(arena.allocate(30), Some(30..60));
    }

    #[test]
    fn the_slice_unused_longest_goes_first() {
        let mut arena = Arena::new(100);
        let names = ["KvK", "KvM", "MvM"].map(|name| name.parse::<Material>().unwrap());
        for material in names {
            let range = arena.allocate(30).unwrap();
            arena.settle(material, range);
        }
        assert!(arena.use_range(names[0]).is_some());
        assert_eq!(arena.oldest(|_| false), Some(names[1]));
        assert_eq!(arena.oldest(|material| material == names[1]), Some(names[2]));
        assert_eq!(arena.allocate(30), None);
        arena.move_out(names[1], vec![[0, 0]; 30]);
        assert!(arena.use_range(names[1]).is_none());
        assert!(arena.allocate(30).is_some());
    }
}
