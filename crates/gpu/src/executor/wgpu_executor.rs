//! Kernels on a device.

use std::sync::Arc;
use std::time::{Duration, Instant};

use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages, CommandEncoder};

use super::clock::{Clock, on_host};
use super::pipelines::{ARENA, Cut, FIXED_BUFFERS, GENERAL, LISTS, Pipelines, SCRATCH};
use super::recorder::{Dispatch, Pace};
use super::{DispatchLog, Executor, Scratch, Settings};
use crate::GpuError;
use crate::arena::Entry;
use crate::device::Gpu;
use crate::kernel::{Counters, Kernel, Params, counter};

const ENTRY_BYTES: u64 = 8;
/// Bytes of scratch for one word, both sides to move.
const SCRATCH_BYTES: u64 = 8 * LISTS as u64;
/// Most chunks of the arena, each with an arm in the shaders.
const MOST_CHUNKS: u64 = 192;
/// Most chunks of each list in scratch.
const MOST_SCRATCH_CHUNKS: u64 = 16;
/// Dispatches of one submission: slots of the uniform buffer.
const SLOTS: usize = 1024;

/// Runs kernels on a device.
pub(crate) struct WgpuExecutor {
    gpu: Arc<Gpu>,
    settings: Settings,
    chunk_bits: u32,
    scratch_bits: u32,
    buffers: Buffers,
    pipelines: Option<Pipelines>,
    bind_groups: Option<BindGroups>,
    recorded: Vec<Dispatch>,
    cost: u64,
    pace: Pace,
    clock: Option<Clock>,
    log: DispatchLog,
}

struct Buffers {
    params: Buffer,
    tables: Buffer,
    components: Buffer,
    slices: Buffer,
    counters: Buffer,
    /// Chunks of the four lists.
    scratch: Vec<[Buffer; LISTS as usize]>,
    chunks: Vec<Buffer>,
}

struct BindGroups {
    general: BindGroup,
    scratch: BindGroup,
    arena_read: BindGroup,
    arena_write: BindGroup,
}

impl WgpuExecutor {
    pub(crate) fn new(gpu: Arc<Gpu>, settings: Settings) -> Result<Self, GpuError> {
        let summary = gpu.summary();
        let binding = summary.max_binding.min(summary.max_buffer).min((1 << 31) - 1);
        let chunk_bits = settings.chunk_bits.min((binding / ENTRY_BYTES).ilog2());
        let scratch_bits = settings.scratch_bits.min((binding / 4).ilog2());
        let storage = BufferUsages::STORAGE;
        let buffer = |label, bytes, usage| create(&gpu, label, bytes, usage);
        let slot = slot_bytes(&gpu);
        let buffers = Buffers {
            params: buffer("parameters", SLOTS as u64 * slot, BufferUsages::UNIFORM)?,
            tables: buffer("tables", 4, storage)?,
            components: buffer("components", 8, storage)?,
            slices: buffer("slices", 4, storage)?,
            counters: buffer("counters", 4 * counter::LEN as u64, storage)?,
            scratch: scratch_buffers(&gpu, 1, scratch_bits)?,
            chunks: vec![buffer("arena", ENTRY_BYTES, storage)?],
        };
        let initial = Counters::initial().0;
        gpu.queue.write_buffer(&buffers.counters, 0, bytemuck::cast_slice(&initial));
        let pace = Pace::new(settings.pace);
        let clock = if settings.profile { Clock::new(&gpu)? } else { None };
        Ok(Self {
            gpu,
            settings,
            chunk_bits,
            scratch_bits,
            buffers,
            pipelines: None,
            bind_groups: None,
            recorded: Vec::new(),
            cost: 0,
            pace,
            clock,
            log: DispatchLog::default(),
        })
    }

    /// Bindings for chunks of the arena beside so many chunks of scratch.
    fn slots(&self, scratch: u64) -> u64 {
        let bindings = self.gpu.summary().max_storage_buffers.saturating_sub(FIXED_BUFFERS);
        u64::from(bindings).saturating_sub(u64::from(LISTS) * scratch).min(MOST_CHUNKS)
    }

