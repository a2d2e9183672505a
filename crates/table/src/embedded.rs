//! Packed images in the program itself: perfect play with nothing to load.
//!
//! Each is there with the feature of its name. They are made by
//! `cargo xtask pack --pieces 4 crates/table/images/4.img` and the like (the one of 3 pieces with
//! `--metric dtw`), which tests repeat byte for byte.

use crate::compact::CompactTable;

/// All 199,520 positions with 2 and 3 pieces: values and distances.
#[cfg(feature = "embedded-3")]
pub static IMAGE_3: &[u8] = include_bytes!("../images/3.img");

/// All 6,408,836 positions with 2 to 4 pieces: values.
#[cfg(feature = "embedded-4")]
pub static IMAGE_4: &[u8] = include_bytes!("../images/4.img");

/// All 145,859,644 positions with 2 to 5 pieces: values.
#[cfg(feature = "embedded-5")]
pub static IMAGE_5: &[u8] = include_bytes!("../images/5.img");

/// The embedded image with most pieces.
#[cfg(feature = "embedded-5")]
pub static IMAGE: &[u8] = IMAGE_5;
/// The embedded image with most pieces.
#[cfg(all(feature = "embedded-4", not(feature = "embedded-5")))]
pub static IMAGE: &[u8] = IMAGE_4;
/// The embedded image with most pieces.
#[cfg(all(feature = "embedded-3", not(any(feature = "embedded-4", feature = "embedded-5"))))]
pub static IMAGE: &[u8] = IMAGE_3;

/// A reader of the embedded image with most pieces.
///
/// ```
/// use crownhead_rules::{Position, Value};
/// let table = crownhead_table::embedded::table();
/// let position: Position = "W:WK14,K15:BK25".parse()?;
/// assert_eq!(table.value(&position)?, Value::Win);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn table() -> CompactTable<&'static [u8]> {
    match CompactTable::open(IMAGE) {
        Ok(table) => table,
        Err(_) => unreachable!("the images are tested"),
    }
}
