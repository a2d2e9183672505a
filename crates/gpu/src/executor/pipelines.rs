//! Pipelines and bind group layouts of the kernels.

use std::collections::BTreeMap;

use wgpu::{
    BindGroupLayout, BindGroupLayoutEntry, BindingType, BufferBindingType, ComputePipeline,
    ShaderRuntimeChecks, ShaderStages,
};

use super::{Checks, Settings};
use crate::GpuError;
use crate::device::Gpu;
use crate::kernel::{Kernel, Params};
use crate::shader::Form;

/// Bind group 0: parameters, tables, components, slices, counters.
pub(super) const GENERAL: u32 = 0;
/// Bind group 1: the chunks of wins, losses, quiet, lossable in turn.
pub(super) const SCRATCH: u32 = 1;
/// Bind group 2: the chunks of the arena.
pub(super) const ARENA: u32 = 2;

/// Storage buffers that every kernel can see beside scratch and the chunks.
pub(super) const FIXED_BUFFERS: u32 = 4;
/// Lists in scratch: wins, losses, quiet, lossable.
pub(super) const LISTS: u32 = 4;

/// How what the kernels see is cut into chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cut {
    /// Chunks of the arena.
    pub(super) chunks: u32,
    /// Base 2 logarithm of the entries in each.
    pub(super) chunk_bits: u32,
    /// Chunks of each list in scratch.
    pub(super) scratch: u32,
    /// Base 2 logarithm of the words in each.
    pub(super) scratch_bits: u32,
}

pub(super) struct Pipelines {
    pub(super) cut: Cut,
    pub(super) layouts: Layouts,
    by_kernel: BTreeMap<Kernel, ComputePipeline>,
}

pub(super) struct Layouts {
    pub(super) general: BindGroupLayout,
    pub(super) scratch: BindGroupLayout,
    pub(super) arena_read: BindGroupLayout,
    pub(super) arena_write: BindGroupLayout,
}

fn entry(binding: u32, ty: BufferBindingType, dynamic: bool) -> BindGroupLayoutEntry {
    BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer {
            ty,
            has_dynamic_offset: dynamic,
            min_binding_size: dynamic
                .then(|| core::num::NonZeroU64::new(size_of::<Params>() as u64))
                .flatten(),
        },
        count: None,
    }
}

const READ: BufferBindingType = BufferBindingType::Storage { read_only: true };
const WRITE: BufferBindingType = BufferBindingType::Storage { read_only: false };

impl Layouts {
    fn new(device: &wgpu::Device, cut: Cut) -> Self {
        let layout = |label, entries: &[BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let general = [
            entry(0, BufferBindingType::Uniform, true),
            entry(1, READ, false),
            entry(2, READ, false),
            entry(3, READ, false),
            entry(4, WRITE, false),
        ];
        let scratch: Vec<_> =
            (0..LISTS * cut.scratch).map(|binding| entry(binding, WRITE, false)).collect();
        let arena = |ty| (0..cut.chunks).map(|i| entry(i, ty, false)).collect::<Vec<_>>();
        Self {
            general: layout("general", &general),
            scratch: layout("scratch", &scratch),
            arena_read: layout("arena to read", &arena(READ)),
            arena_write: layout("arena to write", &arena(WRITE)),
        }
    }
}

impl Pipelines {
    /// Builds all pipelines.
    pub(super) fn new(gpu: &Gpu, settings: &Settings, cut: Cut) -> Result<Self, GpuError> {
        let layouts = gpu.checked(|device| Layouts::new(device, cut))?;
        let pipeline_layout = |arena: &BindGroupLayout| {
            gpu.checked(|device| {
                device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                    label: Some("kernel"),
                    bind_group_layouts: &[
                        Some(&layouts.general),
                        Some(&layouts.scratch),
                        Some(arena),
                    ],
                    immediate_size: 0,
                })
            })
        };
        let (reading, writing) =
            (pipeline_layout(&layouts.arena_read)?, pipeline_layout(&layouts.arena_write)?);
        let mut by_kernel = BTreeMap::new();
        for kernel in Kernel::ALL {
            let layout = if kernel.writes_arena() { &writing } else { &reading };
            by_kernel.insert(kernel, build(gpu, settings, kernel, layout, cut)?);
        }
        Ok(Self { cut, layouts, by_kernel })
    }

    pub(super) fn get(&self, kernel: Kernel) -> &ComputePipeline {
        &self.by_kernel[&kernel]
    }
}

fn build(
    gpu: &Gpu,
    settings: &Settings,
    kernel: Kernel,
    layout: &wgpu::PipelineLayout,
    cut: Cut,
) -> Result<ComputePipeline, GpuError> {
    let subgroups = settings.subgroups && gpu.has_subgroups();
    let form = Form { chunks: cut.chunks, scratch: cut.scratch, subgroups };
    let text = settings.shaders.kernel(kernel, form);
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(kernel.name()),
        source: wgpu::ShaderSource::Wgsl(text.clone().into()),
    };
    let mut constants = kernel.constants().to_vec();
    let bits = [("CHUNK_BITS", cut.chunk_bits), ("SCRATCH_BITS", cut.scratch_bits)];
    for (name, bits) in bits {
        if text.contains(&format!("override {name}:")) {
            constants.push((name, f64::from(bits)));
        }
    }
    gpu.checked(|device| {
        let module = match settings.checks {
            Checks::All => device.create_shader_module(descriptor),
            // SAFETY: the shaders are this crate's own; every index they form lies within a buffer
            // and every loop ends, which tests with all checks on and the CPU twins confirm. On
            // llvmpipe this makes a build a good third faster.
            Checks::None => unsafe {
                device.create_shader_module_trusted(descriptor, ShaderRuntimeChecks::unchecked())
            },
        };
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(kernel.name()),
            layout: Some(layout),
            module: &module,
            entry_point: Some(kernel.shader()),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                // Every kernel initialises what it uses.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        })
    })
    .map_err(|error| match error {
        GpuError::Validation(why) => {
            GpuError::Validation(format!("shader {}: {why}", kernel.shader()))
        }
        other => other,
    })
}
