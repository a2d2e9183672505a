//! BBC micro:bit, version 1: the nRF51's serial port on P0.24 (transmit) and P0.25 (receive), which
//! the board's USB shows as a serial line; and its 25 light-emitting diodes, which show the last
//! move, sign after sign, while the line is waited for. Register numbers from the nRF51 reference
//! manual, sections 14 and 29; the matrix from the board's schematic.

use heapless::String;

use super::Register;

const UART: usize = 0x4000_2000;
const GPIO: usize = 0x5000_0000;

const RECEIVED: Register = Register(UART + 0x108);
const SENT: Register = Register(UART + 0x11c);
const OUT: Register = Register(GPIO + 0x504);

/// Pins of the matrix: nine columns from P0.4 on, lit when low, and three rows from P0.13 on.
const FIRST_COLUMN: u32 = 4;
const FIRST_ROW: u32 = 13;
const COLUMNS: u32 = 0x1ff << FIRST_COLUMN;
const PINS: u32 = COLUMNS | 0b111 << FIRST_ROW;

/// Matrix row and column of each light, as the eye sees them.
const LIGHTS: [[(u8, u8); 5]; 5] = [
    [(0, 0), (1, 3), (0, 1), (1, 4), (0, 2)],
    [(2, 3), (2, 4), (2, 5), (2, 6), (2, 7)],
    [(1, 1), (0, 8), (1, 2), (2, 8), (1, 0)],
    [(0, 7), (0, 6), (0, 5), (0, 4), (0, 3)],
    [(2, 2), (1, 6), (2, 0), (1, 5), (2, 1)],
];

/// Three columns by five rows, the top left bit highest: digits, then minus and cross.
const GLYPHS: [u16; 12] = [
    0b111_101_101_101_111,
    0b010_110_010_010_111,
    0b111_001_111_100_111,
    0b111_001_111_001_111,
    0b101_101_111_001_001,
    0b111_100_111_001_111,
    0b111_100_111_101_111,
    0b111_001_010_010_010,
    0b111_101_111_101_111,
    0b111_101_111_001_111,
    0b000_000_111_000_000,
    0b000_101_010_101_000,
];

/// How often the line is looked at while one matrix row is lit.
const LOOKS: u32 = 2000;
/// Matrix rows lit for each sign, and dark after it.
const SHOWN: u32 = 450;
const DARK: u32 = 90;

/// What is shown.
pub(super) struct Display {
    text: String<32>,
    step: u32,
}

impl Display {
    pub(super) const fn new() -> Self {
        Self { text: String::new(), step: 0 }
    }

    /// The text is shown from now on; what does not fit is left out.
    pub(super) fn show(&mut self, text: &str) {
        self.text.clear();
        self.step = 0;
        for sign in text.chars() {
            let _ = self.text.push(sign);
        }
    }

    /// Lights one row of the matrix for a moment, or until a byte has come.
    pub(super) fn idle(&mut self) {
        let row = self.step % 3;
        OUT.write(1 << (FIRST_ROW + row) | COLUMNS & !self.columns(row as u8));
        self.step += 1;
        if self.step >= (self.text.len() as u32 + 2) * (SHOWN + DARK) {
            self.step = 0;
        }
        for _ in 0..LOOKS {
            if RECEIVED.read() != 0 {
                return;
            }
        }
    }

    /// The pins of the columns that are lit in a row of the matrix.
    fn columns(&self, row: u8) -> u32 {
        let (sign, moment) = (self.step / (SHOWN + DARK), self.step % (SHOWN + DARK));
        let glyph = match self.text.as_bytes().get(sign as usize) {
            Some(digit @ b'0'..=b'9') => GLYPHS[usize::from(digit - b'0')],
            Some(b'-') => GLYPHS[10],
            Some(b'x') => GLYPHS[11],
            _ => return 0,
        };
        if moment >= SHOWN {
            return 0;
        }
        let mut pins = 0;
        for (y, lights) in LIGHTS.iter().enumerate() {
            for (x, &(at, column)) in lights[1..4].iter().enumerate() {
                if at == row && glyph >> (14 - 3 * y - x) & 1 != 0 {
                    pins |= 1 << (FIRST_COLUMN + u32::from(column));
                }
            }
        }
        pins
    }
}

pub(super) fn start() {
    Register(GPIO + 0x518).write(PINS | 1 << 24);
    OUT.write(COLUMNS | 1 << 24);
    // Pins, 115,200 baud, on, and both directions started.
    Register(UART + 0x50c).write(24);
    Register(UART + 0x514).write(25);
    Register(UART + 0x524).write(0x01d7_e000);
    Register(UART + 0x500).write(4);
    Register(UART).write(1);
    Register(UART + 0x08).write(1);
}

pub(super) fn received() -> Option<u8> {
    if RECEIVED.read() == 0 {
        return None;
    }
    RECEIVED.write(0);
    Some(Register(UART + 0x518).read() as u8)
}

pub(super) fn send(byte: u8) {
    SENT.write(0);
    Register(UART + 0x51c).write(byte.into());
    while SENT.read() == 0 {}
}
