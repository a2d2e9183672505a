use std::fs::File;
use std::io;

use memmap2::Mmap;

use crate::{PastEnd, ReadAt};

/// A file mapped into memory, read only.
#[derive(Debug)]
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a whole file.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn new(file: &File) -> io::Result<Self> {
        // SAFETY: table files never change under their names: the writer fills another file and
        // renames it over. Should somebody else change the file all the same, the reader, which
        // trusts no byte, sees other bytes; one that somebody else cuts ends the process with
        // SIGBUS.
        #[expect(unsafe_code, reason = "mapping is unsafe; measured against pread in the benches")]
        let map = unsafe { Mmap::map(file)? };
        // Probes jump about: reading ahead would be for nothing. A hint, so its failure is no error.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        Ok(Self(map))
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl ReadAt for MappedFile {
    type Error = PastEnd;

    fn size(&self) -> Result<u64, PastEnd> {
        Ok(self.0.len() as u64)
    }

    #[inline]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), PastEnd> {
        self.0.read_at(offset, buffer)
    }
}