    /// Chunks of each list in scratch for so many words of one side to move.
    fn scratch_chunks(&self, words: u64) -> u64 {
        (2 * words).div_ceil(1 << self.scratch_bits).max(1)
    }

    /// Pipelines for the chunks that there are, and bind groups of all buffers.
    fn prepare(&mut self) -> Result<(), GpuError> {
        let cut = Cut {
            chunks: self.buffers.chunks.len() as u32,
            chunk_bits: self.chunk_bits,
            scratch: self.buffers.scratch.len() as u32,
            scratch_bits: self.scratch_bits,
        };
        if self.pipelines.as_ref().is_none_or(|pipelines| pipelines.cut != cut) {
            self.pipelines = Some(Pipelines::new(&self.gpu, &self.settings, cut)?);
            self.bind_groups = None;
        }
        let Some(pipelines) = &self.pipelines else { return Ok(()) };
        if self.bind_groups.is_none() {
            self.bind_groups =
                Some(self.gpu.checked(|device| self.buffers.bind(device, pipelines))?);
        }
        Ok(())
    }

    /// Submits what is recorded and waits for it.
    fn flush(&mut self) -> Result<(), GpuError> {
        if self.recorded.is_empty() {
            return Ok(());
        }
        self.prepare()?;
        let recorded = core::mem::take(&mut self.recorded);
        let (cost, started) = (core::mem::take(&mut self.cost), Instant::now());
        self.write_params(&recorded);
        if self.settings.profile {
            for (i, dispatch) in recorded.iter().enumerate() {
                let (done, took) = on_host(|| self.submit(i, core::slice::from_ref(dispatch)));
                done?;
                let took = self.clock.as_ref().map_or(Ok(took), |clock| clock.read(&self.gpu))?;
                self.log.kernels.entry(dispatch.kernel).or_default().time += took;
            }
        } else {
            self.submit(0, &recorded)?;
        }
        self.pace.learn(cost, started.elapsed());
        Ok(())
    }

    fn write_params(&mut self, recorded: &[Dispatch]) {
        let slot = slot_bytes(&self.gpu) as usize;
        let mut bytes = vec![0; recorded.len() * slot];
        for (dispatch, slot) in recorded.iter().zip(bytes.chunks_mut(slot)) {
            slot[..size_of::<Params>()].copy_from_slice(bytemuck::bytes_of(&dispatch.params));
        }
        self.log.bytes_up += bytes.len() as u64;
        self.gpu.queue.write_buffer(&self.buffers.params, 0, &bytes);
    }

    /// Submits dispatches whose parameters begin at a slot, and waits for them.
    fn submit(&mut self, first_slot: usize, dispatches: &[Dispatch]) -> Result<(), GpuError> {
        let submission = self.gpu.checked(|device| {
            let mut encoder = device.create_command_encoder(&Default::default());
            self.encode(&mut encoder, first_slot, dispatches);
            self.gpu.queue.submit([encoder.finish()])
        })?;
        self.log.submissions += 1;
        self.gpu.wait(submission)
    }

    fn encode(&self, encoder: &mut CommandEncoder, first_slot: usize, dispatches: &[Dispatch]) {
        let (Some(pipelines), Some(groups)) = (&self.pipelines, &self.bind_groups) else { return };
        let slot = slot_bytes(&self.gpu);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: None,
            timestamp_writes: self.clock.as_ref().map(Clock::writes),
        });
        for (i, dispatch) in dispatches.iter().enumerate() {
            let offset = ((first_slot + i) as u64 * slot) as u32;
            let arena = if dispatch.kernel.writes_arena() {
                &groups.arena_write
            } else {
                &groups.arena_read
            };
            pass.set_pipeline(pipelines.get(dispatch.kernel));
            pass.set_bind_group(GENERAL, &groups.general, &[offset]);
            pass.set_bind_group(SCRATCH, &groups.scratch, &[]);
            pass.set_bind_group(ARENA, arena, &[]);
            let [x, y, z] = dispatch.groups;
            pass.dispatch_workgroups(x, y, z);
        }
        drop(pass);
        if let Some(clock) = &self.clock {
            clock.resolve(encoder);
        }
    }

    /// Replaces a buffer that is too small for these bytes, and writes them.
    fn upload(
        &mut self,
        which: fn(&mut Buffers) -> &mut Buffer,
        bytes: &[u8],
    ) -> Result<(), GpuError> {
        self.flush()?;
        let buffer = which(&mut self.buffers);
        if buffer.size() < bytes.len() as u64 {
            *buffer = create(&self.gpu, "list", bytes.len() as u64, BufferUsages::STORAGE)?;
            self.bind_groups = None;
        }
        self.log.bytes_up += bytes.len() as u64;
        self.gpu.queue.write_buffer(which(&mut self.buffers), 0, bytes);
        Ok(())
    }

    /// The chunks that some entries lie in.
    fn pieces(&self, first: u64, len: u64) -> impl Iterator<Item = (usize, u64, usize)> + use<> {
        pieces(self.chunk_bits, first, len)
    }
}

