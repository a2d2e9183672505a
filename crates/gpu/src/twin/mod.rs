//! The kernels in plain Rust: each has the name of its shader, works on the same buffers, and
//! leaves the same values in them, so that a wrong result can be traced to one kernel.

mod audit;
mod buffers;
mod classify;
mod fill;
mod finish;
pub(crate) mod graph;
mod men;
mod solve;
mod step;
mod sweep;
mod verify;

use buffers::Buffers;

use crate::GpuError;
use crate::arena::Entry;
use crate::executor::{DispatchLog, Executor, Scratch, Settings};
use crate::kernel::{Counters, Kernel, Params};

/// Bytes of scratch for one word, both sides to move.
const SCRATCH_BYTES: u64 = 32;

/// Runs the CPU twins.
pub(crate) struct TwinExecutor {
    buffers: Buffers,
    memory: u64,
    dispatch_words: u64,
    log: DispatchLog,
}

impl TwinExecutor {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            buffers: Buffers::new(settings.chunk_bits),
            memory: settings.memory,
            dispatch_words: settings.dispatch_words,
            log: DispatchLog::default(),
        }
    }
}

impl Executor for TwinExecutor {
    fn adapter(&self) -> Option<String> {
        None
    }

    fn chunk_bits(&self) -> u32 {
        self.buffers.chunk_bits
    }

    fn max_entries(&self, scratch_words: u64) -> u64 {
        let left = self.memory.saturating_sub(SCRATCH_BYTES * scratch_words);
        (left / size_of::<Entry>() as u64).min(1 << 40)
    }

    fn max_scratch(&self) -> u64 {
        (self.memory / SCRATCH_BYTES).min(1 << 30)
    }

    fn dispatch_words(&self, _: Kernel) -> u64 {
        self.dispatch_words
    }

    fn reserve_arena(&mut self, entries: u64) -> Result<(), GpuError> {
        self.buffers.reserve_arena(entries);
        Ok(())
    }

    fn reserve_scratch(&mut self, words: u64, components: u64) -> Result<(), GpuError> {
        self.buffers.reserve_scratch(words as usize, components as usize);
        Ok(())
    }

    fn set_tables(&mut self, words: &[u32]) -> Result<(), GpuError> {
        self.buffers.tables = words.to_vec();
        Ok(())
    }

    fn set_slices(&mut self, words: &[u32]) -> Result<(), GpuError> {
        self.buffers.slices = words.to_vec();
        Ok(())
    }

    fn set_components(&mut self, at: u64, components: &[[u32; 2]]) -> Result<(), GpuError> {
        self.buffers.components[at as usize..][..components.len()].copy_from_slice(components);
        Ok(())
    }

    fn dispatch(&mut self, kernel: Kernel, params: &Params) -> Result<(), GpuError> {
        let buffers = &mut self.buffers;
        match kernel {
            Kernel::Fill => fill::fill(buffers, params),
            Kernel::Classify => classify::classify(buffers, params),
            Kernel::Men => men::men(buffers, params),
            Kernel::Solve => solve::solve(buffers, params),
            Kernel::SweepWins => sweep::sweep(buffers, params, false),
            Kernel::SweepLosses => sweep::sweep(buffers, params, true),
            Kernel::Verify => verify::verify(buffers, params),
            Kernel::Finish => finish::finish(buffers, params),
            Kernel::Audit => audit::audit(buffers, params),
        }
        let log = self.log.kernels.entry(kernel).or_default();
        log.dispatches += 1;
        log.words += params.words(kernel) * if kernel.by_side() { 2 } else { 1 };
        Ok(())
    }

    fn counters(&mut self) -> Result<Counters, GpuError> {
        Ok(core::mem::replace(&mut self.buffers.counters, Counters::initial()))
    }

    fn read_scratch(
        &mut self,
        side_words: u64,
        side: usize,
        words: u64,
    ) -> Result<Scratch, GpuError> {
        let from = side_words as usize * side;
        let read = |list: &[u32]| list[from..][..words as usize].to_vec();
        Ok(Scratch {
            wins: read(&self.buffers.wins),
            losses: read(&self.buffers.losses),
            quiet: read(&self.buffers.quiet),
            lossable: read(&self.buffers.lossable),
        })
    }

    fn read_entries(&mut self, first: u64, entries: &mut [Entry]) -> Result<(), GpuError> {
        for (i, entry) in entries.iter_mut().enumerate() {
            *entry = self.buffers.read(first + i as u64);
        }
        Ok(())
    }

    fn write_entries(&mut self, first: u64, entries: &[Entry]) -> Result<(), GpuError> {
        for (i, &entry) in entries.iter().enumerate() {
            self.buffers.write(first + i as u64, entry);
        }
        Ok(())
    }

    fn log(&self) -> &DispatchLog {
        &self.log
    }
}
