//! A part of the work on one material, for one process of many.

use core::fmt;
use core::ops::Range;
use core::str::FromStr;

use crownhead_index::Material;

/// Some of a material's levels of men configurations, or a share of one level.
///
/// A man never moves back, so the placements of the men fall into levels by how far they have
/// advanced; level 0 is the most advanced and is solved first. A level needs the one before it and
/// the material's parts, and its placements are independent of each other.
///
/// ```
/// use crownhead_solver::LevelTask;
/// let task = LevelTask::whole("KKMvKM".parse()?, 3..7);
/// assert_eq!(task.to_string(), "KKMvKM.levels-3-7");
/// assert_eq!(task.shared("2/8".parse().unwrap()).to_string(), "KKMvKM.levels-3-7.share-2-of-8");
/// # Ok::<(), crownhead_index::ParseMaterialError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LevelTask {
    /// The canonical material.
    pub material: Material,
    /// The levels, the first one and the one after the last.
    pub levels: Range<u32>,
    /// Which of their placements; a part only of a single level.
    pub share: Share,
}

impl LevelTask {
    /// All placements of these levels.
    pub fn whole(material: Material, levels: Range<u32>) -> Self {
        Self { material: material.canonical(), levels, share: Share::WHOLE }
    }

    /// Only this share of them.
    #[must_use]
    pub fn shared(self, share: Share) -> Self {
        Self { share, ..self }
    }
}

/// The name of the task's file of solved words.
impl fmt::Display for LevelTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.levels-{}-{}", self.material, self.levels.start, self.levels.end)?;
        if self.share != Share::WHOLE {
            write!(f, ".share-{}-of-{}", self.share.number, self.share.of)?;
        }
        Ok(())
    }
}

/// One of several runs of consecutive placements, as equal as can be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Share {
    number: u32,
    of: u32,
}

impl Share {
    /// Everything.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Share `number`, counted from 1, of so many; none if there is no such share.
    pub const fn new(number: u32, of: u32) -> Option<Self> {
        if number >= 1 && number <= of { Some(Self { number, of }) } else { None }
    }

    /// Which share it is, from 1.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// How many shares there are.
    pub const fn of(self) -> u32 {
        self.of
    }

    /// Which of so many placements these are.
    pub fn range(self, len: usize) -> Range<usize> {
        let cut = |at: u32| {
            usize::try_from(len as u128 * u128::from(at) / u128::from(self.of)).unwrap_or(len)
        };
        cut(self.number - 1)..cut(self.number)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A text that is no share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseShareError;

impl fmt::Display for ParseShareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected I/N with I from 1 to N, as in 2/8")
    }
}

impl core::error::Error for ParseShareError {}

impl FromStr for Share {
    type Err = ParseShareError;

    fn from_str(text: &str) -> Result<Self, ParseShareError> {
        let (number, of) = text.split_once('/').ok_or(ParseShareError)?;
        let parse = |text: &str| text.parse::<u32>().map_err(|_| ParseShareError);
        Self::new(parse(number)?, parse(of)?).ok_or(ParseShareError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_cover_everything_once() {
        for (len, of) in [(0, 1), (0, 3), (1, 3), (10, 3), (100, 7), (5, 5)] {
            let mut next = 0;
            for number in 1..=of {
                let range = Share::new(number, of).unwrap().range(len);
                assert_eq!(range.start, next);
                assert!(range.len().abs_diff(len / of as usize) <= 1);
                next = range.end;
            }
            assert_eq!(next, len);
        }
    }

    #[test]
    fn what_is_no_share_is_refused() {
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
        assert_eq!("3/3".parse::<Share>().unwrap().to_string(), "3/3");
    }
}
