use std::sync::atomic::{AtomicBool, Ordering};

use crate::SolveError;
use crate::stage::{Stage, Stages};

/// How a running build hears that it should stop, and says how far it is.
///
/// Shared by all threads of a build. A backend calls [`check`](Self::check) at least every few
/// tens of milliseconds of work, and [`advance`](Self::advance) as positions become final.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    stop: &'a AtomicBool,
    advance: &'a (dyn Fn(u64) + Sync),
    stages: Stages<'a>,
}

impl<'a> Control<'a> {
    /// Stops when the flag is set; calls the function with numbers of positions done.
    pub fn new(stop: &'a AtomicBool, advance: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self { stop, advance, stages: Stages::default() }
    }

    /// The same, telling of stages too.
    #[must_use]
    pub fn with_stages(self, stages: Stages<'a>) -> Self {
        Self { stages, ..self }
    }

    /// A point of this stage is reached.
    #[inline]
    pub fn reach(&self, stage: Stage) {
        self.stages.reach(stage);
    }

    /// Says that so many more positions of the material are done (both sides to move count).
    #[inline]
    pub fn advance(&self, positions: u64) {
        (self.advance)(positions);
    }

    /// The same, telling nobody how far it is.
    #[must_use]
    pub fn without_progress(&self) -> Self {
        Self { advance: &|_| {}, ..*self }
    }

    /// # Errors
    ///
    /// [`SolveError::Interrupted`] once the flag is set.
    #[inline]
    pub fn check(&self) -> Result<(), SolveError> {
        if self.stop.load(Ordering::Relaxed) { Err(SolveError::Interrupted) } else { Ok(()) }
    }
}

impl Default for Control<'static> {
    /// Never stops, tells nobody.
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self { stop: &NEVER, advance: &|_| {}, stages: Stages::default() }
    }
}

impl core::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Control").field("stop", self.stop).finish_non_exhaustive()
    }
}
