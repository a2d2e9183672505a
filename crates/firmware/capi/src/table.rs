//! Images, in memory or behind a callback.

use core::ffi::c_void;
use core::mem::{align_of, size_of};

use crownhead_rules::{Outcome, Position, Prober};
use crownhead_table::ReadAt;
use crownhead_table::compact::{CompactError, CompactOpenError, CompactTable};

use crate::convert::{COutcome, CPosition, position};
use crate::status::{CStatus, Status};

/// `crownhead_read`.
pub type CRead = Option<
    unsafe extern "C" fn(context: *mut c_void, offset: u32, buffer: *mut u8, size: usize) -> i32,
>;

/// `crownhead_table`.
#[repr(C)]
pub struct CTable {
    opaque: [u64; 96],
}

const _: () = assert!(size_of::<CTable>() == 768);
const _: () = assert!(size_of::<Table>() <= size_of::<CTable>());
const _: () = assert!(align_of::<Table>() <= align_of::<CTable>());

/// What is in a [`CTable`].
pub(crate) struct Table(CompactTable<Source>);

enum Source {
    Memory {
        start: *const u8,
        size: usize,
    },
    Callback {
        read: unsafe extern "C" fn(*mut c_void, u32, *mut u8, usize) -> i32,
        context: *mut c_void,
        size: u32,
    },
}

/// A source that could not be read.
pub(crate) struct ReadFailed;

impl ReadAt for Source {
    type Error = ReadFailed;

    fn size(&self) -> Result<u64, ReadFailed> {
        Ok(match *self {
            Self::Memory { size, .. } => size as u64,
            Self::Callback { size, .. } => u64::from(size),
        })
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), ReadFailed> {
        match *self {
            Self::Memory { start, size } => {
                // SAFETY: who opened the image keeps so many bytes there and unchanged.
                let bytes = unsafe { core::slice::from_raw_parts(start, size) };
                bytes.read_at(offset, buffer).map_err(|_| ReadFailed)
            }
            Self::Callback { read, context, size } => {
                let offset = u32::try_from(offset).map_err(|_| ReadFailed)?;
                let end = offset.checked_add(buffer.len() as u32).ok_or(ReadFailed)?;
                if end > size {
                    return Err(ReadFailed);
                }
                // SAFETY: the callback is the caller's, called as it is documented.
                let status = unsafe { read(context, offset, buffer.as_mut_ptr(), buffer.len()) };
                if status == 0 { Ok(()) } else { Err(ReadFailed) }
            }
        }
    }
}

impl Table {
    /// The value, and the plies where the image has them, within so many look-ups.
    fn outcome(&self, position: &Position, lookups: u32) -> Result<Outcome, Status> {
        if lookups != u32::MAX {
            let (value, _) = self.0.value_within(position, lookups).map_err(status)?;
            return Ok(Outcome { value, plies: None });
        }
        self.0.probe(position).map_err(status)
    }
}

impl Prober for Table {
    type Error = Status;

    fn max_pieces(&self) -> u32 {
        self.0.max_pieces()
    }

    fn probe(&self, position: &Position) -> Result<Outcome, Status> {
        self.outcome(position, u32::MAX)
    }
}

fn status(error: CompactError<ReadFailed>) -> Status {
    match error {
        CompactError::Read(ReadFailed) => Status::ReadFailed,
        CompactError::Illegal => Status::IllegalPosition,
        CompactError::TooManyPieces { .. } => Status::TooManyPieces,
        CompactError::OutOfLookups => Status::OutOfLookups,
        CompactError::Damaged => Status::BadImage,
    }
}

/// The library's table in the caller's.
///
/// # Safety
///
/// The pointer is null or to a table that was opened.
pub(crate) unsafe fn table<'a>(from: *const CTable) -> Result<&'a Table, Status> {
    // SAFETY: as the caller says; the sizes are compared above.
    unsafe { from.cast::<Table>().as_ref() }.ok_or(Status::Null)
}

/// Opens a source into the caller's table.
///
/// # Safety
///
/// The pointer is valid for writing.
unsafe fn open(to: *mut CTable, source: Source) -> Status {
    match CompactTable::open(source) {
        Ok(table) => {
            // SAFETY: valid as the caller says; the sizes are compared above.
            unsafe { to.cast::<Table>().write(Table(table)) };
            Status::Ok
        }
        Err(CompactOpenError::Read(ReadFailed)) => Status::ReadFailed,
        Err(CompactOpenError::Image(_)) => Status::BadImage,
    }
}

/// Opens an image in memory.
///
/// # Safety
///
/// `to` is null or valid for writing; `image` is null or points to `size` bytes that stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_open_memory(
    to: *mut CTable,
    image: *const u8,
    size: usize,
) -> CStatus {
    if to.is_null() || image.is_null() {
        return Status::Null.code();
    }
    // SAFETY: not null, and valid as the caller says.
    unsafe { open(to, Source::Memory { start: image, size }) }.code()
}

/// Opens an image behind a callback.
///
/// # Safety
///
/// `to` is null or valid for writing; `read` is null or fills the buffer it is given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_open_callback(
    to: *mut CTable,
    read: CRead,
    context: *mut c_void,
    size: u32,
) -> CStatus {
    let Some(read) = read.filter(|_| !to.is_null()) else { return Status::Null.code() };
    // SAFETY: not null, and valid as the caller says.
    unsafe { open(to, Source::Callback { read, context, size }) }.code()
}

/// The value of a position.
///
/// # Safety
///
/// All pointers are null or valid, `outcome` for writing; the table was opened.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_probe(
    from: *const CTable,
    at: *const CPosition,
    lookups: u32,
    outcome: *mut COutcome,
) -> CStatus {
    if outcome.is_null() {
        return Status::Null.code();
    }
    // SAFETY: null or valid, as the caller says.
    let found = unsafe { table(from) }
        // SAFETY: null or valid, as the caller says.
        .and_then(|table| table.outcome(&unsafe { position(at) }?, lookups));
    match found {
        Ok(found) => {
            // SAFETY: not null, and valid as the caller says.
            unsafe { outcome.write(found.into()) };
            Status::Ok.code()
        }
        Err(status) => status.code(),
    }
}
