//! Words in memory or in a memory-mapped file.

use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicUsize, Ordering};
use std::fs::File;
use std::io;
use std::path::Path;

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

    /// All words alike, in a file in this directory that nobody else sees and that goes with the
    /// map: the system can write it out when memory runs short.
    pub(super) fn scratch(directory: &Path, word: u32, words: usize) -> io::Result<Self> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!("scratch.{}.{number}.tmp", std::process::id()));
        let file =
            File::options().read(true).write(true).create(true).truncate(true).open(&path)?;
        file.set_len(4 * words as u64)?;
        // SAFETY: the file is this process's own; any bits are valid words.
        let map = unsafe { MmapMut::map_mut(&file) };
        std::fs::remove_file(&path)?;
        let mut plane = Self::File(map?);
        if word != 0 {
            plane.fill(word);
        }
        Ok(plane)
    }

    /// Waits until the words are in their file, if they have one.
    pub(super) fn flush(&self) -> io::Result<()> {
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
