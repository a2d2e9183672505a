use core::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crownhead_index::Material;
use crownhead_table::Metric;

use crate::PackError;

/// How a running job hears that it should stop, and says how far it is.
pub struct Watch<'a> {
    stop: &'a AtomicBool,
    advance: &'a (dyn Fn(u64) + Sync),
}

impl<'a> Watch<'a> {
    /// How often each position is worked on by packing: what `advance` is told adds up to this
    /// many times the number of positions (unpacking works once on each).
    pub const fn passes(metric: Metric) -> u64 {
        match metric {
            Metric::Wld => 6,
            _ => 7,
        }
    }

    /// Stops when the flag is set; calls the function with pieces of work done.
    pub fn new(stop: &'a AtomicBool, advance: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self { stop, advance }
    }

    pub(crate) fn check(&self) -> Result<(), PackError> {
        if self.stop.load(Ordering::Relaxed) { Err(PackError::Interrupted) } else { Ok(()) }
    }

    /// Says that so many passes over all positions of a material are done.
    pub(crate) fn advance(&self, material: Material, passes: u64) {
        (self.advance)(passes * material.positions::<u64>().unwrap_or(0));
    }
}

impl Default for Watch<'static> {
    /// Never stops, tells nobody.
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self { stop: &NEVER, advance: &|_| {} }
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("stop", self.stop).finish_non_exhaustive()
    }
}
