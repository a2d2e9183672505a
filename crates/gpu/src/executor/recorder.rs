//! Dispatches that wait for submission, and how many of them one submission may take.

use std::time::Duration;

use crate::kernel::{Kernel, Params};

/// One dispatch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispatch {
    pub(super) kernel: Kernel,
    pub(super) params: Params,
    pub(super) groups: [u32; 3],
}

impl Dispatch {
    /// The dispatch of a kernel on the words from `params.first` to `params.end`, folded so that
    /// no dimension exceeds `limit` groups; spare groups find nothing to do.
    pub(super) fn new(kernel: Kernel, params: &Params, limit: u32) -> Self {
        let words = params.words(kernel);
        let groups = match kernel {
            Kernel::Solve => words
                .div_ceil(u64::from(params.group_components) * u64::from(params.component_words)),
            _ => words.div_ceil(u64::from(kernel.group_words())),
        };
        // Rows of equal length, so that few groups are spare.
        let rows = groups.div_ceil(u64::from(limit)).max(1);
        let columns = groups.div_ceil(rows).max(1);
        let layers = if kernel.by_side() { 2 } else { 1 };
        Self { kernel, params: *params, groups: [columns as u32, rows as u32, layers] }
    }

    /// Words that it works on, each side to move counted where the kernel takes them one by one.
    pub(super) fn words(&self) -> u64 {
        self.params.words(self.kernel) * u64::from(self.groups[2])
    }

    /// Words of work, weighted as in [`Kernel::weight`].
    pub(super) fn cost(&self) -> u64 {
        self.words() * self.kernel.weight()
    }
}

/// How much one submission may take, so that no watchdog ends it, learnt from how long they took.
#[derive(Debug)]
pub(super) struct Pace {
    target: Duration,
    budget: u64,
}

impl Pace {
    const FIRST: u64 = 1 << 20;
    const LEAST: u64 = 1 << 16;
    const MOST: u64 = 1 << 40;

    pub(super) fn new(target: Duration) -> Self {
        Self { target, budget: Self::FIRST }
    }

    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    /// Learns from a submission.
    pub(super) fn learn(&mut self, cost: u64, took: Duration) {
        let wanted = if took.is_zero() {
            Self::MOST as f64
        } else {
            cost as f64 * self.target.as_secs_f64() / took.as_secs_f64()
        };
        // A submission far below the budget says little about longer ones: only slow down then.
        if cost * 4 >= self.budget || (wanted as u64) < self.budget {
            self.budget = (wanted as u64).clamp(self.budget / 8, self.budget * 2);
        }
        self.budget = self.budget.clamp(Self::LEAST, Self::MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_dispatches_cover_all_words() {
        for (end, limit) in [(1, 2), (257, 2), (10_000, 3), (1 << 30, 65_535)] {
            let params = Params { end, sample: 1, ..Params::default() };
            let dispatch = Dispatch::new(Kernel::Men, &params, limit);
            let [x, y, z] = dispatch.groups.map(u64::from);
            assert!(x * y * 256 >= u64::from(end) && z == 2);
            assert!(x * (y - 1) * 256 < u64::from(end), "no spare row");
            assert!(x <= u64::from(limit));
        }
    }

    #[test]
    fn the_pace_follows_the_device() {
        let mut pace = Pace::new(Duration::from_millis(100));
        for _ in 0..20 {
            pace.learn(pace.budget(), Duration::from_millis(10));
        }
        assert!(pace.budget() > Pace::FIRST << 10);
        pace.learn(1 << 20, Duration::from_secs(10));
        assert!(pace.budget() < Pace::FIRST << 18, "one slow submission slows it down");
    }
}
