use core::fmt;

use crownhead_rules::{Outcome, Position, Prober, Value};
use crownhead_table::PastEnd;
use crownhead_table::compact::{CompactError, CompactOpenError, CompactTable};
use crownhead_table::embedded::IMAGE_3;
#[cfg(not(feature = "image-apart"))]
use crownhead_table::embedded::IMAGE_5;

/// Why an image cannot be used.
pub type ImageFault = CompactOpenError<PastEnd>;
/// Why a position has no answer.
pub type ProbeFault = CompactError<PastEnd>;

type Image = CompactTable<&'static [u8]>;

/// The two images in flash: values to 5 pieces or, in an image apart from the program, as many as that
/// has; and to 3 pieces distances too.
pub struct Images {
    near: Image,
    far: Image,
    lookups: u32,
}

/// Checks both images, byte by byte, and opens them.
///
/// # Errors
///
/// When one is damaged.
pub fn open_images() -> Result<Images, ImageFault> {
    let [near, far] = [CompactTable::open(IMAGE_3)?, CompactTable::open(far_image())?];
    Ok(Images { near, far, lookups: u32::MAX })
}

/// The large image, a part of the program.
#[cfg(not(feature = "image-apart"))]
fn far_image() -> &'static [u8] {
    IMAGE_5
}

/// The large image in the board's other flash, read in place.
#[cfg(feature = "image-apart")]
fn far_image() -> &'static [u8] {
    use core::ptr::addr_of;
    // Defined by the linker script; only their addresses mean anything.
    unsafe extern "C" {
        static _image_start: u8;
        static _image_end: u8;
    }
    let start = addr_of!(_image_start);
    let room = addr_of!(_image_end) as usize - start as usize;
    // SAFETY: the linker script names memory that is there, is flash, and never changes.
    let flash = unsafe { core::slice::from_raw_parts(start, room) };
    // The header says how long the image is. If it is damaged, opening tells.
    let length = u32::from_le_bytes([flash[20], flash[21], flash[22], flash[23]]);
    &flash[..room.min(length as usize)]
}

impl Images {
    /// Makes every later probe give up after so many look-ups.
    pub fn limit_lookups(&mut self, lookups: u32) {
        self.lookups = lookups;
    }

    /// The value alone, from the large image.
    ///
    /// # Errors
    ///
    /// As for [`probe`](Prober::probe).
    pub fn value(&self, position: &Position) -> Result<Value, ProbeFault> {
        self.far.value_within(position, self.lookups).map(|(value, _)| value)
    }
}

impl Prober for Images {
    type Error = ProbeFault;

    fn max_pieces(&self) -> u32 {
        self.far.max_pieces()
    }

    fn probe(&self, position: &Position) -> Result<Outcome, ProbeFault> {
        if position.occupied().len() <= self.near.max_pieces() {
            self.near.probe(position)
        } else {
            Ok(Outcome { value: self.value(position)?, plies: None })
        }
    }
}

impl fmt::Debug for Images {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Images").field("lookups", &self.lookups).finish_non_exhaustive()
    }
}
