//! ESP32-C3: UART0 as the boot ROM leaves it. Register numbers from the technical reference manual,
//! chapters 9 (watchdogs), 12 and 26.

use super::Register;

const UART0: usize = 0x6000_0000;
const TIMER_GROUP0: usize = 0x6001_f000;
const RTC: usize = 0x6000_8000;

const QUEUE: Register = Register(UART0);
const STATUS: Register = Register(UART0 + 0x1c);
/// Bytes that the transmitter's queue takes.
const ROOM: u32 = 126;

/// The ROM leaves three watchdogs on, which would reset the board: each is unlocked and stopped.
pub(super) fn start() {
    Register(TIMER_GROUP0 + 0x64).write(0x50d8_3aa1);
    Register(TIMER_GROUP0 + 0x48).write(0);
    Register(RTC + 0xa8).write(0x50d8_3aa1);
    Register(RTC + 0x90).write(0);
    Register(RTC + 0xb0).write(0x8f1d_312a);
    Register(RTC + 0xac).set(1 << 31);
}

pub(super) fn received() -> Option<u8> {
    (STATUS.read() & 0x3ff != 0).then(|| QUEUE.read() as u8)
}

pub(super) fn send(byte: u8) {
    while STATUS.read() >> 16 & 0x3ff >= ROOM {}
    QUEUE.write(byte.into());
}
