//! Positions and moves as text.

use core::fmt::{self, Write};

use crate::convert::{CMove, CPosition, position};
use crate::status::{CStatus, Status};

/// `CROWNHEAD_FEN_BYTES`: turn, two lists, at most 32 items of `K`, two digits and a comma.
pub const FEN_BYTES: usize = 136;
/// `CROWNHEAD_MOVE_BYTES`: ten squares of two digits, nine signs between, and the zero.
pub const MOVE_BYTES: usize = 32;

const _: () = assert!("W:W:B".len() + 32 * "K32,".len() < FEN_BYTES);
const _: () = assert!(10 * 2 + 9 < MOVE_BYTES);

/// Text in the caller's room.
struct Room<'a> {
    bytes: &'a mut [u8],
    used: usize,
}

impl Write for Room<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.used + text.len();
        let room = self.bytes.get_mut(self.used..end).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.used = end;
        Ok(())
    }
}

/// Writes what `text` writes, and a zero.
///
/// # Safety
///
/// `buffer` is null or points to `size` bytes.
unsafe fn write(
    buffer: *mut u8,
    size: usize,
    text: impl FnOnce(&mut Room<'_>) -> fmt::Result,
) -> Status {
    if buffer.is_null() {
        return Status::Null;
    }
    // SAFETY: not null, and the caller's for so many bytes. They are set before they are lent, as
    // C may not have set them.
    let bytes = unsafe {
        buffer.write_bytes(0, size);
        core::slice::from_raw_parts_mut(buffer, size)
    };
    let mut room = Room { bytes, used: 0 };
    match text(&mut room).and_then(|()| room.write_str("\0")) {
        Ok(()) => Status::Ok,
        Err(fmt::Error) => Status::TooSmall,
    }
}

/// Writes the position's FEN.
///
/// # Safety
///
/// `from` is null or valid; `buffer` is null or points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_write_fen(
    from: *const CPosition,
    buffer: *mut u8,
    size: usize,
) -> CStatus {
    // SAFETY: null or valid, as the caller says.
    match unsafe { position(from) } {
        // SAFETY: as the caller says.
        Ok(position) => unsafe { write(buffer, size, |room| write!(room, "{position}")) }.code(),
        Err(status) => status.code(),
    }
}

/// Writes the move.
///
/// # Safety
///
/// `m` is null or valid; `buffer` is null or points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_write_move(
    m: *const CMove,
    buffer: *mut u8,
    size: usize,
) -> CStatus {
    // SAFETY: null or valid, as the caller says.
    let Some(m) = (unsafe { m.as_ref() }) else { return Status::Null.code() };
    let Some(path) = m.path.get(..usize::from(m.length)) else {
        return Status::IllegalMove.code();
    };
    let sign = if m.captured == 0 { '-' } else { 'x' };
    let text = |room: &mut Room<'_>| {
        for (i, square) in path.iter().enumerate() {
            if i > 0 {
                room.write_char(sign)?;
            }
            write!(room, "{square}")?;
        }
        Ok(())
    };
    // SAFETY: as the caller says.
    unsafe { write(buffer, size, text) }.code()
}
