use crownhead_graph::Rows;
use wgpu::{Buffer, BufferUsages, ComputePipeline};

use super::{COUNTERS, GraphParams, ROUNDS, Rounds, Start, place};
use crate::shader::{Form, Shaders};
use crate::{Gpu, GpuError};

/// Bytes from one round's parameters to the next.
const SLOT: u64 = 256;

/// Rounds on a device.
pub(super) struct DeviceRounds<'a> {
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

impl<'a> DeviceRounds<'a> {
    pub(super) fn new(
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
}

impl Rounds for DeviceRounds<'_> {
    fn run(&mut self, first: u32, counters: &mut [u32]) -> Result<(), GpuError> {
        self.gpu.queue.write_buffer(&self.counters, 0, bytemuck::cast_slice(counters));
        let mut slots = vec![0u8; (SLOT * u64::from(ROUNDS)) as usize];
        for (slot, bytes) in slots.chunks_mut(SLOT as usize).enumerate() {
            let slot = slot as u32;
            let params = GraphParams::new(self.words, first + slot, slot);
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
        // Poison: whatever the device does not write must not look like a result.
        counters.fill(0xdead_beef);
        self.gpu.read(&self.counters, 0, bytemuck::cast_slice_mut(counters))
    }

    fn read(&mut self) -> Result<(Vec<u32>, Vec<u32>), GpuError> {
        let words = self.words as usize;
        let mut bits = vec![0xdead_beefu32; place::SETS * words];
        let mut plies = vec![0xdead_beefu32; 32 * words];
        self.gpu.read(&self.bits, 0, bytemuck::cast_slice_mut(&mut bits))?;
        self.gpu.read(&self.plies, 0, bytemuck::cast_slice_mut(&mut plies))?;
        Ok((bits, plies))
    }
}

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
