//! Distances to the end of the game, as codes in the order in which the opponent likes them.
//!
//! The loser of a game is to move when it ends, so a loss takes an even number of plies, `2k`, and
//! a win an odd one, `2k + 1`. The code of a loss is `k`, that of a win `!k`: as unsigned numbers a
//! short loss is less than a long one, that less than a long win, and a short win is the largest.
//! So whoever may choose among moves takes the one with the *least* code behind it, won or lost,
//! and a capture is followed without asking which. Codes of one byte are those of two with the sign
//! bit repeated; a byte holds losses of 254 plies and wins of 255.

use super::mutation::{Mutation, made};

/// A code of two bytes.
pub(super) type Code = u16;

/// No move and, in tables, no win or loss: nothing is larger.
pub(super) const NONE: Code = Code::MAX;

/// The squares of one word.
pub(super) const SQUARES: usize = 32;

/// The number `k` of a decided position's plies, `2k` or `2k + 1`.
#[inline(always)]
pub(super) const fn pairs(code: Code) -> u16 {
    if code as i16 >= 0 { code } else { !code }
}

/// The code of a decided position of which this is the least code behind a move.
#[inline(always)]
pub(super) const fn before(least: Code) -> Code {
    // After the opponent's loss of 2k plies a win of 2k + 1; before his win of 2k + 1, 2k + 2.
    if least as i16 >= 0 { !least } else { least.wrapping_neg() }
}

/// A code as it is kept.
pub(super) trait Kept: Copy + Send + Sync {
    /// In two bytes.
    fn code(self) -> Code;
    /// In this width, and the bits that must be 0 if it fits.
    fn keep(code: Code) -> (Self, u16);
}

impl Kept for u8 {
    #[inline(always)]
    fn code(self) -> Code {
        self as i8 as i16 as u16
    }

    #[inline(always)]
    fn keep(code: Code) -> (Self, u16) {
        (code as u8, (code as u8).code() ^ code)
    }
}

impl Kept for u16 {
    #[inline(always)]
    fn code(self) -> Code {
        self
    }

    #[inline(always)]
    fn keep(code: Code) -> (Self, u16) {
        (code, 0)
    }
}

/// How many bytes a code takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    /// One: wins to 255 plies, losses to 254.
    Narrow,
    /// Two.
    Wide,
}

/// The codes of a plane, 32 for each word.
#[derive(Clone, Debug, Default)]
pub(super) enum Scores {
    /// None are kept: a table of values.
    #[default]
    Nothing,
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

/// Runs an expression on the codes, of whatever width, if there are any.
macro_rules! with_codes {
    ($scores:expr, $codes:ident => $body:expr) => {
        match $scores {
            $crate::setwise::scores::Scores::Nothing => None,
            $crate::setwise::scores::Scores::Narrow($codes) => Some($body),
            $crate::setwise::scores::Scores::Wide($codes) => Some($body),
        }
    };
}
pub(super) use with_codes;

impl Scores {
    /// For so many words, nothing decided.
    pub(super) fn new(width: Width, words: usize) -> Self {
        match width {
            Width::Narrow => Self::Narrow(vec![u8::MAX; SQUARES * words]),
            Width::Wide => Self::Wide(vec![u16::MAX; SQUARES * words]),
        }
    }

    pub(super) const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    pub(super) const fn bytes(&self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Narrow(codes) => codes.len() as u64,
            Self::Wide(codes) => 2 * codes.len() as u64,
        }
    }

    /// The code of one position.
    #[inline(always)]
    pub(super) fn at(&self, word: usize, square: u32) -> Code {
        let at = SQUARES * word + square as usize;
        with_codes!(self, codes => codes[at].code()).unwrap_or(NONE)
    }

    /// Sets the code of one position; says whether it fits.
    pub(super) fn set(&mut self, word: usize, square: u32, code: Code) -> bool {
        let at = SQUARES * word + square as usize;
        let fits = with_codes!(self, codes => {
            let (kept, lost) = Kept::keep(code);
            codes[at] = kept;
            lost == 0
        });
        fits.unwrap_or(true)
    }

    /// Puts codes where they stay, from this word on; says whether all of them fit.
    pub(super) fn copy_from(&mut self, first: usize, from: &[Code]) -> bool {
        let at = SQUARES * first..SQUARES * first + from.len();
        let fits = with_codes!(self, codes => {
            let mut lost = 0;
            for (to, &code) in codes[at].iter_mut().zip(from) {
                let (kept, more) = Kept::keep(code);
                *to = kept;
                lost |= more;
            }
            lost == 0
        });
        if made(Mutation::SmallBytes) && matches!(self, Self::Narrow(_)) {
            return from.iter().all(|&code| pairs(code) <= 20);
        }
        fits.unwrap_or(true)
    }

    /// Lowers the least codes of consecutive words to those of words from this one on, where the
    /// masks of the words say so.
    #[inline(always)]
    pub(super) fn lower_to(&self, first: usize, masks: &[u32], best: &mut [Code]) {
        let _ = with_codes!(self, codes => {
            let codes = &codes[SQUARES * first..SQUARES * (first + masks.len())];
            let words = codes.chunks_exact(SQUARES).zip(best.chunks_exact_mut(SQUARES));
            for ((codes, best), &mask) in words.zip(masks) {
                lower(best, codes, mask);
            }
        });
    }

    /// The same for one word.
    #[inline(always)]
    pub(super) fn lower_word(&self, word: usize, mask: u32, best: &mut [Code]) {
        let _ = with_codes!(self, codes => {
            lower(best, &codes[SQUARES * word..SQUARES * (word + 1)], mask);
        });
    }
}

/// Lowers the codes of one word to those of another at the squares of the mask.
#[inline(always)]
fn lower<T: Kept>(best: &mut [Code], codes: &[T], mask: u32) {
    for square in 0..SQUARES {
        let out = ((mask >> square & 1) as u16).wrapping_sub(1);
        best[square] = best[square].min(codes[square].code() | out);
    }
}

/// Lowers one code.
#[inline(always)]
pub(super) fn lower_one(best: &mut [Code], word: usize, square: u32, code: Code) {
    let best = &mut best[SQUARES * word + square as usize];
    *best = code.min(*best);
}

/// The codes of one word.
#[inline(always)]
pub(super) fn word_mut(codes: &mut [Code], word: usize) -> &mut [Code] {
    &mut codes[SQUARES * word..SQUARES * (word + 1)]
}
