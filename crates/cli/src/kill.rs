//! A test's way to end a build at a chosen point as `kill -9` would: `CROWNHEAD_KILL_AT=write:17`
//! kills the process at the 17th point of the stage. A build that comes to its end says on standard
//! error how many points each stage had.

#[cfg(unix)]
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, anyhow};
use crownhead_solver::Stage;

use crate::status::Failure;

/// The environment variable; no option, since it is of no use but for tests.
const VARIABLE: &str = "CROWNHEAD_KILL_AT";

/// Counts the points of each stage up to the fatal one.
pub(crate) struct KillAt {
    stage: Stage,
    nth: u64,
    counts: [AtomicU64; Stage::ALL.len()],
}

impl KillAt {
    /// What the environment asks for, if it does.
    pub(crate) fn from_environment() -> Result<Option<Self>, Failure> {
        let Ok(text) = std::env::var(VARIABLE) else { return Ok(None) };
        let parse = || {
            let (name, nth) = text.split_once(':')?;
            let stage = Stage::ALL.into_iter().find(|stage| stage.name() == name)?;
            Some(Self { stage, nth: nth.parse().ok()?, counts: Default::default() })
        };
        let wrong = || anyhow!("'{text}': expected a stage and a number, such as write:17");
        parse().ok_or_else(wrong).context(VARIABLE).map(Some).map_err(Failure::bad_input)
    }

    /// A point of this stage is reached.
    pub(crate) fn reach(&self, stage: Stage) {
        let before = self.counts[stage as usize].fetch_add(1, Ordering::Relaxed);
        if stage == self.stage && before + 1 == self.nth {
            kill();
        }
    }

    /// Says how many points there were.
    pub(crate) fn report(&self) {
        let count = |stage: Stage| self.counts[stage as usize].load(Ordering::Relaxed);
        let counts = Stage::ALL.map(|stage| format!("{} {}", stage.name(), count(stage)));
        eprintln!("stages: {}", counts.join(" "));
    }
}

/// Ends this process from outside, with a signal that nothing can catch. Meanwhile this thread
/// stands still and the others go on.
#[cfg(unix)]
fn kill() -> ! {
    let _ = Command::new("sh").args(["-c", "kill -9 $PPID"]).stdout(Stdio::null()).status();
    std::process::abort()
}

#[cfg(not(unix))]
fn kill() -> ! {
    std::process::abort()
}
