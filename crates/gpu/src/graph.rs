//! Game graphs on a device: rounds of bitset kernels over the rows.
//!
//! A round decides the open vertices of its candidate words by what was known before it, so that
//! its number is their plies; then the words of all predecessors of what it decided are the
//! candidates of the next round.

use bytemuck::{Pod, Zeroable};
use crownhead_graph::{GameGraph, Rows, Solution, Value};
use wgpu::{Buffer, BufferUsages, ComputePipeline};

use crate::shader::{Form, Shaders};
use crate::{Gpu, GpuError};

/// What came of a graph on a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GraphOutcome {
    /// All values and plies.
    Solved(Solution),
    /// It is better solved on the processor, for this reason.
    HandedBack(String),
}

/// The same as `GraphParams` in `shaders/shared/graph.wgsl`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GraphParams {
    words: u32,
    round: u32,
    slot: u32,
    padding: u32,
}

/// Rounds of one submission.
const ROUNDS: u32 = 64;
/// Vertices that a round must decide on average for a device to be worth its while.
const LEAST_DECIDED: u32 = 64;
/// Most neighbours of one vertex: one invocation goes through them, and llvmpipe ends a loop
/// silently after 65,535 iterations.
const MOST_NEIGHBOURS: u32 = 60_000;
/// Bytes from one round's parameters to the next.
const SLOT: u64 = 256;

/// Solves a graph by rounds on a device: the values and plies of
/// [`retrograde`](crownhead_graph::retrograde()).
///
/// Hands the graph back when it does not fit, or when it is so deep and narrow that a round decides
/// too little.
///
/// # Errors
///
/// Faults of the device.
pub fn solve_graph(gpu: &Gpu, graph: &GameGraph<'_>) -> Result<GraphOutcome, GpuError> {
    let reverse = graph.rows().reversed();
    if let Some(reason) = too_large(gpu, graph.rows(), &reverse) {
        return Ok(GraphOutcome::HandedBack(reason));
    }
    let start = Start::new(graph);
    if start.candidates.is_empty() {
        return Ok(GraphOutcome::Solved(start.solution(&[], &[])));
    }
    let mut solver = Solver::new(gpu, graph.rows(), &reverse, &start)?;
    let mut candidates = start.candidates.len() as u32;
    let mut round = 1;
    while candidates > 0 {
        let decided = solver.run_rounds(round, &mut candidates)?;
        round += ROUNDS;
        if candidates > 0 && decided < ROUNDS * LEAST_DECIDED {
            return Ok(GraphOutcome::HandedBack(format!(
                "it is deep and narrow: {ROUNDS} rounds decided {decided} vertices"
            )));
        }
    }
    let (bits, plies) = solver.read(&start)?;
    Ok(GraphOutcome::Solved(start.solution(&bits, &plies)))
}

fn too_large(gpu: &Gpu, rows: &Rows<'_>, reverse: &Rows<'_>) -> Option<String> {
    let binding = gpu.summary().max_binding;
    let longest = 4 * (rows.edges() as u64).max(rows.vertices() as u64 + 33);
    if longest > binding {
        return Some(format!("a list takes {longest} bytes, and one binding holds {binding}"));
    }
    let degree = |rows: &Rows<'_>| (0..rows.vertices() as u32).map(|v| rows.degree(v)).max();
    let most = degree(rows).max(degree(reverse)).unwrap_or(0);
    (most > MOST_NEIGHBOURS).then(|| format!("a vertex has {most} neighbours"))
}

/// What is known before the first round.
struct Start {
    vertices: usize,
    words: usize,
    /// Open, won and lost, one after another, then room for what a round finds.
    bits: Vec<u32>,
    /// Words with open vertices.
    candidates: Vec<u32>,
}

impl Start {
    fn new(graph: &GameGraph<'_>) -> Self {
        let vertices = graph.vertices();
        let words = vertices.div_ceil(32);
        let mut bits = vec![0u32; 5 * words];
        for v in 0..vertices {
            let set = match graph.terminal(v as u32) {
                None => 0,
                Some(Value::Win) => 1,
                Some(Value::Loss) => 2,
                Some(Value::Draw) => continue,
            };
            bits[set * words + v / 32] |= 1 << (v % 32);
        }
        let candidates = (0..words as u32).filter(|&word| bits[word as usize] != 0).collect();
        Self { vertices, words, bits, candidates }
    }

    /// The solution from the bitsets and plies read back; from the start itself without any.
    fn solution(&self, bits: &[u32], plies: &[u32]) -> Solution {
        let bits = if bits.is_empty() { &self.bits } else { bits };
        let claim = |v: usize| {
            let is = |set: usize| bits[set * self.words + v / 32] >> (v % 32) & 1 != 0;
            let plies = plies.get(v).copied().or(Some(0));
            match (is(1), is(2)) {
                (true, _) => (Value::Win, plies),
                (_, true) => (Value::Loss, plies),
                _ => (Value::Draw, None),
            }
        };
        Solution::from_claims(&(0..self.vertices).map(claim).collect::<Vec<_>>())
    }
}

struct Solver<'a> {
    gpu: &'a Gpu,
    words: u32,
    decide: ComputePipeline,
    commit: ComputePipeline,
    group: wgpu::BindGroup,
    params: Buffer,
    bits: Buffer,
    plies: Buffer,
    counters: Buffer,
}