/// The chunks of 2^`bits` items that some items lie in: chunk, first item inside, and how many.
fn pieces(bits: u32, first: u64, len: u64) -> impl Iterator<Item = (usize, u64, usize)> {
    let (mut at, end) = (first, first + len);
    core::iter::from_fn(move || {
        (at < end).then(|| {
            let chunk = at >> bits;
            let stop = end.min((chunk + 1) << bits);
            let piece = (chunk as usize, at - (chunk << bits), (stop - at) as usize);
            at = stop;
            piece
        })
    })
}

impl Buffers {
    fn bind(&self, device: &wgpu::Device, pipelines: &Pipelines) -> BindGroups {
        let group = |label, layout: &BindGroupLayout, buffers: &[&Buffer]| {
            let entries: Vec<_> =
                buffers.iter().enumerate().map(|(i, buffer)| entry(i, buffer)).collect();
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout,
                entries: &entries,
            })
        };
        let layouts = &pipelines.layouts;
        let general = [&self.params, &self.tables, &self.components, &self.slices, &self.counters];
        let scratch: Vec<_> = self.scratch.iter().flatten().collect();
        let chunks: Vec<_> = self.chunks.iter().collect();
        BindGroups {
            general: group("general", &layouts.general, &general),
            scratch: group("scratch", &layouts.scratch, &scratch),
            arena_read: group("arena to read", &layouts.arena_read, &chunks),
            arena_write: group("arena to write", &layouts.arena_write, &chunks),
        }
    }
}

/// A bind group entry of a whole buffer; of a uniform buffer, one slot.
fn entry(binding: usize, buffer: &Buffer) -> wgpu::BindGroupEntry<'_> {
    let slot = core::num::NonZeroU64::new(size_of::<Params>() as u64);
    let size = if buffer.usage().contains(BufferUsages::UNIFORM) { slot } else { None };
    wgpu::BindGroupEntry {
        binding: binding as u32,
        resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size }),
    }
}

/// Bytes from one dispatch's parameters to the next.
fn slot_bytes(gpu: &Gpu) -> u64 {
    let alignment = u64::from(gpu.device.limits().min_uniform_buffer_offset_alignment);
    (size_of::<Params>() as u64).next_multiple_of(alignment)
}

fn create(gpu: &Gpu, label: &str, bytes: u64, usage: BufferUsages) -> Result<Buffer, GpuError> {
    if bytes > gpu.summary().max_binding {
        return Err(GpuError::OutOfMemory(format!(
            "{label} take {bytes} bytes, and {} binds at most {}",
            gpu.summary().name,
            gpu.summary().max_binding
        )));
    }
    let descriptor = wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes,
        usage: usage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    };
    gpu.checked(|device| device.create_buffer(&descriptor))
}

/// The four lists for so many words, both sides to move, in chunks of 2^`bits`.
fn scratch_buffers(
    gpu: &Gpu,
    words: u64,
    bits: u32,
) -> Result<Vec<[Buffer; LISTS as usize]>, GpuError> {
    pieces(bits, 0, 2 * words)
        .map(|(_, _, words)| {
            let buffer = || create(gpu, "scratch", 4 * words as u64, BufferUsages::STORAGE);
            Ok([buffer()?, buffer()?, buffer()?, buffer()?])
        })
        .collect()
}

