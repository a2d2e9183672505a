use core::fmt;
use core::ops::Neg;

use crownhead_rules::{Color, Outcome, Value};

/// How good a position is for the side to move, in hundredths of a man.
///
/// From the highest down: a win in known plies ([`win_in`](Score::win_in)), a win that a table
/// without distances promises, an estimate, and the same below [`DRAW`](Score::DRAW).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub(crate) i16);

/// A win on the spot.
const WIN: i16 = 32_000;
/// Distances to 4,000 plies fit; the longest known to 10 pieces are far below.
const LEAST_COUNTED: i16 = WIN - 4_000;
/// Where scores of wins without distance lie: a thousand to either side.
const PROMISED: i16 = 26_000;
const LEAST_PROMISED: i16 = PROMISED - 1_000;

impl Score {
    /// Neither side can win.
    pub const DRAW: Self = Self(0);
    /// Above all scores.
    pub(crate) const INFINITE: Self = Self(WIN + 1);
    /// No estimate is further from zero.
    pub const MAX_ESTIMATE: i16 = 20_000;

    /// A win this many plies from now.
    pub const fn win_in(plies: u16) -> Self {
        let most = (WIN - LEAST_COUNTED) as u16;
        Self(WIN - (if plies < most { plies } else { most }) as i16)
    }

    /// A loss this many plies from now.
    pub const fn loss_in(plies: u16) -> Self {
        Self(-Self::win_in(plies).0)
    }

    /// An estimate in hundredths of a man, cut off at [`MAX_ESTIMATE`](Self::MAX_ESTIMATE).
    pub fn estimate(hundredths: i32) -> Self {
        let most = i32::from(Self::MAX_ESTIMATE);
        Self(hundredths.clamp(-most, most) as i16)
    }

    /// A table's win or loss without distance, made better by `progress` hundredths.
    ///
    /// The later of two such wins scores less: `ply` is counted from the root.
    fn promised(value: Value, progress: Self, ply: u16) -> Self {
        let progress = progress.0.clamp(-400, 400);
        let ply = ply.min(255) as i16;
        match value {
            Value::Win => Self(PROMISED + progress - ply),
            Value::Draw => Self::DRAW,
            Value::Loss => Self(-PROMISED + progress + ply),
        }
    }

    /// What a table says of a position `ply` plies from the root; `progress` is the estimate
    /// that tells wins without distance apart.
    pub(crate) fn of_outcome(outcome: Outcome, progress: impl FnOnce() -> Self, ply: u16) -> Self {
        match (outcome.value, outcome.plies) {
            (Value::Draw, _) => Self::DRAW,
            (Value::Win, Some(plies)) => Self::win_in(plies.saturating_add(ply)),
            (Value::Loss, Some(plies)) => Self::loss_in(plies.saturating_add(ply)),
            (value, None) => Self::promised(value, progress(), ply),
        }
    }

    /// Hundredths of a man; wins and losses lie beyond [`MAX_ESTIMATE`](Self::MAX_ESTIMATE).
    pub const fn hundredths(self) -> i16 {
        self.0
    }

    /// Whether the search or a table is sure that the side to move wins.
    pub const fn is_win(self) -> bool {
        self.0 >= LEAST_PROMISED
    }

    /// Whether the search or a table is sure that the side to move loses.
    pub const fn is_loss(self) -> bool {
        self.0 <= -LEAST_PROMISED
    }

    /// Plies to the end of a win or loss where they are known.
    pub const fn plies(self) -> Option<u16> {
        if self.0 >= LEAST_COUNTED {
            Some((WIN - self.0) as u16)
        } else if self.0 <= -LEAST_COUNTED {
            Some((WIN + self.0) as u16)
        } else {
            None
        }
    }

    /// The side that is ahead by more than half a man, seen by `side`, which the score is for.
    pub fn favours(self, side: Color) -> Option<Color> {
        match self.0 {
            51.. => Some(side),
            ..=-51 => Some(side.other()),
            _ => None,
        }
    }

    /// From plies after the root to plies after a position `ply` plies below it: what is stored.
    pub(crate) fn below(self, ply: u16) -> Self {
        self.moved_out(ply as i16)
    }

    /// From plies after a position `ply` plies below the root to plies after the root.
    pub(crate) fn above(self, ply: u16) -> Self {
        self.moved_out(-(ply as i16))
    }

    fn moved_out(self, plies: i16) -> Self {
        if self.is_win() {
            Self(self.0 + plies)
        } else if self.is_loss() {
            Self(self.0 - plies)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// `+0.35`, `win in 12 plies`, `loss`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_win() { "win" } else { "loss" };
        match self.plies() {
            Some(1) => write!(f, "{word} in 1 ply"),
            Some(plies) => write!(f, "{word} in {plies} plies"),
            None if self.is_win() || self.is_loss() => f.write_str(word),
            None => {
                let sign = if self.0 < 0 { '-' } else { '+' };
                let size = self.0.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn faster_wins_score_more_and_all_wins_more_than_estimates() {
        let promised = |ply| Score::promised(Value::Win, Score(0), ply);
        assert!(Score::win_in(3) > Score::win_in(5));
        assert!(Score::win_in(u16::MAX) > promised(0));
        assert!(promised(2) > promised(3));
        assert!(Score::promised(Value::Win, Score(-9999), 999) > Score::estimate(i32::MAX));
        assert!(Score::loss_in(9) > Score::loss_in(7));
        assert!(Score::promised(Value::Loss, Score(9999), 999) < Score::estimate(i32::MIN));
    }

    #[test]
    fn a_score_favours_the_side_that_is_clearly_ahead() {
        let favoured = [Score::win_in(9), Score(51), Score(50), Score(-51), Score::loss_in(0)]
            .map(|score| score.favours(Color::White));
        let (white, black) = (Some(Color::White), Some(Color::Black));
        assert_eq!(favoured, [white, white, None, black, black]);
    }

    #[test]
    fn stored_scores_come_back() {
        for score in [Score::win_in(30), Score::loss_in(31), Score(35), Score::DRAW] {
            assert_eq!(score.below(12).above(12), score);
        }
        assert_eq!(Score::win_in(30).below(12), Score::win_in(18));
        assert_eq!(Score::loss_in(30).above(12), Score::loss_in(42));
    }

    #[test]
    fn scores_print_with_their_unit() {
        let texts = [
            (Score::win_in(1), "win in 1 ply"),
            (Score::loss_in(12), "loss in 12 plies"),
            (Score(-7), "-0.07"),
            (Score(135), "+1.35"),
            (Score::promised(Value::Loss, Score(5), 3), "loss"),
        ];
        for (score, text) in texts {
            assert_eq!(score.to_string(), text);
        }
    }
}
