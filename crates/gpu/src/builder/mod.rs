//! Builds one material after the other on an executor: residence of its parts, batches, rounds,
//! checkpoints.

mod batch;

use crownhead_index::Material;
use crownhead_index::product::{Group, ProductIndex, levels};
use crownhead_rules::Color;
use crownhead_solver::{Flags, Phase};

use crate::GpuError;
use crate::arena::{Arena, Entry, Slice};
use crate::executor::{Executor, Settings};
use crate::kernel::{Kernel, Params};
use crate::tables::{Base, SliceTable, Tables};

use batch::{Batches, Stage, check_count};

/// What a finished build reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Built {
    /// Positions with one side to move.
    pub(crate) positions: u64,
    /// Wins and losses by side to move.
    pub(crate) wins: [u64; 2],
    pub(crate) losses: [u64; 2],
    /// Most rounds that a component took.
    pub(crate) rounds: u32,
}

/// The four scratch bits of every word at the end of a phase, by side to move.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) material: Material,
    words: [Vec<[u32; 4]>; 2],
}

impl Snapshot {
    /// What is known of the position at a place.
    pub(crate) fn flags(&self, side: usize, word: u64, bit: u32) -> Flags {
        let bits = self.words[side][word as usize];
        let flag = |i: usize, flag: u8| if bits[i] >> bit & 1 != 0 { flag } else { 0 };
        Flags(
            flag(0, Flags::WIN)
                | flag(1, Flags::LOSS)
                | flag(2, Flags::QUIET)
                | flag(3, Flags::LOSSABLE),
        )
    }
}

/// Builds materials on an executor.
pub(crate) struct Builder {
    pub(crate) executor: Box<dyn Executor>,
    settings: Settings,
    tables: Tables,
    slices: SliceTable,
    arena: Arena,
    /// Words of scratch and places in the component list that there are.
    scratch_words: u64,
    component_places: u64,
}

/// A batch takes one part in four of the memory at most: 32 bytes a word.
const MEMORY_OF_BATCH: u64 = 4 * 32;

/// A material while it is built.
struct Site {
    index: ProductIndex,
    /// What all its dispatches have in common.
    params: Params,
    entries: std::ops::Range<u64>,
}

/// What a build returns: counts, and a snapshot when it stopped early.
pub(crate) type Outcome = (Built, Option<Snapshot>);

/// Called between submissions with the words finished since the last call; ends the build on error.
pub(crate) type Progress<'a, X> = dyn FnMut(u64) -> Result<(), X> + 'a;

impl Builder {
    pub(crate) fn new(executor: Box<dyn Executor>, settings: Settings) -> Self {
        let arena = Arena::new(executor.max_entries(0));
        Self {
            executor,
            settings,
            tables: Tables::new(),
            slices: SliceTable::new(),
            arena,
            scratch_words: 0,
            component_places: 0,
        }
    }

    /// Builds a material from its parts, up to the end of a phase.
    pub(crate) fn build<X: From<GpuError>>(
        &mut self,
        material: Material,
        until: Phase,
        progress: &mut Progress<'_, X>,
    ) -> Result<Outcome, X> {
        let site = self.prepare(material)?;
        let result = self.build_at(&site, until, progress);
        match &result {
            Ok(_) if until == Phase::Finish => self.arena.settle(material, site.entries),
            _ => {
                self.arena.free(site.entries);
                self.slices.remove(material);
            }
        }
        result
    }

    fn build_at<X: From<GpuError>>(
        &mut self,
        site: &Site,
        until: Phase,
        progress: &mut Progress<'_, X>,
    ) -> Result<Outcome, X> {
        let index = &site.index;
        let counts = index.counts();
        let levels = levels(
            self.tables.group(Group::BlackMen, counts[Group::BlackMen as usize]),
            self.tables.group(Group::WhiteMen, counts[Group::WhiteMen as usize]),
        );
        let mut snapshot = (until != Phase::Finish).then(|| Snapshot {
            material: index.material(),
            words: core::array::from_fn(|_| vec![[u32::MAX, 0, 0, 0]; index.words() as usize]),
        });
        let mut built = Built::default();
        let mut batches = Batches::new(self.component_places, self.settings.rounds);
        let per_batch = (self.scratch_words / index.component_words()).max(1) as usize;
        for level in &levels {
            for components in level.components.chunks(per_batch) {
                let list: Vec<_> = components.iter().map(|c| [c.black, c.white]).collect();
                if !batches.has_room_for(&list) || snapshot.is_some() {
                    let done = self.checkpoint(site, &mut batches, &mut built)?;
                    progress(done)?;
                }
                let batch = batches.add(list);
                self.executor.set_components(u64::from(batch.components), &batch.list)?;
                match &mut snapshot {
                    None => self.record(site, &batch, Stage::Classify, Stage::Finish)?,
                    Some(snapshot) => self.record_and_look(site, &mut batches, until, snapshot)?,
                }
            }
        }
        let done = self.checkpoint(site, &mut batches, &mut built)?;
        progress(done)?;
        if until == Phase::Finish {
            check_count(site, &built)?;
        }
        Ok((built, snapshot))
    }

