//! Adapters and devices: listing, choosing, opening, waiting, faults.

mod adapter;
mod canary;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use wgpu::{Device, Features, PollError, PollType, Queue, SubmissionIndex};

pub use adapter::{AdapterSummary, Choice, adapters};

use crate::GpuError;

/// An open device that has passed the canaries.
#[derive(Debug)]
pub struct Gpu {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    pub(crate) summary: AdapterSummary,
    pub(crate) features: Features,
    faults: Faults,
    patience: Duration,
}

/// The first fault that wgpu reported outside of a call, kept until somebody asks.
#[derive(Clone, Default, Debug)]
struct Faults(Arc<Mutex<Option<GpuError>>>);

impl Faults {
    fn report(&self, fault: GpuError) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
    }

    fn check(&self) -> Result<(), GpuError> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone().map_or(Ok(()), Err)
    }
}

/// Optional features that are used where they are there.
const WANTED: Features = Features::SUBGROUP.union(Features::TIMESTAMP_QUERY);

impl Gpu {
    /// How long a submission may take before the device counts as stuck.
    pub const PATIENCE: Duration = Duration::from_secs(60);

    /// Opens an adapter and runs the canaries on it.
    ///
    /// # Errors
    ///
    /// [`GpuError::NoAdapter`], [`GpuError::UnknownAdapter`], [`GpuError::Unfit`],
    /// [`GpuError::Open`], and [`GpuError::Canary`] when the adapter computes wrongly.
    pub fn open(choice: &Choice) -> Result<Self, GpuError> {
        let gpu = Self::connect(choice)?;
        canary::run_all(&gpu)?;
        Ok(gpu)
    }

    /// Opens an adapter without running the canaries.
    fn connect(choice: &Choice) -> Result<Self, GpuError> {
        let (adapter, summary) = adapter::choose(choice)?;
        summary.check()?;
        let features = adapter.features() & WANTED;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("crownhead"),
            required_features: features,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| GpuError::Open(error.to_string()))?;
        Ok(Self::with_device(device, queue, summary, features))
    }

    fn with_device(
        device: Device,
        queue: Queue,
        summary: AdapterSummary,
        features: Features,
    ) -> Self {
        let faults = Faults::default();
        let uncaptured = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error| uncaptured.report(error.into())));
        let lost = faults.clone();
        device.set_device_lost_callback(move |reason, text| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                lost.report(GpuError::DeviceLost(text));
            }
        });
        Self { device, queue, summary, features, faults, patience: Self::PATIENCE }
    }

    /// A device of wgpu's noop backend, which checks every call and computes nothing.
    #[cfg(test)]
    pub(crate) fn noop() -> Self {
        let limits = wgpu::Limits {
            max_storage_buffers_per_shader_stage: 32,
            max_compute_workgroup_storage_size: 32 << 10,
            ..Default::default()
        };
        let features = Features::empty();
        let descriptor = wgpu::DeviceDescriptor {
            required_features: features,
            required_limits: limits,
            ..Default::default()
        };
        let (device, queue) = Device::noop(&descriptor);
        let summary = AdapterSummary::of(0, &device.adapter_info(), &device.limits(), features);
        Self::with_device(device, queue, summary, features)
    }

    /// What is known of the adapter.
    pub const fn summary(&self) -> &AdapterSummary {
        &self.summary
    }

    /// Whether subgroup operations are used.
    pub fn has_subgroups(&self) -> bool {
        self.features.contains(Features::SUBGROUP)
    }

    /// Whether the time of each pass can be measured on the device.
    pub fn has_timestamps(&self) -> bool {
        self.features.contains(Features::TIMESTAMP_QUERY)
    }

    /// Waits until a submission is done.
    ///
    /// # Errors
    ///
    /// [`GpuError::TimedOut`], and whatever fault was reported meanwhile.
    pub(crate) fn wait(&self, submission: SubmissionIndex) -> Result<(), GpuError> {
        let wait =
            PollType::Wait { submission_index: Some(submission), timeout: Some(self.patience) };
        let polled = self.device.poll(wait);
        self.faults.check()?;
        match polled {
            Ok(_) => Ok(()),
            Err(PollError::Timeout) => Err(GpuError::TimedOut { seconds: self.patience.as_secs() }),
            Err(error) => Err(GpuError::Validation(error.to_string())),
        }
    }

    /// Runs something that creates resources, and returns the errors that it causes.
    ///
    /// # Errors
    ///
    /// [`GpuError::OutOfMemory`] and [`GpuError::Validation`].
    pub(crate) fn checked<T>(&self, what: impl FnOnce(&Device) -> T) -> Result<T, GpuError> {
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let made = what(&self.device);
        let memory = pollster::block_on(memory.pop());
        let validation = pollster::block_on(validation.pop());
        self.faults.check()?;
        match memory.or(validation) {
            None => Ok(made),
            Some(error) => Err(error.into()),
        }
    }

    /// Copies `bytes.len()` bytes of a buffer from `offset` on to the host.
    ///
    /// # Errors
    ///
    /// Faults of the device.
    pub(crate) fn read(
        &self,
        buffer: &wgpu::Buffer,
        offset: u64,
        bytes: &mut [u8],
    ) -> Result<(), GpuError> {
        const PIECE: usize = 32 << 20;
        let staging = self.checked(|device| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("staging"),
                size: bytes.len().min(PIECE) as u64,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        for (i, piece) in bytes.chunks_mut(PIECE).enumerate() {
            let size = piece.len() as u64;
            let mut encoder = self.device.create_command_encoder(&Default::default());
            let from = offset + (i * PIECE) as u64;
            encoder.copy_buffer_to_buffer(buffer, from, &staging, 0, size);
            let submission = self.queue.submit([encoder.finish()]);
            staging.map_async(wgpu::MapMode::Read, 0..size, |_| {});
            self.wait(submission)?;
            let view = staging
                .get_mapped_range(0..size)
                .map_err(|error| GpuError::Validation(error.to_string()))?;
            piece.copy_from_slice(&view);
            drop(view);
            staging.unmap();
        }
        Ok(())
    }
}

impl From<wgpu::Error> for GpuError {
    fn from(error: wgpu::Error) -> Self {
        match error {
            wgpu::Error::OutOfMemory { source } => Self::OutOfMemory(source.to_string()),
            wgpu::Error::Validation { description, .. } => Self::Validation(description),
            wgpu::Error::Internal { description, .. } => Self::DeviceLost(description),
        }
    }
}
