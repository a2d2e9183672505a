//! Small computations with known results, run once when a device is opened.

use wgpu::BufferUsages;

use super::Gpu;
use crate::GpuError;
use crate::shader::{Form, Shaders};

struct Canary {
    /// As the error names it.
    name: &'static str,
    entry_point: &'static str,
    groups: [u32; 2],
    initial: [u32; RESULTS],
    expected: fn() -> [u32; RESULTS],
}

const RESULTS: usize = 8;

const CANARIES: [Canary; 4] = [
    Canary {
        name: "long loop",
        entry_point: "long_loop",
        groups: [1, 1],
        initial: [7, 0, 0, 0, 0, 0, 0, 0],
        expected: || {
            let sum = (1..=60_000).fold(7u32, |sum, i| sum.wrapping_add(i) ^ (sum >> 31));
            [sum, 0, 0, 0, 0, 0, 0, 0]
        },
    },
    Canary {
        name: "ballot order",
        entry_point: "ballot_order",
        groups: [1, 1],
        initial: [0; RESULTS],
        expected: || {
            let lane = |i: u32| u32::from(!i.is_multiple_of(3) && !i.is_multiple_of(5));
            core::array::from_fn(|w| (0..32).map(|b| lane(32 * w as u32 + b) << b).sum())
        },
    },
    Canary {
        name: "last index of a folded dispatch",
        entry_point: "folded_dispatch",
        groups: [4099, 3],
        initial: [0; RESULTS],
        expected: || [4099 * 3 * 256 - 1, 4099 * 3 * 256, 0, 0, 0, 0, 0, 0],
    },
    Canary {
        name: "bit reversal",
        entry_point: "bit_reversal",
        groups: [1, 1],
        initial: [0x8012_4c01, 0, 0, 0, 0, 0, 0, 0],
        expected: || {
            let x = 0x8012_4c01u32;
            [x, x.reverse_bits(), x.count_ones(), (x << 5).trailing_zeros(), 0, 0, 0, 0]
        },
    },
];

/// Runs all canaries.
pub(super) fn run_all(gpu: &Gpu) -> Result<(), GpuError> {
    let text = Shaders::default().compose("canary.wgsl", Form::PLAIN);
    run_text(gpu, &text)
}

fn run_text(gpu: &Gpu, text: &str) -> Result<(), GpuError> {
    let module = gpu.checked(|device| {
        device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("canary"),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        })
    })?;
    let results = gpu.checked(|device| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("canary results"),
            size: 4 * RESULTS as u64,
            usage: BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    })?;
    for canary in &CANARIES {
        let found = run(gpu, &module, &results, canary)?;
        let expected = (canary.expected)();
        if found != expected {
            return Err(GpuError::Canary {
                adapter: gpu.summary().name.clone(),
                canary: canary.name,
                detail: format!("found {found:x?}, right is {expected:x?}"),
            });
        }
    }
    Ok(())
}

fn run(
    gpu: &Gpu,
    module: &wgpu::ShaderModule,
    results: &wgpu::Buffer,
    canary: &Canary,
) -> Result<[u32; RESULTS], GpuError> {
    let (pipeline, bind_group) = gpu.checked(|device| {
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(canary.name),
            layout: None,
            module,
            entry_point: Some(canary.entry_point),
            compilation_options: Default::default(),
            cache: None,
        });
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: results.as_entire_binding() }],
        });
        (pipeline, bind_group)
    })?;
    gpu.queue.write_buffer(results, 0, bytemuck::bytes_of(&canary.initial));
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(canary.groups[0], canary.groups[1], 1);
    }
    gpu.wait(gpu.queue.submit([encoder.finish()]))?;
    let mut found = [0u32; RESULTS];
    gpu.read(results, 0, bytemuck::bytes_of_mut(&mut found))?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adapter_that_computes_nothing_is_refused_by_name() {
        let error = run_all(&Gpu::noop()).unwrap_err();
        assert!(matches!(error, GpuError::Canary { canary: "long loop", .. }), "{error}");
    }
}
