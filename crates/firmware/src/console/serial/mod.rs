//! The board's serial line: 115,200 baud, 8 data bits, no parity, 1 stop bit.

#[cfg(feature = "esp32c3")]
mod esp32c3;
#[cfg(feature = "esp32c3")]
use esp32c3 as device;

#[cfg(feature = "microbit-board")]
mod nrf51;
#[cfg(feature = "microbit-board")]
use nrf51 as device;

#[cfg(feature = "rp2040")]
mod rp2040;
#[cfg(feature = "rp2040")]
use rp2040 as device;

#[cfg(feature = "stm32f4discovery")]
mod stm32f4;
#[cfg(feature = "stm32f4discovery")]
use stm32f4 as device;

/// The line, set up.
pub(super) struct Port {
    #[cfg(feature = "microbit-board")]
    display: device::Display,
}

impl Port {
    pub(super) fn open() -> Self {
        device::start();
        Self {
            #[cfg(feature = "microbit-board")]
            display: device::Display::new(),
        }
    }

    /// Waits for the next byte; the line has no end.
    pub(super) fn read(&mut self) -> Option<u8> {
        loop {
            if let Some(byte) = device::received() {
                return Some(byte);
            }
            #[cfg(feature = "microbit-board")]
            self.display.idle();
        }
    }

    /// Shows a move, where the board can.
    #[cfg(feature = "microbit-board")]
    pub(super) fn show(&mut self, text: &str) {
        self.display.show(text);
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            // Terminals want a carriage return too.
            if byte == b'\n' {
                device::send(b'\r');
            }
            device::send(byte);
        }
    }

    /// There is nobody to report to: the board waits for its reset.
    pub(super) fn end(self, _status: i32) -> ! {
        loop {
            core::hint::spin_loop();
        }
    }
}

/// A register of the device at a fixed address.
#[derive(Clone, Copy)]
pub(super) struct Register(pub(super) usize);

impl Register {
    pub(super) fn read(self) -> u32 {
        // SAFETY: the address is that of a register of this board, by its manual.
        unsafe { (self.0 as *const u32).read_volatile() }
    }

    pub(super) fn write(self, value: u32) {
        // SAFETY: as in `read`; nothing else in these programs uses the device.
        unsafe { (self.0 as *mut u32).write_volatile(value) }
    }

    /// Reads, sets bits and writes back; not all devices need it.
    #[allow(dead_code)]
    pub(super) fn set(self, bits: u32) {
        self.write(self.read() | bits);
    }
}
