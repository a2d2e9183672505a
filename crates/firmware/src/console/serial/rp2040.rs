//! RP2040: UART0 on GPIO 0 (transmit) and 1 (receive), clocked by the 12 MHz crystal. Register
//! numbers from the RP2040 datasheet, sections 2.14, 2.15, 2.16, 2.19 and 4.2.

use super::Register;

/// The second stage of the boot: sets the flash chip up for fast reading.
#[unsafe(link_section = ".boot2")]
#[used]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

const XOSC: usize = 0x4002_4000;
const CLOCKS: usize = 0x4000_8000;
const RESETS: usize = 0x4000_c000;
const IO_BANK0: usize = 0x4001_4000;
const UART0: usize = 0x4003_4000;
/// Bits written here in a register's place are cleared in it.
const CLEAR: usize = 0x3000;

const UART_DATA: Register = Register(UART0);
const UART_FLAGS: Register = Register(UART0 + 0x18);

pub(super) fn start() {
    // The crystal: 1 to 15 MHz, a start-up delay of a millisecond, then on.
    Register(XOSC + 0x0c).write(47);
    Register(XOSC).write(0x00fa_baa0);
    while Register(XOSC + 0x04).read() & 1 << 31 == 0 {}
    // The reference clock, and with it the processor, and the peripherals' clock from it.
    Register(CLOCKS + 0x30).write(2);
    while Register(CLOCKS + 0x38).read() & 1 << 2 == 0 {}
    Register(CLOCKS + 0x48).write(1 << 11 | 4 << 5);
    // Pins, pads and UART0 out of reset.
    let parts = 1 << 5 | 1 << 8 | 1 << 22;
    Register(RESETS + CLEAR).write(parts);
    while Register(RESETS + 0x08).read() & parts != parts {}
    Register(IO_BANK0 + 0x04).write(2);
    Register(IO_BANK0 + 0x0c).write(2);
    // 12 MHz / (16 * 115,200) = 6 + 33/64; 8 bits with queues; on.
    Register(UART0 + 0x24).write(6);
    Register(UART0 + 0x28).write(33);
    Register(UART0 + 0x2c).write(0x70);
    Register(UART0 + 0x30).write(0x301);
}

pub(super) fn received() -> Option<u8> {
    let empty = UART_FLAGS.read() & 1 << 4 != 0;
    (!empty).then(|| UART_DATA.read() as u8)
}

pub(super) fn send(byte: u8) {
    while UART_FLAGS.read() & 1 << 5 != 0 {}
    UART_DATA.write(byte.into());
}
