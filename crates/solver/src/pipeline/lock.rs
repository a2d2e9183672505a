//! Locks on a directory of tables, held by an open file and so never left behind by a killed build.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use crate::SolveError;

/// How much of the directory a build claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// Builds whatever is missing: waits for all others.
    Whole,
    /// Builds single materials: any number of such builds run side by side.
    Part,
}

/// A lock that lasts as long as this value.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "the lock lasts while the file is open")] File);

impl Lock {
    /// Takes a lock through this file of the directory, calling `waiting` if another process has
    /// it.
    pub(super) fn take(
        directory: &Path,
        name: &str,
        claim: Claim,
        waiting: impl FnOnce(),
    ) -> Result<Self, SolveError> {
        let path = directory.join(name);
        let fail = |source| SolveError::Io { path: path.clone(), action: "cannot lock", source };
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(fail)?;
        let now = match claim {
            Claim::Whole => file.try_lock(),
            Claim::Part => file.try_lock_shared(),
        };
        match now {
            Ok(()) => return Ok(Self(file)),
            // Some network file systems have no locks. Finished tables are safe without.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(Self(file));
            }
            Err(TryLockError::Error(error)) => return Err(fail(error)),
            Err(TryLockError::WouldBlock) => waiting(),
        }
        match claim {
            Claim::Whole => file.lock(),
            Claim::Part => file.lock_shared(),
        }
        .map_err(fail)?;
        Ok(Self(file))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn parts_share_and_the_whole_waits() {
        let directory = tempfile::tempdir().unwrap();
        let take = |claim, waiting: &AtomicBool| {
            Lock::take(directory.path(), "lock", claim, || waiting.store(true, Ordering::SeqCst))
                .unwrap()
        };
        let waited = AtomicBool::new(false);
        let first = take(Claim::Part, &waited);
        let second = take(Claim::Part, &waited);
        assert!(!waited.load(Ordering::SeqCst), "two parts share");
        std::thread::scope(|scope| {
            let whole = scope.spawn(|| take(Claim::Whole, &waited));
            while !waited.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            assert!(!whole.is_finished(), "the whole waits for both");
            drop(first);
            drop(second);
            whole.join().unwrap();
        });
    }
}
