//! How deep the stack has been: memory below it is painted, and later the paint is looked for.

use core::hint::black_box;
use core::ptr::addr_of;

/// What free memory is painted with.
const PAINT: u32 = 0xa5a5_a5a5;
/// Where there is a lot of memory, this much below the top is enough to paint.
const MOST_BYTES: usize = 32 * 1024;
/// The painting's own frame is left out.
const MARGIN: usize = 256;

// Defined by the linker script; only their addresses mean anything.
unsafe extern "C" {
    #[cfg_attr(feature = "riscv", link_name = "__eheap")]
    static _stack_end: u32;
    static _stack_start: u32;
}

fn top() -> usize {
    addr_of!(_stack_start) as usize
}

/// The lowest address that is painted.
fn bottom() -> usize {
    (addr_of!(_stack_end) as usize).max(top().saturating_sub(MOST_BYTES))
}

/// An address in the caller's frame, nearly.
#[inline(never)]
fn here() -> usize {
    let marker = 0_u32;
    black_box(addr_of!(marker)) as usize
}

/// Paints what lies below the stack in use.
#[inline(never)]
pub fn paint() {
    let mut at = bottom();
    let end = here().saturating_sub(MARGIN) & !3;
    while at < end {
        // SAFETY: between the end of the static variables and the stack in use there is memory
        // that nothing refers to; addresses are multiples of 4.
        unsafe { (at as *mut u32).write_volatile(PAINT) };
        at += 4;
    }
}

/// The most bytes of stack that were in use since [`paint`].
#[inline(never)]
pub fn deepest() -> usize {
    let mut at = bottom();
    // SAFETY: as in `paint`, and reading goes no further than the stack in use.
    while at < here() && unsafe { (at as *const u32).read_volatile() } == PAINT {
        at += 4;
    }
    top() - at
}

/// The most bytes of stack that `work` takes below its caller, at the least the painting's margin.
pub fn depth_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    paint();
    let before = top() - here();
    let result = work();
    (result, deepest().saturating_sub(before))
}