impl<'a> Solver<'a> {
    fn new(
        gpu: &'a Gpu,
        rows: &Rows<'_>,
        reverse: &Rows<'_>,
        start: &Start,
    ) -> Result<Self, GpuError> {
        let words = start.words as u64;
        let list = |values: &[u32], bytes: u64, usage: BufferUsages| {
            let size = bytes.max(4 * values.len() as u64).max(16);
            let buffer = gpu.checked(|device| {
                device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("graph"),
                    size,
                    usage: usage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
                    mapped_at_creation: false,
                })
            })?;
            gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(values));
            Ok::<_, GpuError>(buffer)
        };
        let storage = BufferUsages::STORAGE;
        let params = list(&[], SLOT * u64::from(ROUNDS), BufferUsages::UNIFORM)?;
        let bits = list(&start.bits, 0, storage)?;
        let plies = list(&[], 4 * 32 * words, storage)?;
        // The candidates of round 1 are the second list, as of all odd rounds.
        let lists = list(&[], 12 * words, storage)?;
        gpu.queue.write_buffer(&lists, 4 * words, bytemuck::cast_slice(&start.candidates));
        let counters = list(&[], COUNTERS as u64 * 4, storage)?;
        let others = [
            list(rows.offsets(), 0, storage)?,
            list(rows.targets(), 0, storage)?,
            list(reverse.offsets(), 0, storage)?,
            list(reverse.targets(), 0, storage)?,
        ];
        let stamps = list(&[], 4 * words, storage)?;
        let [offsets, successors, reverse_offsets, predecessors] = &others;
        let buffers = [
            &params,
            offsets,
            successors,
            reverse_offsets,
            predecessors,
            &bits,
            &plies,
            &lists,
            &stamps,
            &counters,
        ];
        let ([decide, commit], group) = gpu.checked(|device| pipelines(device, &buffers))?;
        let words = start.words as u32;
        Ok(Self { gpu, words, decide, commit, group, params, bits, plies, counters })
    }

    /// Runs a submission of rounds; returns how many vertices it decided.
    fn run_rounds(&mut self, first: u32, candidates: &mut u32) -> Result<u32, GpuError> {
        let mut counters = vec![0u32; COUNTERS];
        counters[1] = *candidates;
        self.gpu.queue.write_buffer(&self.counters, 0, bytemuck::cast_slice(&counters));
        let mut slots = vec![0u8; (SLOT * u64::from(ROUNDS)) as usize];
        for (slot, bytes) in slots.chunks_mut(SLOT as usize).enumerate() {
            let slot = slot as u32;
            let params = GraphParams { words: self.words, round: first + slot, slot, padding: 0 };
            bytes[..size_of::<GraphParams>()].copy_from_slice(bytemuck::bytes_of(&params));
        }
        self.gpu.queue.write_buffer(&self.params, 0, &slots);
        let groups = self.words.div_ceil(8);
        let rows = groups.div_ceil(self.gpu.summary().max_groups).max(1);
        let submission = self.gpu.checked(|device| {
            let mut encoder = device.create_command_encoder(&Default::default());
            {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                for slot in 0..ROUNDS {
                    for pipeline in [&self.decide, &self.commit] {
                        pass.set_pipeline(pipeline);
                        pass.set_bind_group(0, &self.group, &[slot * SLOT as u32]);
                        pass.dispatch_workgroups(groups.div_ceil(rows), rows, 1);
                    }
                }
            }
            self.gpu.queue.submit([encoder.finish()])
        })?;
        self.gpu.wait(submission)?;
        self.gpu.read(&self.counters, 0, bytemuck::cast_slice_mut(&mut counters))?;
        *candidates = counters[1 + 2 * ROUNDS as usize];
        Ok(counters[0])
    }

    fn read(&self, start: &Start) -> Result<(Vec<u32>, Vec<u32>), GpuError> {
        let mut bits = vec![0u32; 5 * start.words];
        let mut plies = vec![0u32; start.vertices];
        self.gpu.read(&self.bits, 0, bytemuck::cast_slice_mut(&mut bits))?;
        self.gpu.read(&self.plies, 0, bytemuck::cast_slice_mut(&mut plies))?;
        Ok((bits, plies))
    }
}

/// One for decided vertices, two for each round, one for the candidates of the round after.
const COUNTERS: usize = 2 + 2 * ROUNDS as usize;

fn pipelines(
    device: &wgpu::Device,
    buffers: &[&Buffer; 10],
) -> ([ComputePipeline; 2], wgpu::BindGroup) {
    let size = core::num::NonZeroU64::new(size_of::<GraphParams>() as u64);
    let layout_entry = |binding: u32| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: match binding {
                0 => wgpu::BufferBindingType::Uniform,
                1..=4 => wgpu::BufferBindingType::Storage { read_only: true },
                _ => wgpu::BufferBindingType::Storage { read_only: false },
            },
            has_dynamic_offset: binding == 0,
            min_binding_size: if binding == 0 { size } else { None },
        },
        count: None,
    };
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("graph"),
        entries: &core::array::from_fn::<_, 10, _>(|i| layout_entry(i as u32)),
    });
    let entry = |i: usize| wgpu::BindGroupEntry {
        binding: i as u32,
        resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: buffers[i],
            offset: 0,
            size: if i == 0 { size } else { None },
        }),
    };
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("graph"),
        layout: &layout,
        entries: &core::array::from_fn::<_, 10, _>(entry),
    });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("graph"),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = |name: &str| {
        let text = Shaders::default().compose(&format!("{name}.wgsl"), Form::PLAIN);
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(name),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some(name),
            compilation_options: Default::default(),
            cache: None,
        })
    };
    ([pipeline("graph_decide"), pipeline("graph_commit")], group)
}
