use core::fmt::Write;

use crate::{Console, Ending};

/// Stack overflow, a wild address: says so and ends, like a panic. RISC-V's runtime stops for ever
/// instead, which the time limit of a run ends.
#[cortex_m_rt::exception]
unsafe fn HardFault(_frame: &cortex_m_rt::ExceptionFrame) -> ! {
    let mut console = Console::open();
    let _ = writeln!(console, "hard fault");
    console.end(Ending::Panic)
}