    /// Brings the parts into the arena, makes room for the material, and marks it all invalid.
    fn prepare(&mut self, material: Material) -> Result<Site, GpuError> {
        let index = index_of(material)?;
        self.reserve(&index)?;
        if self.tables.ensure(&index) {
            self.executor.set_tables(self.tables.words())?;
        }
        let wanted: Vec<_> = material.parts().collect();
        for &part in &wanted {
            if self.arena.get(part).is_none() {
                return Err(GpuError::MissingPart { material, part });
            }
        }
        let len = 2 * index.words();
        let entries = self.make_room(material, &wanted, len)?;
        self.slices.insert(&index, self.base(&index, entries.start));
        self.executor.set_slices(self.slices.words())?;
        let site = Site { index, params: self.params(&index, entries.start), entries };
        self.dispatch(Kernel::Fill, &Params { end: index.words() as u32, ..site.params })?;
        Ok(site)
    }

    /// Scratch for at least one component of the material, and places for the components.
    fn reserve(&mut self, index: &ProductIndex) -> Result<(), GpuError> {
        let wanted = self.scratch_for(index)?;
        let places = wanted.clamp(self.component_places.max(1), 1 << 20);
        if wanted > self.scratch_words || places > self.component_places {
            let words = self.scratch_words.max(wanted);
            // Scratch takes memory and bindings from the arena.
            let limit = self.executor.max_entries(words);
            while let Some(material) = self.arena.beyond(limit) {
                self.move_out(material)?;
            }
            self.arena.shrink(limit);
            self.executor.reserve_scratch(words, places)?;
            self.scratch_words = words;
            self.component_places = places;
        }
        Ok(())
    }

    /// Words of scratch, one side to move, that a material is built with.
    fn scratch_for(&self, index: &ProductIndex) -> Result<u64, GpuError> {
        let component = index.component_words();
        let most = self.executor.max_scratch();
        if component > most {
            let detail = format!("a component has {component} words, and scratch holds {most}");
            return Err(GpuError::TooLarge { material: index.material(), detail });
        }
        // Small materials need no large scratch, and most of the memory is for the arena.
        let batch = self.settings.batch_words.min(self.settings.memory / MEMORY_OF_BATCH);
        Ok(index.words().min(batch).max(component).min(most))
    }

    /// Whether each of some materials, built in this order, fits with its parts, whatever else is
    /// moved to the host.
    ///
    /// # Errors
    ///
    /// [`GpuError::TooLarge`] for the first that does not.
    pub(crate) fn check(&self, materials: &[Material]) -> Result<(), GpuError> {
        let mut scratch = self.scratch_words;
        for &material in materials {
            let index = index_of(material)?;
            scratch = scratch.max(self.scratch_for(&index)?);
            let parts: Vec<_> = material.parts().collect();
            let entries = entries_of(material) + parts.iter().copied().map(entries_of).sum::<u64>();
            let most = self.executor.max_entries(scratch);
            if entries > most {
                return Err(too_large(material, &parts, most));
            }
        }
        Ok(())
    }

    /// Free entries for a material, with all its parts in the arena beside them.
    fn make_room(
        &mut self,
        material: Material,
        parts: &[Material],
        len: u64,
    ) -> Result<std::ops::Range<u64>, GpuError> {
        if let Some(range) = self.gather(parts, len)? {
            return Ok(range);
        }
        // What is kept lies scattered: move everything out and the parts back in, without gaps.
        while let Some(part) = self.arena.oldest(|_| false) {
            self.move_out(part)?;
        }
        let most = self.executor.max_entries(self.scratch_words);
        self.gather(parts, len)?.ok_or_else(|| too_large(material, parts, most))
    }

    /// Brings the parts into the arena and finds a free range beside them, if all fits.
    fn gather(
        &mut self,
        parts: &[Material],
        len: u64,
    ) -> Result<Option<std::ops::Range<u64>>, GpuError> {
        for &part in parts {
            if !self.bring_in(part, parts)? {
                return Ok(None);
            }
        }
        self.allocate(len, parts)
    }

    /// A free range; moves others out of the arena while there is none.
    fn allocate(
        &mut self,
        len: u64,
        keep: &[Material],
    ) -> Result<Option<std::ops::Range<u64>>, GpuError> {
        loop {
            if let Some(range) = self.arena.allocate(len) {
                match self.executor.reserve_arena(range.end) {
                    Ok(()) => return Ok(Some(range)),
                    // The device holds less than it promised: what there is must do.
                    Err(GpuError::OutOfMemory(_)) => self.arena.free(range),
                    Err(error) => return Err(error),
                }
            }
            match self.arena.oldest(|material| keep.contains(&material)) {
                Some(material) => self.move_out(material)?,
                None => return Ok(None),
            }
        }
    }

