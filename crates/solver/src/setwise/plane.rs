//! Words in memory or in a memory-mapped file.

use core::ops::{Deref, DerefMut};

use memmap2::MmapMut;
use rayon::prelude::*;

/// Words that one thread fills at a time.
const FILLED_AT_ONCE: usize = 1 << 16;

/// One bit for each position.
#[derive(Debug)]
pub(super) enum Plane {
    Memory(Vec<u32>),
    /// The bytes of the words in the order of this processor.
    File(MmapMut),
}

impl Plane {
    /// All words alike.
    pub(super) fn filled(word: u32, words: usize) -> Self {
        let mut plane = vec![0; words];
        if word != 0 {
            // The system hands out pages when they are first written to: that takes all threads.
            plane.par_chunks_mut(FILLED_AT_ONCE).for_each(|part| part.fill(word));
        }
        Self::Memory(plane)
    }

    /// Waits until the words are in their file, if they have one.
    pub(super) fn flush(&self) -> std::io::Result<()> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::File(map) => map.flush(),
        }
    }
}

impl Default for Plane {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl From<Vec<u32>> for Plane {
    fn from(words: Vec<u32>) -> Self {
        Self::Memory(words)
    }
}

impl Deref for Plane {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        match self {
            Self::Memory(words) => words,
            Self::File(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Plane {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u32] {
        match self {
            Self::Memory(words) => words,
            Self::File(map) => bytemuck::cast_slice_mut(map),
        }
    }
}
