//! An allocator that knows how much is held.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, counting.
pub(crate) struct Counting {
    held: AtomicUsize,
    peak: AtomicUsize,
}

impl Counting {
    pub(crate) const fn new() -> Self {
        Self { held: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    /// Starts a measurement, and says how much is held already.
    pub(crate) fn start(&self) -> usize {
        let held = self.held.load(Relaxed);
        self.peak.store(held, Relaxed);
        held
    }

    /// The most that was held since the start.
    pub(crate) fn peak(&self) -> usize {
        self.peak.load(Relaxed)
    }

    fn add(&self, bytes: usize) {
        let held = self.held.fetch_add(bytes, Relaxed) + bytes;
        self.peak.fetch_max(held, Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator unchanged; counting does not touch the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.held.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}
