use crownhead_rules::{Outcome, Value};

use crate::Metric;

/// How a plain table writes an outcome as a number, its *code*, and in how many bits.
///
/// | metric | draw | win in n plies | loss in n plies | bits |
/// |---|---|---|---|---|
/// | `wld` | 0 | 1 | 2 | 2 |
/// | `dtw` | 0 | n + 1, n odd | n + 1, n even | 8 or 16 |
/// | `dtc` | 0 | 2n + 2 | 2n + 1 | 8 or 16 |
///
/// The end of the game is an odd number of plies away exactly for the side that wins, so a
/// distance to win needs no bit for the value and fits a byte up to 254 plies. A conversion may
/// be made by either side, so a distance to conversion keeps the value in the lowest bit and fits
/// a byte up to 126 plies for wins and 127 for losses.
///
/// A table uses the narrowest width that holds its longest distance.
///
/// ```
/// use crownhead_rules::{Outcome, Value};
/// use crownhead_table::{Encoding, Metric};
/// let encoding = Encoding::new(Metric::Dtw, 8).unwrap();
/// let outcome = Outcome { value: Value::Loss, plies: Some(40) };
/// assert_eq!(encoding.code(outcome), Some(41));
/// assert_eq!(encoding.outcome(41), Some(outcome));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Encoding {
    metric: Metric,
    bits: u8,
}

impl Encoding {
    /// The encoding of this metric with so many bits a position; `None` where there is none.
    pub const fn new(metric: Metric, bits: u8) -> Option<Self> {
        match (metric, bits) {
            (Metric::Wld, 2) | (Metric::Dtc | Metric::Dtw, 8 | 16) => Some(Self { metric, bits }),
            _ => None,
        }
    }

    /// The narrowest encoding of this metric with which all of these outcomes have a code; `None`
    /// when a distance is too long for any.
    pub fn narrowest(metric: Metric, outcomes: impl IntoIterator<Item = Outcome>) -> Option<Self> {
        let mut encoding = Self::new(metric, if metric.has_plies() { 8 } else { 2 })?;
        for outcome in outcomes {
            if encoding.code(outcome).is_none() {
                encoding = Self::new(metric, 16)?;
                encoding.code(outcome)?;
            }
        }
        Some(encoding)
    }

    /// What the table says of a position.
    pub const fn metric(self) -> Metric {
        self.metric
    }

    /// Bits a position: 2, 8 or 16.
    pub const fn bits(self) -> u8 {
        self.bits
    }

    /// The bytes that so many positions take; the last may be partly used.
    ///
    /// `None` when they exceed `u64`.
    pub const fn bytes_for(self, positions: u64) -> Option<u64> {
        match self.bits {
            // By shifts: a division of 64-bit numbers would be a call on small machines.
            2 => Some((positions >> 2) + (positions & 3 != 0) as u64),
            8 => Some(positions),
            _ => positions.checked_add(positions),
        }
    }

    /// The largest code that has this many bits.
    const fn largest_code(self) -> u16 {
        match self.bits {
            2 => 2,
            8 => 0xff,
            _ => 0xffff,
        }
    }

    /// The code of an outcome; `None` when its distance is missing or too long, or has the parity
    /// of the other value.
    #[inline]
    pub const fn code(self, outcome: Outcome) -> Option<u16> {
        let win = match outcome.value {
            Value::Draw => return Some(0),
            Value::Win => true,
            Value::Loss => false,
        };
        let plies = match (self.metric, outcome.plies) {
            (Metric::Wld, _) => return Some(if win { 1 } else { 2 }),
            (_, Some(plies)) => plies as u32,
            (_, None) => return None,
        };
        let code = match self.metric {
            Metric::Dtc => 2 * plies + 1 + win as u32,
            _ if (plies % 2 == 1) == win => plies + 1,
            _ => return None,
        };
        if code <= self.largest_code() as u32 { Some(code as u16) } else { None }
    }

    /// The outcome of a code; `None` for a number that no outcome has.
    #[inline]
    pub const fn outcome(self, code: u16) -> Option<Outcome> {
        if code > self.largest_code() {
            return None;
        }
        if code == 0 {
            return Some(Outcome { value: Value::Draw, plies: None });
        }
        let (win, plies) = match self.metric {
            Metric::Wld => (code == 1, None),
            Metric::Dtc => (code.is_multiple_of(2), Some((code - 1) / 2)),
            Metric::Dtw => (code.is_multiple_of(2), Some(code - 1)),
        };
        Some(Outcome { value: if win { Value::Win } else { Value::Loss }, plies })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encodings() -> impl Iterator<Item = Encoding> {
        Metric::ALL
            .into_iter()
            .flat_map(|metric| (0..=64).filter_map(move |bits| Encoding::new(metric, bits)))
    }

    #[test]
    fn every_code_comes_back() {
        assert_eq!(encodings().count(), 5);
        for encoding in encodings() {
            for code in 0..=u16::MAX {
                match encoding.outcome(code) {
                    Some(outcome) => assert_eq!(encoding.code(outcome), Some(code)),
                    None => assert!(code > encoding.largest_code()),
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_has_no_code() {
        let win = |plies| Outcome { value: Value::Win, plies: Some(plies) };
        let loss = |plies| Outcome { value: Value::Loss, plies: Some(plies) };
        let dtw = Encoding::new(Metric::Dtw, 8).unwrap();
        assert_eq!(dtw.code(loss(254)), Some(255));
        assert_eq!(dtw.code(win(255)), None);
        assert_eq!(dtw.code(win(40)), None, "a win takes an odd number of plies");
        assert_eq!(dtw.code(Outcome { value: Value::Win, plies: None }), None);
        let dtc = Encoding::new(Metric::Dtc, 8).unwrap();
        assert_eq!((dtc.code(win(126)), dtc.code(win(127))), (Some(254), None));
        assert_eq!((dtc.code(loss(127)), dtc.code(loss(128))), (Some(255), None));
        let wide = Encoding::new(Metric::Dtw, 16).unwrap();
        assert_eq!(wide.code(win(291)), Some(292));
        assert_eq!(wide.code(win(65_535)), None);
    }

    #[test]
    fn the_longest_distance_chooses_the_width() {
        let bits = |metric, value, plies| {
            let outcome = Outcome { value, plies: Some(plies) };
            Encoding::narrowest(metric, [outcome]).map(Encoding::bits)
        };
        assert_eq!(bits(Metric::Dtw, Value::Loss, 254), Some(8));
        assert_eq!(bits(Metric::Dtw, Value::Win, 255), Some(16));
        assert_eq!(bits(Metric::Dtc, Value::Win, 127), Some(16));
        assert_eq!(bits(Metric::Wld, Value::Win, 1000), Some(2));
        assert_eq!(bits(Metric::Dtc, Value::Win, 40_000), None);
    }
}
