//! Measurements for reports and benches.

use std::time::Instant;

use wgpu::BufferUsages;

use crate::executor::DispatchLog;
use crate::kernel::Kernel;
use crate::shader::{Form, Shaders};
use crate::{Gpu, GpuError};

/// Bytes per second that a copy kernel reads and writes together: what other kernels are held
/// against. The best of several copies between buffers of 256 MiB, or of what one binding holds.
///
/// # Errors
///
/// Faults of the device.
pub fn copy_bandwidth(gpu: &Gpu) -> Result<f64, GpuError> {
    const COPIES: u32 = 5;
    let bytes = gpu.summary().max_binding.min(256 << 20) / 4096 * 4096;
    let text = Shaders::default().compose("copy.wgsl", Form::PLAIN);
    let (pipeline, group) = gpu.checked(|device| {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("copy"),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("copy"),
            layout: None,
            module: &module,
            entry_point: Some("copy"),
            compilation_options: Default::default(),
            cache: None,
        });
        let [source, destination] = ["source", "destination"].map(|label| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes,
                usage: BufferUsages::STORAGE,
                mapped_at_creation: false,
            })
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: source.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: destination.as_entire_binding() },
            ],
        });
        (pipeline, group)
    })?;
    let groups = (bytes / 4096) as u32;
    let rows = groups.div_ceil(gpu.summary().max_groups).max(1);
    let mut best = 0f64;
    for _ in 0..COPIES {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(groups.div_ceil(rows), rows, 1);
        }
        let begun = Instant::now();
        gpu.wait(gpu.queue.submit([encoder.finish()]))?;
        best = best.max(2.0 * bytes as f64 / begun.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// The bytes that a kernel must move for one word at least, as the log counts words: its own
/// words of scratch and arena once, no look-up and no neighbour.
///
/// Sweeps are counted as if no round had left early.
pub const fn least_bytes(kernel: Kernel) -> u64 {
    match kernel {
        Kernel::Fill => 16,
        Kernel::Classify => 16,
        Kernel::Men => 8,
        Kernel::Solve => 32,
        Kernel::SweepWins | Kernel::SweepLosses => 8,
        Kernel::Verify => 16,
        Kernel::Finish => 48,
        Kernel::Audit => 0,
    }
}

/// Bytes that all kernels of a log must have moved at least.
pub fn least_traffic(log: &DispatchLog) -> u64 {
    log.kernels.iter().map(|(&kernel, ran)| ran.words * least_bytes(kernel)).sum()
}
