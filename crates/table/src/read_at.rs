use core::fmt;

/// Bytes that can be read at any offset: a slice in flash, a file, a memory map, a callback.
///
/// Reading has no position of its own and takes `&self`, so that threads can share a source.
pub trait ReadAt {
    /// Why bytes could not be read.
    type Error;

    /// The number of bytes there are.
    ///
    /// # Errors
    ///
    /// Those of the source.
    fn size(&self) -> Result<u64, Self::Error>;

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    ///
    /// When not all of them can be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Self::Error>;
}

/// A read beyond the end of the bytes that there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PastEnd;

impl fmt::Display for PastEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("read past the end")
    }
}

impl core::error::Error for PastEnd {}

/// Copies bytes out of a slice.
#[inline]
fn copy_from(bytes: &[u8], offset: u64, buffer: &mut [u8]) -> Result<(), PastEnd> {
    let start = usize::try_from(offset).map_err(|_| PastEnd)?;
    let end = start.checked_add(buffer.len()).ok_or(PastEnd)?;
    buffer.copy_from_slice(bytes.get(start..end).ok_or(PastEnd)?);
    Ok(())
}

impl ReadAt for [u8] {
    type Error = PastEnd;

    fn size(&self) -> Result<u64, PastEnd> {
        Ok(self.len() as u64)
    }

    #[inline]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), PastEnd> {
        copy_from(self, offset, buffer)
    }
}

impl<T: ReadAt + ?Sized> ReadAt for &T {
    type Error = T::Error;

    fn size(&self) -> Result<u64, Self::Error> {
        (**self).size()
    }

    #[inline]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Self::Error> {
        (**self).read_at(offset, buffer)
    }
}

/// A callback as a source: `read(offset, buffer)` fills the buffer.
///
/// ```
/// use crownhead_table::{ReadAt, ReadFn};
/// let source = ReadFn::new(10, |offset, buffer: &mut [u8]| {
///     buffer.fill(offset as u8);
///     Ok::<(), &str>(())
/// });
/// let mut two = [0; 2];
/// source.read_at(7, &mut two).unwrap();
/// assert_eq!(two, [7, 7]);
/// ```
#[derive(Clone, Copy)]
pub struct ReadFn<F> {
    size: u64,
    read: F,
}

impl<F, E> ReadFn<F>
where
    F: Fn(u64, &mut [u8]) -> Result<(), E>,
{
    /// A source of so many bytes.
    pub const fn new(size: u64, read: F) -> Self {
        Self { size, read }
    }
}

impl<F, E> ReadAt for ReadFn<F>
where
    F: Fn(u64, &mut [u8]) -> Result<(), E>,
{
    type Error = E;

    fn size(&self) -> Result<u64, E> {
        Ok(self.size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), E> {
        (self.read)(offset, buffer)
    }
}

impl<F> fmt::Debug for ReadFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadFn").field("size", &self.size).finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl ReadAt for std::fs::File {
    type Error = std::io::Error;

    fn size(&self) -> std::io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> std::io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, buffer, offset)? {
                0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                n => {
                    buffer = &mut buffer[n..];
                    offset += n as u64;
                }
            }
        }
        Ok(())
    }
}
