//! The eight lines.

/// The eight lines as sets of cells (bit i is cell i + 1): three rows, three columns, two diagonals.
#[doc = include_str!("../docs/lines.txt")]
pub const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// Whether a set of marks holds a whole line.
///
/// ```
/// use crownhead_tictactoe::completes_line;
///
/// assert!(completes_line(0b100_010_011));
/// assert!(!completes_line(0b110_010_000));
/// ```
#[must_use]
pub const fn completes_line(marks: u16) -> bool {
    let mut line = 0;
    while line < LINES.len() {
        if marks & LINES[line] == LINES[line] {
            return true;
        }
        line += 1;
    }
    false
}
