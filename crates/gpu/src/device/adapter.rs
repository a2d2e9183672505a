use core::fmt;

use wgpu::{Adapter, AdapterInfo, Backends, DeviceType, Features, Instance, Limits};

use crate::GpuError;

/// Which adapter to use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// `WGPU_ADAPTER_NAME` when it is set, else the first of [`adapters`].
    #[default]
    Best,
    /// The one with this index in [`adapters`], or else one whose name contains this text,
    /// whatever the case.
    Named(String),
}

/// What is known of an adapter before it is opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdapterSummary {
    /// Its place in the list of [`adapters`].
    pub index: usize,
    /// Its name, as the driver gives it.
    pub name: String,
    /// `discrete`, `integrated`, `virtual`, `software` or `other`.
    pub kind: &'static str,
    /// The driver and its version.
    pub driver: String,
    /// `vulkan`, `metal` or `dx12`.
    pub backend: String,
    /// Largest binding of a storage buffer, in bytes.
    pub max_binding: u64,
    /// Largest buffer, in bytes.
    pub max_buffer: u64,
    /// Storage buffers that one kernel can see.
    pub max_storage_buffers: u32,
    /// Shared memory of a workgroup, in bytes.
    pub max_workgroup_memory: u32,
    /// Lanes of a workgroup.
    pub max_lanes: u32,
    /// Workgroups in one dimension of a dispatch.
    pub max_groups: u32,
    /// Whether it has subgroup operations.
    pub subgroups: bool,
    /// Whether it can measure the time of each pass.
    pub timestamps: bool,
}

impl AdapterSummary {
    pub(crate) fn of(
        index: usize,
        info: &AdapterInfo,
        limits: &Limits,
        features: Features,
    ) -> Self {
        let kind = match info.device_type {
            DeviceType::DiscreteGpu => "discrete",
            DeviceType::IntegratedGpu => "integrated",
            DeviceType::VirtualGpu => "virtual",
            DeviceType::Cpu => "software",
            DeviceType::Other => "other",
        };
        Self {
            index,
            name: info.name.clone(),
            kind,
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            backend: info.backend.to_str().to_owned(),
            max_binding: limits.max_storage_buffer_binding_size,
            max_buffer: limits.max_buffer_size,
            max_storage_buffers: limits.max_storage_buffers_per_shader_stage,
            max_workgroup_memory: limits.max_compute_workgroup_storage_size,
            max_lanes: limits.max_compute_invocations_per_workgroup,
            max_groups: limits.max_compute_workgroups_per_dimension,
            subgroups: features.contains(Features::SUBGROUP),
            timestamps: features.contains(Features::TIMESTAMP_QUERY),
        }
    }

    /// Whether it computes on the processor: right, and of no use for speed.
    pub fn is_software(&self) -> bool {
        self.kind == "software"
    }

    /// Compares the limits with what the kernels need.
    ///
    /// # Errors
    ///
    /// [`GpuError::Unfit`] with the first limit that is too low.
    pub fn check(&self) -> Result<(), GpuError> {
        // Eight storage buffers beside at least one chunk of the arena; `classify` takes 21 KiB of
        // shared memory.
        let needs = [
            ("storage buffers for each kernel", u64::from(self.max_storage_buffers), 9),
            ("bytes of memory for each workgroup", u64::from(self.max_workgroup_memory), 22 << 10),
            ("lanes for each workgroup", u64::from(self.max_lanes), 256),
            ("bytes for each binding", self.max_binding, 64 << 20),
        ];
        match needs.iter().find(|(_, have, need)| have < need) {
            None => Ok(()),
            Some((what, have, need)) => Err(GpuError::Unfit {
                adapter: self.name.clone(),
                lacks: format!("it has {have} {what}, {need} are needed"),
            }),
        }
    }

    fn rank(&self) -> u32 {
        match self.kind {
            "discrete" => 0,
            "integrated" => 1,
            "virtual" => 2,
            "other" => 3,
            _ => 4,
        }
    }
}

