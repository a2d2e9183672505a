use alloc::boxed::Box;
use alloc::vec::Vec;

use hashbrown::HashMap;

/// The gray vertices that kept each visit from a result.
///
/// A winning tree of a vertex that was left without a result must pass through one of the gray
/// vertices its branch ran into (the proof of lemma 4.7 uses no other gray ones). While all of them
/// are still gray, another visit would end the same way.
#[derive(Default)]
pub(super) struct Blockers {
    /// Of the visits that go on, the outermost first.
    open: Vec<u32>,
    /// Where each visit's part of `open` starts.
    starts: Vec<usize>,
    /// Of the vertices whose last visit had no result.
    closed: HashMap<u32, Box<[u32]>>,
    closed_bytes: usize,
}

impl Blockers {
    /// A visit starts.
    pub(super) fn open(&mut self) {
        self.starts.push(self.open.len());
    }

    /// The visit ran into the gray vertex `w`.
    pub(super) fn add(&mut self, w: u32) {
        self.open.push(w);
    }

    /// If all that blocked `w` is gray, it blocks the visit that asks, too.
    pub(super) fn pass_on(&mut self, w: u32, is_gray: impl Fn(u32) -> bool) -> bool {
        let Some(blockers) = self.closed.get(&w) else { return false };
        let blocked = blockers.iter().all(|&b| is_gray(b));
        if blocked {
            self.open.extend_from_slice(blockers);
        }
        blocked
    }

    /// The visit of `v` ends. Without a result, its blockers are kept, and block the visit below.
    pub(super) fn close(&mut self, v: u32, without_result: bool) {
        let Some(start) = self.starts.pop() else { return };
        let before = self.closed.remove(&v);
        self.closed_bytes -= before.map_or(0, |blockers| 4 * blockers.len());
        if !without_result {
            self.open.truncate(start);
            return;
        }
        let mut own = self.open.split_off(start);
        own.sort_unstable();
        own.dedup();
        own.retain(|&b| b != v);
        self.open.extend_from_slice(&own);
        self.closed_bytes += 4 * own.len();
        self.closed.insert(v, own.into());
    }

    pub(super) fn bytes(&self) -> usize {
        self.open.capacity() * 4
            + self.starts.capacity() * size_of::<usize>()
            + self.closed.allocation_size()
            + self.closed_bytes
    }
}
