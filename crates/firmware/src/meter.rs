//! Instruction counts.
//!
//! Emulated with `-icount shift=0`, one instruction takes one nanosecond of the machine's time.
//! RISC-V counts instructions itself; on Cortex-M the system timer is read, and a loop of known
//! length tells how many instructions one of its ticks stands for.

/// Counts instructions from [`start`](Meter::start) on.
#[derive(Debug)]
pub struct Meter {
    /// Instructions a tick, times 256.
    ratio: u32,
    from: u32,
}

#[cfg(feature = "cortex-m")]
mod counter {
    use cortex_m::peripheral::SYST;
    use cortex_m::peripheral::syst::SystClkSource;

    const MASK: u32 = 0x00ff_ffff;
    /// The loop that the timer is compared with, and its instructions.
    const TURNS: u32 = 100_000;
    const INSTRUCTIONS: u32 = 2 * TURNS;

    /// Starts the timer; returns instructions a tick, times 256.
    pub(super) fn start() -> u32 {
        // SAFETY: nothing else in these programs uses the core's peripherals.
        let mut timer: SYST = unsafe { cortex_m::Peripherals::steal() }.SYST;
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(MASK);
        timer.clear_current();
        timer.enable_counter();
        let before = now();
        // SAFETY: counts a register down to zero and touches nothing else.
        unsafe {
            core::arch::asm!("2:", "subs {n}, {n}, #1", "bne 2b", n = inout(reg) TURNS => _);
        }
        let ticks = since(before).max(1);
        (INSTRUCTIONS << 8) / ticks
    }

    pub(super) fn now() -> u32 {
        SYST::get_current()
    }

    /// The timer counts down, in 24 bits.
    pub(super) fn since(before: u32) -> u32 {
        before.wrapping_sub(now()) & MASK
    }
}

#[cfg(feature = "riscv")]
mod counter {
    pub(super) fn start() -> u32 {
        256
    }

    pub(super) fn now() -> u32 {
        let count: u32;
        // SAFETY: reads a counter, which programs in machine mode may.
        unsafe { core::arch::asm!("csrr {count}, minstret", count = out(reg) count) };
        count
    }

    pub(super) fn since(before: u32) -> u32 {
        now().wrapping_sub(before)
    }
}

impl Meter {
    /// A meter at zero.
    pub fn start() -> Self {
        let ratio = counter::start();
        Self { ratio, from: counter::now() }
    }

    /// Back to zero.
    pub fn reset(&mut self) {
        self.from = counter::now();
    }

    /// Instructions since the last reset, at most some 500 million.
    pub fn instructions(&self) -> u32 {
        let ticks = counter::since(self.from);
        ((u64::from(ticks) * u64::from(self.ratio)) >> 8) as u32
    }
}

/// Mean and worst of instruction counts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    count: u32,
    /// In thousands and units below, so that no 64-bit division is needed.
    thousands: u32,
    units: u32,
    worst: u32,
}

impl Tally {
    /// Takes one more count in.
    pub fn add(&mut self, instructions: u32) {
        self.count += 1;
        self.units += instructions % 1000;
        self.thousands += instructions / 1000 + self.units / 1000;
        self.units %= 1000;
        self.worst = self.worst.max(instructions);
    }

    /// How many counts there were.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The mean, rounded down to what the remainder of thousands gives.
    pub const fn mean(&self) -> u32 {
        if self.count == 0 {
            return 0;
        }
        let rest = (self.thousands % self.count) * 1000 + self.units;
        self.thousands / self.count * 1000 + rest / self.count
    }

    /// The largest.
    pub const fn worst(&self) -> u32 {
        self.worst
    }
}