impl Executor for WgpuExecutor {
    fn adapter(&self) -> Option<String> {
        Some(self.gpu.summary().name.clone())
    }

    fn chunk_bits(&self) -> u32 {
        self.chunk_bits
    }

    fn max_entries(&self, scratch_words: u64) -> u64 {
        let slots = self.slots(self.scratch_chunks(scratch_words));
        let left = self.settings.memory.saturating_sub(SCRATCH_BYTES * scratch_words);
        (slots << self.chunk_bits).min(left / ENTRY_BYTES)
    }

    fn max_scratch(&self) -> u64 {
        // At least one binding is for the arena.
        let bindings = self.gpu.summary().max_storage_buffers.saturating_sub(FIXED_BUFFERS + 1);
        let chunks = u64::from(bindings / LISTS).min(MOST_SCRATCH_CHUNKS);
        ((chunks << self.scratch_bits) / 2).min(self.settings.memory / SCRATCH_BYTES)
    }

    fn dispatch_words(&self, kernel: Kernel) -> u64 {
        let sides = if kernel.by_side() { 2 } else { 1 };
        let paced = self.pace.budget() / (kernel.weight() * sides);
        paced.max(4096).min(self.settings.dispatch_words)
    }

    fn reserve_arena(&mut self, entries: u64) -> Result<(), GpuError> {
        let capacity = 1u64 << self.chunk_bits;
        // Bindings for twice the chunks each time, since new ones mean new pipelines.
        let slots = self.slots(self.buffers.scratch.len() as u64);
        let chunks = entries.div_ceil(capacity).next_power_of_two().min(slots);
        while (self.buffers.chunks.len() as u64) < chunks {
            let unused = create(&self.gpu, "arena", ENTRY_BYTES, BufferUsages::STORAGE)?;
            self.buffers.chunks.push(unused);
        }
        let scratch: u64 = self.buffers.scratch.iter().map(|chunk| chunk[0].size() / 8).sum();
        let limit = self.max_entries(scratch).max(entries);
        for (chunk, _, len) in self.pieces(0, entries) {
            let wanted = ENTRY_BYTES * len as u64;
            if self.buffers.chunks[chunk].size() >= wanted {
                continue;
            }
            self.flush()?;
            let old = &self.buffers.chunks[chunk];
            // Room to grow, but no more than the arena may have.
            let most = (limit - ((chunk as u64) << self.chunk_bits)).min(capacity);
            let bytes = wanted.max(2 * old.size()).min(ENTRY_BYTES * most).max(wanted);
            let new = create(&self.gpu, "arena", bytes, BufferUsages::STORAGE)?;
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(old, 0, &new, 0, old.size());
            self.gpu.queue.submit([encoder.finish()]);
            self.buffers.chunks[chunk] = new;
            self.bind_groups = None;
        }
        Ok(())
    }

    fn reserve_scratch(&mut self, words: u64, components: u64) -> Result<(), GpuError> {
        let there: u64 = self.buffers.scratch.iter().map(|chunk| chunk[0].size() / 4).sum();
        if there < 2 * words {
            self.flush()?;
            self.buffers.scratch = scratch_buffers(&self.gpu, words, self.scratch_bits)?;
            // The bindings that scratch takes are the arena's no more; the host has cleared them.
            let slots = self.slots(self.buffers.scratch.len() as u64) as usize;
            self.buffers.chunks.truncate(slots.max(1));
            self.bind_groups = None;
        }
        if self.buffers.components.size() < 8 * components {
            self.flush()?;
            self.buffers.components =
                create(&self.gpu, "components", 8 * components, BufferUsages::STORAGE)?;
            self.bind_groups = None;
        }
        Ok(())
    }

    fn set_tables(&mut self, words: &[u32]) -> Result<(), GpuError> {
        self.upload(|buffers| &mut buffers.tables, bytemuck::cast_slice(words))
    }

