//! The time that one dispatch takes on the device.

use std::time::{Duration, Instant};

use wgpu::{BufferUsages, ComputePassTimestampWrites, QuerySet};

use crate::GpuError;
use crate::device::Gpu;

/// Timestamps at the beginning and at the end of a pass, where the adapter has them.
pub(super) struct Clock {
    queries: QuerySet,
    resolved: wgpu::Buffer,
}

impl Clock {
    /// `None` where the adapter has no timestamps.
    pub(super) fn new(gpu: &Gpu) -> Result<Option<Self>, GpuError> {
        if !gpu.has_timestamps() {
            return Ok(None);
        }
        gpu.checked(|device| {
            let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("clock"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            });
            let resolved = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("clock"),
                size: 16,
                usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            });
            Some(Self { queries, resolved })
        })
    }

    pub(super) fn writes(&self) -> ComputePassTimestampWrites<'_> {
        ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// After the pass, in the same submission.
    pub(super) fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
    }

    /// How long the pass took, after its submission is done.
    pub(super) fn read(&self, gpu: &Gpu) -> Result<Duration, GpuError> {
        let mut ticks = [0u64; 2];
        gpu.read(&self.resolved, 0, bytemuck::bytes_of_mut(&mut ticks))?;
        let period = f64::from(gpu.queue.get_timestamp_period());
        let nanoseconds = ticks[1].saturating_sub(ticks[0]) as f64 * period;
        Ok(Duration::from_nanos(nanoseconds as u64))
    }
}

/// Times something by the clock of the host.
pub(super) fn on_host<T>(what: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let result = what();
    (result, begun.elapsed())
}
