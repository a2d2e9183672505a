//! What the programs share: console, lines, images, stack and instruction counts.
//!
//! One source serves all boards. They differ in the memory map (`memory/`), the entry (the runtime
//! crate of the processor family) and the console (`console`); a cargo feature chooses the board.

#![no_std]

mod console;
mod images;
mod line;
mod meter;
mod panic;
mod random;
pub mod stack;
#[cfg(feature = "cortex-m")]
mod trap;

pub use console::{Console, Ending};
pub use images::{ImageFault, Images, ProbeFault, open_images};
pub use line::{LINE_BYTES, Line, read_line};
pub use meter::{Meter, Tally};
pub use random::Random;

#[doc(hidden)]
pub mod runtime {
    #[cfg(feature = "cortex-m")]
    pub use cortex_m_rt::entry;
    #[cfg(feature = "riscv")]
    pub use riscv_rt::entry;
}

/// Makes `fn run(&mut Console) -> Ending` the program: entered after reset, its ending reported to
/// the emulator.
#[macro_export]
macro_rules! program {
    ($run:path) => {
        #[$crate::runtime::entry]
        fn main() -> ! {
            $crate::stack::paint();
            let mut console = $crate::Console::open();
            let ending = $run(&mut console);
            console.end(ending)
        }
    };
}