    fn set_slices(&mut self, words: &[u32]) -> Result<(), GpuError> {
        self.upload(|buffers| &mut buffers.slices, bytemuck::cast_slice(words))
    }

    fn set_components(&mut self, at: u64, components: &[[u32; 2]]) -> Result<(), GpuError> {
        let bytes: &[u8] = bytemuck::cast_slice(components);
        self.log.bytes_up += bytes.len() as u64;
        self.gpu.queue.write_buffer(&self.buffers.components, 8 * at, bytes);
        Ok(())
    }

    fn dispatch(&mut self, kernel: Kernel, params: &Params) -> Result<(), GpuError> {
        let limit = self.settings.groups.min(self.gpu.summary().max_groups);
        let dispatch = Dispatch::new(kernel, params, limit);
        let cost = dispatch.cost();
        if self.recorded.len() == SLOTS || self.cost + cost > self.pace.budget() {
            self.flush()?;
        }
        self.cost += cost;
        self.recorded.push(dispatch);
        let log = self.log.kernels.entry(kernel).or_default();
        log.dispatches += 1;
        log.words += dispatch.words();
        Ok(())
    }

    fn counters(&mut self) -> Result<Counters, GpuError> {
        self.flush()?;
        // Poison: whatever the device does not write must not look like a result.
        let mut counters = vec![0xdead_beef; counter::LEN];
        self.gpu.read(&self.buffers.counters, 0, bytemuck::cast_slice_mut(&mut counters))?;
        self.log.bytes_down += 4 * counter::LEN as u64;
        let initial = Counters::initial().0;
        self.gpu.queue.write_buffer(&self.buffers.counters, 0, bytemuck::cast_slice(&initial));
        Ok(Counters(counters))
    }

    fn read_scratch(
        &mut self,
        side_words: u64,
        side: usize,
        words: u64,
    ) -> Result<Scratch, GpuError> {
        self.flush()?;
        let mut read = |list: usize| {
            let mut values = vec![0xdead_beefu32; words as usize];
            let mut rest = &mut values[..];
            for (chunk, at, len) in pieces(self.scratch_bits, side_words * side as u64, words) {
                let (piece, after) = rest.split_at_mut(len);
                let buffer = &self.buffers.scratch[chunk][list];
                self.gpu.read(buffer, 4 * at, bytemuck::cast_slice_mut(piece))?;
                rest = after;
            }
            self.log.bytes_down += 4 * words;
            Ok::<_, GpuError>(values)
        };
        Ok(Scratch { wins: read(0)?, losses: read(1)?, quiet: read(2)?, lossable: read(3)? })
    }

    fn read_entries(&mut self, first: u64, entries: &mut [Entry]) -> Result<(), GpuError> {
        self.flush()?;
        let mut rest = entries;
        for (chunk, at, len) in self.pieces(first, rest.len() as u64) {
            let (piece, after) = rest.split_at_mut(len);
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(piece);
            self.log.bytes_down += bytes.len() as u64;
            self.gpu.read(&self.buffers.chunks[chunk], ENTRY_BYTES * at, bytes)?;
            rest = after;
        }
        Ok(())
    }

    fn write_entries(&mut self, first: u64, entries: &[Entry]) -> Result<(), GpuError> {
        self.flush()?;
        let mut rest = entries;
        for (chunk, at, len) in self.pieces(first, entries.len() as u64) {
            let (piece, after) = rest.split_at(len);
            let bytes: &[u8] = bytemuck::cast_slice(piece);
            self.log.bytes_up += bytes.len() as u64;
            self.gpu.queue.write_buffer(&self.buffers.chunks[chunk], ENTRY_BYTES * at, bytes);
            rest = after;
        }
        // Hands the bytes over now, so that they are not all kept for the next submission.
        self.gpu.queue.submit([]);
        Ok(())
    }

    fn log(&self) -> &DispatchLog {
        &self.log
    }
}

impl WgpuExecutor {
    /// Builds the pipelines now instead of at the first dispatch, and returns how long it took.
    pub(crate) fn warm_up(&mut self) -> Result<Duration, GpuError> {
        let started = Instant::now();
        self.prepare()?;
        Ok(started.elapsed())
    }
}