/// One line: index, name, kind, backend, driver and what it can do.
impl fmt::Display for AdapterSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} ({}, {}, driver {}): {} MiB a binding, {} storage buffers{}{}",
            self.index,
            self.name,
            self.kind,
            self.backend,
            self.driver,
            self.max_binding >> 20,
            self.max_storage_buffers,
            if self.subgroups { ", subgroups" } else { "" },
            if self.timestamps { ", timestamps" } else { "" },
        )
    }
}

/// All adapters, real hardware first: discrete, integrated, virtual, others, software.
fn enumerate() -> Vec<(Adapter, AdapterSummary)> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = Backends::PRIMARY;
    descriptor.flags = wgpu::InstanceFlags::empty().with_env();
    let instance = Instance::new(descriptor);
    let mut found: Vec<_> = pollster::block_on(instance.enumerate_adapters(Backends::PRIMARY))
        .into_iter()
        .map(|adapter| {
            let (limits, features) = (adapter.limits(), adapter.features());
            let summary = AdapterSummary::of(0, &adapter.get_info(), &limits, features);
            (adapter, summary)
        })
        .collect();
    found.sort_by_key(|(_, summary)| summary.rank());
    for (index, (_, summary)) in found.iter_mut().enumerate() {
        summary.index = index;
    }
    found
}

/// All adapters that wgpu reaches, in order of preference.
pub fn adapters() -> Vec<AdapterSummary> {
    enumerate().into_iter().map(|(_, summary)| summary).collect()
}

/// The adapter that is chosen.
pub(super) fn choose(choice: &Choice) -> Result<(Adapter, AdapterSummary), GpuError> {
    let mut found = enumerate();
    let summaries: Vec<_> = found.iter().map(|(_, summary)| summary.clone()).collect();
    let wanted = match choice {
        Choice::Named(wanted) => Some(wanted.clone()),
        Choice::Best => std::env::var("WGPU_ADAPTER_NAME").ok().filter(|name| !name.is_empty()),
    };
    let index = pick(&summaries, wanted.as_deref())?;
    Ok(found.swap_remove(index))
}

/// The index of the adapter that is meant.
fn pick(found: &[AdapterSummary], wanted: Option<&str>) -> Result<usize, GpuError> {
    if found.is_empty() {
        return Err(GpuError::NoAdapter);
    }
    let Some(wanted) = wanted else { return Ok(0) };
    let by_index = wanted.parse().ok().filter(|&index: &usize| index < found.len());
    let lower = wanted.to_lowercase();
    let by_name = || found.iter().position(|adapter| adapter.name.to_lowercase().contains(&lower));
    by_index.or_else(by_name).ok_or_else(|| GpuError::UnknownAdapter {
        wanted: wanted.to_owned(),
        found: found.iter().map(|adapter| adapter.name.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str) -> AdapterSummary {
        let gpu = crate::device::Gpu::noop();
        AdapterSummary { name: name.to_owned(), ..gpu.summary().clone() }
    }

    #[test]
    fn adapters_are_picked_by_index_or_name() {
        let found = [adapter("Radeon 780M"), adapter("llvmpipe (LLVM 15)")];
        assert_eq!(pick(&found, None), Ok(0));
        assert_eq!(pick(&found, Some("1")), Ok(1));
        assert_eq!(pick(&found, Some("LLVM")), Ok(1));
        assert_eq!(pick(&found, Some("780")), Ok(0), "no adapter 780, but a name with it");
        assert_eq!(pick(&[], None), Err(GpuError::NoAdapter));
        let error = pick(&found, Some("GeForce")).unwrap_err().to_string();
        assert!(error.contains("0 Radeon 780M, 1 llvmpipe"), "{error}");
    }

    #[test]
    fn limits_that_are_too_low_are_named() {
        let poor = AdapterSummary { max_workgroup_memory: 16 << 10, ..adapter("poor") };
        let error = poor.check().unwrap_err().to_string();
        assert!(error.contains("has 16384 bytes of memory for each workgroup"), "{error}");
    }
}
