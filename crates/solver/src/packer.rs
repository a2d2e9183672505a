use crownhead_table::Encoding;

use crate::{Entry, SolveError};

/// Bytes handed on at a time.
const BUFFER: usize = 1 << 16;

/// Turns entries into the bytes of a table section.
#[derive(Debug)]
pub(crate) struct Packer {
    encoding: Encoding,
    bytes: Vec<u8>,
    /// Codes of two bits that do not fill a byte yet.
    partial: u8,
    partial_codes: u32,
}

impl Packer {
    pub(crate) fn new(encoding: Encoding) -> Self {
        Self { encoding, bytes: Vec::with_capacity(BUFFER + 2), partial: 0, partial_codes: 0 }
    }

    /// Adds entries; hands whole buffers on.
    ///
    /// # Panics
    ///
    /// If an entry has no code in the encoding, which was chosen for the longest distance.
    pub(crate) fn add(
        &mut self,
        entries: &[Entry],
        sink: &mut ByteSink<'_>,
    ) -> Result<(), SolveError> {
        let has_plies = self.encoding.metric().has_plies();
        for entry in entries {
            let code = self.encoding.code(entry.outcome(has_plies));
            let code = code.unwrap_or_else(|| panic!("{entry:?} has no code in this table"));
            match self.encoding.bits() {
                2 => {
                    self.partial |= (code as u8) << (2 * self.partial_codes);
                    self.partial_codes += 1;
                    if self.partial_codes == 4 {
                        self.end_byte();
                    }
                }
                8 => self.bytes.push(code as u8),
                _ => self.bytes.extend_from_slice(&code.to_le_bytes()),
            }
            if self.bytes.len() >= BUFFER {
                sink(&self.bytes)?;
                self.bytes.clear();
            }
        }
        Ok(())
    }

    fn end_byte(&mut self) {
        self.bytes.push(core::mem::take(&mut self.partial));
        self.partial_codes = 0;
    }

    /// Hands the rest on; a last incomplete byte is filled up with zeros.
    pub(crate) fn finish(mut self, sink: &mut ByteSink<'_>) -> Result<(), SolveError> {
        if self.partial_codes > 0 {
            self.end_byte();
        }
        sink(&self.bytes)
    }
}

/// Takes consecutive bytes of a table section.
pub type ByteSink<'a> = dyn FnMut(&[u8]) -> Result<(), SolveError> + 'a;
