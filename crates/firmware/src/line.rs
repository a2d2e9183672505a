use heapless::Vec;

use crate::Console;

/// The longest line that is read.
pub const LINE_BYTES: usize = 160;

/// What the console gave.
pub enum Line {
    /// A line without its end.
    Text(Vec<u8, LINE_BYTES>),
    /// A line of more than [`LINE_BYTES`] bytes, all of which are gone.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads up to the next line feed or carriage return; no line is empty.
pub fn read_line(console: &mut Console) -> Line {
    let mut text = Vec::new();
    let mut too_long = false;
    loop {
        match console.read() {
            // A terminal ends a line with a carriage return, a file with a line feed.
            Some(b'\n' | b'\r') | None if too_long => return Line::TooLong,
            Some(b'\n' | b'\r') | None if !text.is_empty() => return Line::Text(text),
            Some(b'\n' | b'\r') => {}
            None => return Line::End,
            Some(byte) => too_long |= text.push(byte).is_err(),
        }
    }
}
