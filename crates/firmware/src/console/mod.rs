//! Bytes in and out: semihosting where an emulator runs the program, else the serial line.

#[cfg(not(feature = "uart"))]
mod semihosting;
#[cfg(not(feature = "uart"))]
use self::semihosting as port;

#[cfg(feature = "uart")]
mod serial;
#[cfg(feature = "uart")]
use self::serial as port;

use core::fmt;

/// How a program ends; an emulator's exit status is the number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The input has ended.
    Done = 0,
    /// A check that the program makes has failed.
    Failed = 1,
    /// A fault of the program.
    Panic = 101,
}

/// End of transmission, Control-D: ends the input on lines that have no other end.
const END: u8 = 4;

/// The board's console.
pub struct Console {
    port: port::Port,
    ended: bool,
}

impl Console {
    /// The one console there is.
    pub fn open() -> Self {
        Self { port: port::Port::open(), ended: false }
    }

    /// The next byte, `None` after the end of the input.
    pub fn read(&mut self) -> Option<u8> {
        if self.ended {
            return None;
        }
        let byte = self.port.read().filter(|byte| *byte != END);
        self.ended = byte.is_none();
        byte
    }

    /// Shows a move on the board's lights, where it has any.
    pub fn show(&mut self, _text: fmt::Arguments<'_>) {
        #[cfg(feature = "microbit-board")]
        {
            let mut line = heapless::String::<32>::new();
            let _ = fmt::Write::write_fmt(&mut line, _text);
            self.port.show(&line);
        }
    }

    /// Ends the program: stops the emulator, or the board until it is reset.
    pub fn end(self, ending: Ending) -> ! {
        self.port.end(ending as i32)
    }
}

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.port.write(text.as_bytes());
        Ok(())
    }
}

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console").field("ended", &self.ended).finish_non_exhaustive()
    }
}
