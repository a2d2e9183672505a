use core::panic::PanicInfo;

use crate::{Console, Ending};

/// A panic is a fault of the program: it says so and ends at once.
#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    use core::fmt::Write;
    let mut console = Console::open();
    let _ = match info.location() {
        Some(place) => writeln!(console, "panic at {}:{}", place.file(), place.line()),
        None => writeln!(console, "panic"),
    };
    console.end(Ending::Panic)
}
