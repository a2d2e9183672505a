use crate::ReadAt;

/// A part of a source that begins somewhere, read as little-endian words and as a string of bits
/// (bit `i` is bit `i % 8` of byte `i / 8`).
#[derive(Debug)]
pub(super) struct Part<'a, R: ?Sized> {
    pub(super) source: &'a R,
    pub(super) start: u32,
}

impl<R: ReadAt + ?Sized> Part<'_, R> {
    /// The word at this byte of the part.
    #[inline]
    pub(super) fn word(&self, at: u32) -> Result<u32, R::Error> {
        let mut bytes = [0; 4];
        self.source.read_at(u64::from(self.start) + u64::from(at), &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// At most 25 bits from this bit of the part on. Up to 3 bytes behind them are
    /// read, too.
    #[inline]
    pub(super) fn bits(&self, at: u32, count: u32) -> Result<u32, R::Error> {
        Ok(self.word(at / 8)? >> (at % 8) & ((1 << count) - 1))
    }
}
