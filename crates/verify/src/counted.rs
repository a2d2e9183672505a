use crownhead_rules::{Outcome, Value};
use crownhead_table::SideSummary;

/// What the numbers of one side to move say, for comparison with the header.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counted {
    wins: u64,
    losses: u64,
    draws: u64,
    longest_win: Option<Longest>,
    longest_loss: Option<Longest>,
}

/// The largest distance, how often it occurs, and where first.
type Longest = (u16, u64, u64);

impl Counted {
    #[inline]
    pub(super) fn add(&mut self, outcome: Outcome, rank: u64) {
        let longest = outcome.plies.map(|plies| (plies, 1, rank));
        match outcome.value {
            Value::Win => {
                self.wins += 1;
                self.longest_win = longer(self.longest_win, longest);
            }
            Value::Draw => self.draws += 1,
            Value::Loss => {
                self.losses += 1;
                self.longest_loss = longer(self.longest_loss, longest);
            }
        }
    }

    /// Adds what comes later in the table.
    pub(super) fn append(&mut self, later: &Self) {
        self.wins += later.wins;
        self.losses += later.losses;
        self.draws += later.draws;
        self.longest_win = longer(self.longest_win, later.longest_win);
        self.longest_loss = longer(self.longest_loss, later.longest_loss);
    }

    pub(super) fn is(&self, header: &SideSummary) -> bool {
        let longest = |longest: Option<crownhead_table::Longest>| {
            longest.map(|longest| (longest.plies, longest.count, longest.first))
        };
        *self
            == Self {
                wins: header.wins,
                losses: header.losses,
                draws: header.draws,
                longest_win: longest(header.longest_win),
                longest_loss: longest(header.longest_loss),
            }
    }
}

/// The longer of two, the second being later in the table; together if equally long.
#[inline]
fn longer(first: Option<Longest>, second: Option<Longest>) -> Option<Longest> {
    match (first, second) {
        (Some(a), Some(b)) if a.0 == b.0 => Some((a.0, a.1 + b.1, a.2)),
        (Some(a), Some(b)) => Some(if b.0 > a.0 { b } else { a }),
        (a, b) => a.or(b),
    }
}
