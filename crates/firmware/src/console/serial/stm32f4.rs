//! STM32F407: USART2 on PA2 (transmit) and PA3 (receive), at the 16 MHz of reset. Register numbers
//! from the reference manual RM0090, sections 7, 8 and 30.

use super::Register;

const RCC: usize = 0x4002_3800;
const GPIOA: usize = 0x4002_0000;
const USART2: usize = 0x4000_4400;

const STATUS: Register = Register(USART2);
const DATA: Register = Register(USART2 + 0x04);

pub(super) fn start() {
    Register(RCC + 0x30).set(1);
    Register(RCC + 0x40).set(1 << 17);
    // Both pins to alternate function 7.
    let mode = Register(GPIOA);
    mode.write(mode.read() & !(0b1111 << 4) | 0b1010 << 4);
    let function = Register(GPIOA + 0x20);
    function.write(function.read() & !(0xff << 8) | 0x77 << 8);
    // 16 MHz / 115,200, and on.
    Register(USART2 + 0x08).write(139);
    Register(USART2 + 0x0c).write(1 << 13 | 1 << 3 | 1 << 2);
}

pub(super) fn received() -> Option<u8> {
    (STATUS.read() & 1 << 5 != 0).then(|| DATA.read() as u8)
}

pub(super) fn send(byte: u8) {
    while STATUS.read() & 1 << 7 == 0 {}
    DATA.write(byte.into());
}
