use core::fmt;
use core::str::FromStr;

/// What a table says of each position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Metric {
    /// Win, draw or loss.
    Wld = 0,
    /// Distance to conversion: plies up to and including the next man move, capture or the end.
    Dtc = 1,
    /// Distance to win: plies to the end of the game.
    Dtw = 2,
}

impl Metric {
    /// All metrics, the richest last.
    pub const ALL: [Self; 3] = [Self::Wld, Self::Dtc, Self::Dtw];

    /// The word in commands, and the extension of table files: `wld`, `dtc` or `dtw`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wld => "wld",
            Self::Dtc => "dtc",
            Self::Dtw => "dtw",
        }
    }

    /// Whether won and lost positions have a distance.
    pub const fn has_plies(self) -> bool {
        !matches!(self, Self::Wld)
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text is no metric: it is none of `wld`, `dtc` and `dtw`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseMetricError;

impl fmt::Display for ParseMetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a metric is wld, dtc or dtw")
    }
}

impl core::error::Error for ParseMetricError {}

impl FromStr for Metric {
    type Err = ParseMetricError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|metric| metric.name() == text).ok_or(ParseMetricError)
    }
}
