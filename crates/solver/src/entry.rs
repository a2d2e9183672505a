use crownhead_rules::{Outcome, Value};

/// The value of one position and its distance, in two bytes: what backends hand to the table
/// writer.
///
/// Distances count plies and are 0 for draws and where only values are built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Entry(u16);

impl Entry {
    /// A draw; also the default.
    pub const DRAW: Self = Self(0);
    /// The largest distance that fits, in plies.
    pub const MAX_PLIES: u16 = u16::MAX >> 2;

    const WIN: u16 = 1;
    const LOSS: u16 = 2;

    /// A win in so many plies (0 where only values are built).
    ///
    /// # Panics
    ///
    /// If the distance is above [`MAX_PLIES`](Self::MAX_PLIES).
    pub const fn win(plies: u16) -> Self {
        assert!(plies <= Self::MAX_PLIES, "a distance beyond Entry::MAX_PLIES");
        Self(plies << 2 | Self::WIN)
    }

    /// A loss in so many plies (0 where only values are built, and where the game is over).
    ///
    /// # Panics
    ///
    /// If the distance is above [`MAX_PLIES`](Self::MAX_PLIES).
    pub const fn loss(plies: u16) -> Self {
        assert!(plies <= Self::MAX_PLIES, "a distance beyond Entry::MAX_PLIES");
        Self(plies << 2 | Self::LOSS)
    }

    /// Win, draw or loss for the side to move.
    pub const fn value(self) -> Value {
        match self.0 & 3 {
            Self::WIN => Value::Win,
            Self::LOSS => Value::Loss,
            _ => Value::Draw,
        }
    }

    /// The distance in plies; 0 for a draw and where only values are built.
    pub const fn plies(self) -> u16 {
        self.0 >> 2
    }

    /// The outcome, with its distance if the table holds distances.
    pub const fn outcome(self, has_plies: bool) -> Outcome {
        let value = self.value();
        let decided = !matches!(value, Value::Draw);
        Outcome { value, plies: if has_plies && decided { Some(self.plies()) } else { None } }
    }
}

impl From<Outcome> for Entry {
    fn from(outcome: Outcome) -> Self {
        let plies = outcome.plies.unwrap_or(0);
        match outcome.value {
            Value::Win => Self::win(plies),
            Value::Loss => Self::loss(plies),
            Value::Draw => Self::DRAW,
        }
    }
}

impl core::fmt::Debug for Entry {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} in {}", self.value(), self.plies())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_what_they_are_given() {
        for plies in [0, 1, 255, 256, Entry::MAX_PLIES] {
            assert_eq!((Entry::win(plies).value(), Entry::win(plies).plies()), (Value::Win, plies));
            assert_eq!(Entry::from(Entry::loss(plies).outcome(true)), Entry::loss(plies));
        }
        assert_eq!(Entry::default(), Entry::DRAW);
        assert_eq!(Entry::win(7).outcome(false), Outcome { value: Value::Win, plies: None });
        assert_eq!(Entry::DRAW.outcome(true), Outcome { value: Value::Draw, plies: None });
    }

    #[test]
    #[should_panic(expected = "beyond")]
    fn distances_that_do_not_fit_are_refused() {
        let _ = Entry::win(Entry::MAX_PLIES + 1);
    }
}
