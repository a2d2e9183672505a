//! What the machine has.

use std::path::Path;

/// Memory that can be used without swapping, in bytes; `None` where the system does not say.
pub(crate) fn available_memory() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let free = kib.checked_mul(1024)?;
    Some(container_limit().map_or(free, |limit| limit.min(free)))
}

/// A container's memory limit, in bytes (control groups, version 2).
fn container_limit() -> Option<u64> {
    std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()
}

/// Free space for files in this directory, or in the nearest one above that is there, in bytes;
/// `None` where the system does not say.
pub(crate) fn free_space(directory: &Path) -> Option<u64> {
    let absolute = std::path::absolute(directory).ok()?;
    absolute.ancestors().find(|path| path.exists()).and_then(space_at)
}

#[cfg(unix)]
fn space_at(path: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(path).ok()?;
    stat.f_bavail.checked_mul(stat.f_frsize)
}

#[cfg(not(unix))]
fn space_at(_path: &Path) -> Option<u64> {
    None
}
