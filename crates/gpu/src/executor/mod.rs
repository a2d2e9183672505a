//! What runs kernels: a device, or the CPU twins.

mod clock;
mod pipelines;
mod recorder;
mod wgpu_executor;

use std::collections::BTreeMap;
use std::time::Duration;

use crownhead_index::product::ProductIndex;
use crownhead_index::{Material, materials_to};

use crate::GpuError;
use crate::arena::Entry;
use crate::builder::entries_of;
use crate::kernel::{Counters, Kernel, Params};
use crate::shader::Shaders;

pub(crate) use wgpu_executor::WgpuExecutor;

/// Sizes and limits of a build; results never depend on them.
///
/// Tests make them tiny to force every split and every second attempt on small materials.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Base 2 logarithm of the entries (8 bytes each) in one chunk of the arena; what one binding
    /// of the device holds is the upper bound.
    pub chunk_bits: u32,
    /// Base 2 logarithm of the words (4 bytes each) in one chunk of a list in scratch; what one
    /// binding of the device holds is the upper bound.
    pub scratch_bits: u32,
    /// Most bytes of device memory that scratch and arena may take together.
    pub memory: u64,
    /// Words of scratch (32 bytes each, both sides to move) for the components of one batch; a
    /// larger component gets what it needs.
    pub batch_words: u64,
    /// Rounds of propagation that are recorded before the host looks whether more are needed.
    pub rounds: u32,
    /// Most words of one dispatch.
    pub dispatch_words: u64,
    /// Most workgroups in one dimension of a dispatch.
    pub groups: u32,
    /// Largest component, in words, that one workgroup iterates by itself.
    pub solve_words: u64,
    /// The audit of each batch checks one word in so many, and at least one; 1 checks all.
    pub audit_every: u32,
    /// How long a submission should take at most; the watchdogs of desktop drivers allow about
    /// two seconds.
    pub pace: Duration,
    /// Whether shaders are built with wgpu's bounds and loop checks.
    pub checks: Checks,
    /// Whether subgroup operations may be used.
    pub subgroups: bool,
    /// Whether the time of each kernel is measured, which costs one submission a dispatch.
    pub profile: bool,
    /// The shaders.
    pub shaders: Shaders,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            chunk_bits: 27,
            scratch_bits: 28,
            memory: u64::MAX,
            batch_words: 1 << 20,
            rounds: 32,
            dispatch_words: 1 << 24,
            groups: 65_535,
            solve_words: crate::kernel::SOLVE_WORDS,
            audit_every: 64,
            pace: Duration::from_millis(250),
            checks: Checks::default(),
            subgroups: true,
            profile: false,
            shaders: Shaders::default(),
        }
    }
}

impl Settings {
    /// Sizes so small that every split, every second attempt and every move between host and arena
    /// happens on materials of up to so many pieces.
    pub fn tiny(pieces: u32) -> Self {
        // What the largest material and its parts take, in about 16 chunks of the arena, and its
        // components in two chunks of scratch: a device of 32 bindings has no more.
        let with_parts = |material: Material| -> u64 {
            entries_of(material) + material.parts().map(entries_of).sum::<u64>()
        };
        let most = materials_to(pieces).map(with_parts).max().unwrap_or(1);
        let chunk_bits = (most / 16).next_power_of_two().ilog2();
        let component = |material| ProductIndex::new(material).map(|index| index.component_words());
        let component = materials_to(pieces).filter_map(component).max().unwrap_or(1);
        let scale = 1 << (3 * pieces.saturating_sub(3));
        Self {
            chunk_bits,
            scratch_bits: component.next_power_of_two().ilog2(),
            memory: most * 9 + 32 * component,
            batch_words: 64 * scale,
            rounds: 2,
            dispatch_words: 48 * scale,
            groups: 2,
            solve_words: 32,
            audit_every: if pieces <= 3 { 1 } else { 16 },
            ..Self::default()
        }
    }
}

/// Which checks wgpu builds into shaders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checks {
    /// All: accesses beyond a buffer and endless loops do no harm.
    All,
    /// None: faster, for kernels whose accesses and loops are bounded by the host and by tests.
    #[default]
    None,
}

/// How often, on how many words and for how long each kernel ran.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DispatchLog {
    /// By kernel.
    pub kernels: BTreeMap<Kernel, KernelLog>,
    /// Submissions to the device.
    pub submissions: u64,
    /// Bytes written to the device.
    pub bytes_up: u64,
    /// Bytes read back.
    pub bytes_down: u64,
}

/// How often, on how many words and for how long one kernel ran.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct KernelLog {
    /// Dispatches.
    pub dispatches: u64,
    /// Words, each side to move counted where the kernel takes them one by one.
    pub words: u64,
    /// Time on the device, when it is measured.
    pub time: Duration,
}

/// The scratch bitsets of some words with one side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) wins: Vec<u32>,
    pub(crate) losses: Vec<u32>,
    pub(crate) quiet: Vec<u32>,
    pub(crate) lossable: Vec<u32>,
}

/// Runs kernels in order; nothing need happen before something is read back.
pub(crate) trait Executor: Send {
    /// The device's name, or `None` for the CPU twins.
    fn adapter(&self) -> Option<String>;

    /// Base 2 logarithm of the entries in a chunk.
    fn chunk_bits(&self) -> u32;

    /// Most entries that the arena can have beside so many words of scratch, one side to move.
    fn max_entries(&self, scratch_words: u64) -> u64;

    /// Most words of scratch, one side to move.
    fn max_scratch(&self) -> u64;

    /// Most words of one dispatch of a kernel.
    fn dispatch_words(&self, kernel: Kernel) -> u64;

    /// Makes the arena reach at least so far; what is in it stays.
    fn reserve_arena(&mut self, entries: u64) -> Result<(), GpuError>;

    /// Makes scratch for so many words and components; what is in it is lost, and what is in the
    /// arena beyond the entries that it can have then.
    fn reserve_scratch(&mut self, words: u64, components: u64) -> Result<(), GpuError>;

    fn set_tables(&mut self, words: &[u32]) -> Result<(), GpuError>;

    fn set_slices(&mut self, words: &[u32]) -> Result<(), GpuError>;

    /// Writes part of the component list; not to be repeated for the same place before `counters`.
    fn set_components(&mut self, at: u64, components: &[[u32; 2]]) -> Result<(), GpuError>;

    /// Runs a kernel on the words (or for `solve` the whole components) from `first` to `end`.
    fn dispatch(&mut self, kernel: Kernel, params: &Params) -> Result<(), GpuError>;

    /// Waits for all dispatches, then reads the counters and sets them to their initial values.
    fn counters(&mut self) -> Result<Counters, GpuError>;

    /// Waits for all dispatches, then reads scratch: the side's words from 0 on.
    fn read_scratch(
        &mut self,
        side_words: u64,
        side: usize,
        words: u64,
    ) -> Result<Scratch, GpuError>;

    /// Waits for all dispatches, then reads entries of the arena.
    fn read_entries(&mut self, first: u64, entries: &mut [Entry]) -> Result<(), GpuError>;

    fn write_entries(&mut self, first: u64, entries: &[Entry]) -> Result<(), GpuError>;

    fn log(&self) -> &DispatchLog;
}