    /// Whether the part is in the arena, or could be brought in.
    fn bring_in(&mut self, part: Material, keep: &[Material]) -> Result<bool, GpuError> {
        if self.arena.use_range(part).is_some() {
            return Ok(true);
        }
        let Some(range) = self.allocate(entries_of(part), keep)? else { return Ok(false) };
        if let Some(Slice::Host(entries)) = self.arena.get(part) {
            self.executor.write_entries(range.start, entries)?;
        }
        if let Some(index) = ProductIndex::new(part) {
            self.slices.insert(&index, self.base(&index, range.start));
        }
        self.arena.settle(part, range);
        Ok(true)
    }

    fn move_out(&mut self, material: Material) -> Result<(), GpuError> {
        let entries = self.entries(material)?;
        self.slices.remove(material);
        self.arena.move_out(material, entries);
        Ok(())
    }

    /// The entries of a solved material: all words with Black to move, then with White.
    pub(crate) fn entries(&mut self, material: Material) -> Result<Vec<Entry>, GpuError> {
        let missing = GpuError::MissingPart { material, part: material };
        match self.arena.get(material).ok_or(missing)? {
            Slice::Host(entries) => Ok(entries.clone()),
            Slice::Device(range) => {
                let mut entries = vec![[0, 0]; (range.end - range.start) as usize];
                self.executor.read_entries(range.start, &mut entries)?;
                Ok(entries)
            }
        }
    }

    /// The entries of a solved material with one side to move.
    pub(crate) fn entries_of_side(
        &mut self,
        material: Material,
        side: Color,
    ) -> Result<Vec<Entry>, GpuError> {
        let missing = GpuError::MissingPart { material, part: material };
        let words = entries_of(material) / 2;
        let first = side as u64 * words;
        match self.arena.get(material).ok_or(missing)? {
            Slice::Host(entries) => Ok(entries[first as usize..][..words as usize].to_vec()),
            Slice::Device(range) => {
                let mut entries = vec![[0, 0]; words as usize];
                self.executor.read_entries(range.start + first, &mut entries)?;
                Ok(entries)
            }
        }
    }

    /// Takes a material that was solved before.
    pub(crate) fn adopt(&mut self, material: Material, entries: Vec<Entry>) {
        self.slices.remove(material);
        self.arena.move_out(material, entries);
    }

    pub(crate) fn release(&mut self, material: Material) {
        self.slices.remove(material);
        self.arena.remove(material);
    }

    fn base(&self, index: &ProductIndex, start: u64) -> Base {
        let bits = self.executor.chunk_bits();
        let split = |entry: u64| ((entry >> bits) as u32, (entry & ((1 << bits) - 1)) as u32);
        let (black, white) = (split(start), split(start + index.words()));
        [black.0, black.1, white.0, white.1]
    }

    fn params(&self, index: &ProductIndex, start: u64) -> Params {
        let places =
            Group::ALL.map(|group| self.tables.place(group, index.counts()[group as usize]));
        let strides = index.strides().map(|stride| stride as u32);
        let [_, black_kings, _, white_kings] = index.counts();
        let fast_side = index.fast().color() as u32;
        let moving = u32::from(black_kings > 0) | u32::from(white_kings > 0) << 1 | 1 << fast_side;
        let component = index.component_words();
        Params {
            sets: places.map(|place| place.sets),
            steps: places.map(|place| place.steps),
            base: self.base(index, start),
            component_words: component as u32,
            inner_words: index.dims()[Group::WhiteKings as usize],
            fast: index.fast() as u32,
            side_words: self.scratch_words as u32,
            black_men_stride: strides[Group::BlackMen as usize],
            white_men_stride: strides[Group::WhiteMen as usize],
            moving_sides: moving,
            rounds: self.settings.rounds,
            group_components: (256 / component).max(1) as u32,
            sample: self.settings.audit_every,
            ..Params::default()
        }
    }
}

/// The index of a material that the kernels can number.
fn index_of(material: Material) -> Result<ProductIndex, GpuError> {
    ProductIndex::new(material)
        .filter(|index| index.words() <= u64::from(u32::MAX) && material.pieces() <= 8)
        .ok_or_else(|| GpuError::TooLarge {
            material,
            detail: "the kernels number 8 pieces and 2^32 words".to_owned(),
        })
}

fn too_large(material: Material, parts: &[Material], most: u64) -> GpuError {
    let parts: u64 = parts.iter().copied().map(bytes_of).sum();
    let detail = format!(
        "with its parts it takes {} bytes of the arena, which holds {}",
        bytes_of(material) + parts,
        8 * most
    );
    GpuError::TooLarge { material, detail }
}

/// Entries of a material: its words, both sides to move.
pub(crate) fn entries_of(material: Material) -> u64 {
    ProductIndex::new(material).map_or(u64::MAX, |index| 2 * index.words())
}

/// Bytes that the entries of a material take.
pub(crate) fn bytes_of(material: Material) -> u64 {
    entries_of(material).saturating_mul(8)
}
