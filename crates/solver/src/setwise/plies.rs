//! Distances of a material as bit planes: bit `b` of a position's plies is in plane `b`.

use crownhead_rules::Color;

use super::sweep::{Change, Plies, Verdict};

/// What a build keeps of distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// Nothing: it solves for values only.
    Nothing,
    /// The largest.
    Longest,
    /// That of every position.
    Plies,
    /// That of every position to the end of the game, as [`Scores`](super::scores::Scores).
    ToEnd,
}

/// Plies of both sides to move; only planes that hold a bit are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Distances {
    words: usize,
    keep: Keep,
    /// The largest.
    longest: u32,
    /// By side and bit of the number.
    planes: [Vec<Vec<u32>>; 2],
    /// No plies are more: by side and verdict.
    most: Most,
    /// The same for each [`BLOCK`] of words; empty where it is not known.
    blocks: Vec<Most>,
}

/// Bounds of plies by side to move, and for wins and losses.
type Most = [[u16; 2]; 2];

/// Words that have a bound of their own.
pub(super) const BLOCK: usize = 1 << 10;

impl Distances {
    pub(super) fn new(words: usize, keep: Keep) -> Self {
        Self {
            words,
            keep,
            longest: 0,
            planes: [Vec::new(), Vec::new()],
            most: [[1; 2]; 2],
            blocks: Vec::new(),
        }
    }

    /// The largest, in plies.
    pub(super) const fn largest(&self) -> u32 {
        self.longest
    }

    /// How many planes hold bits.
    fn used(&self) -> usize {
        (u32::BITS - self.longest.leading_zeros()) as usize
    }

    /// Sets all distances to 0.
    pub(super) fn clear(&mut self) {
        let used = self.used();
        for planes in &mut self.planes {
            planes.iter_mut().take(used).for_each(|plane| plane.fill(0));
        }
        self.longest = 0;
        self.most = [[1; 2]; 2];
    }

    /// No plies of this side's are more than so many.
    pub(super) fn bound(&mut self, side: Color, most: u16) {
        self.most[side as usize] = [most; 2];
    }

    /// Whether the words of a block can have more plies than `most` for this side and verdict.
    pub(super) fn may_exceed(&self, most: u16, block: usize, side: Color, verdict: usize) -> bool {
        self.blocks.get(block).is_none_or(|block| block[side as usize][verdict] > most)
    }

    /// Puts a part's distances where they belong, from this word on. All were 0 there.
    pub(super) fn copy_part(&mut self, part: &Self, first: usize) {
        self.longest = self.longest.max(part.longest);
        self.blocks.resize(self.words.div_ceil(BLOCK), [[0; 2]; 2]);
        for block in &mut self.blocks[first / BLOCK..(first + part.words).div_ceil(BLOCK)] {
            for (most, part) in block.iter_mut().flatten().zip(part.most.iter().flatten()) {
                *most = (*most).max(*part);
            }
        }
        for (planes, part_planes) in self.planes.iter_mut().zip(&part.planes) {
            let used = part.used().min(part_planes.len());
            while planes.len() < used {
                planes.push(vec![0; self.words]);
            }
            for (plane, part) in planes.iter_mut().zip(&part_planes[..used]) {
                plane[first..first + part.len()].copy_from_slice(part);
            }
        }
    }

    /// The plies of one position.
    #[inline]
    pub(super) fn get(&self, side: Color, word: usize, bit: u32) -> u16 {
        let planes = self.planes[side as usize].iter().enumerate();
        planes.map(|(plane, words)| ((words[word] >> bit & 1) as u16) << plane).sum()
    }

    /// Whether some of the positions in the mask have more plies than `most`, or any where there is
    /// none yet.
    #[inline(always)]
    pub(super) fn exceed(
        &self,
        most: Option<u16>,
        side: Color,
        words: core::ops::Range<usize>,
        mask: &[u32],
    ) -> bool {
        let most = u32::from(most.unwrap_or(0));
        let planes = &self.planes[side as usize];
        let used = planes.len().min(self.used());
        if most >> used != 0 {
            return false;
        }
        let (mut equal, mut more) = ([!0; 64], [0; 64]);
        let mut any = 0;
        for first in words.clone().step_by(64) {
            let part = first..words.end.min(first + 64);
            equal.fill(!0);
            more.fill(0);
            for (bit, plane) in planes[..used].iter().enumerate().rev() {
                // Where the bits are equal so far, a bit that `most` has not makes it more.
                let (one, zero) = if most >> bit & 1 == 0 { (!0, 0) } else { (0, !0) };
                for (at, &plane) in plane[part.clone()].iter().enumerate() {
                    more[at] |= equal[at] & plane & one;
                    equal[at] &= plane ^ !zero;
                }
            }
            for (at, &mask) in mask[part].iter().enumerate() {
                any |= more[at] & mask;
            }
        }
        any != 0
    }

    /// Hands over, one after the other, the planes of the bits that a number of plies has.
    #[inline(always)]
    fn enter(&mut self, plies: u32, side: Color, mut mark: impl FnMut(&mut [u32])) {
        let planes = &mut self.planes[side as usize];
        let mut rest = plies;
        while rest != 0 {
            let plane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            while planes.len() <= plane {
                planes.push(vec![0; self.words]);
            }
            mark(&mut planes[plane]);
        }
    }

    /// The largest number of plies among some positions of a word, and those that have it.
    #[inline(always)]
    pub(super) fn longest(&self, side: Color, word: usize, positions: u32) -> (u16, u32) {
        let (mut plies, mut longest) = (0, positions);
        for (plane, words) in self.planes[side as usize].iter().enumerate().rev() {
            if longest & words[word] != 0 {
                longest &= words[word];
                plies |= 1 << plane;
            }
        }
        (plies, longest)
    }
}

impl Plies for Distances {
    const WANTED: bool = true;

    #[inline(always)]
    fn note_one(&mut self, side: Color, word: usize, bits: &[u32]) {
        self.longest = self.longest.max(1);
        if self.keep != Keep::Plies {
            return;
        }
        let planes = &mut self.planes[side as usize];
        if planes.is_empty() {
            planes.push(vec![0; self.words]);
        }
        planes[0][word..word + bits.len()].copy_from_slice(bits);
    }

    #[inline(always)]
    fn note_all(
        &mut self,
        plies: u32,
        (side, verdict): (Color, Verdict),
        changes: &[Change],
        _quiet: &[u32],
    ) {
        if changes.is_empty() {
            return;
        }
        self.longest = self.longest.max(plies);
        self.most[side as usize][verdict as usize] = u16::try_from(plies).unwrap_or(u16::MAX);
        if self.keep != Keep::Plies {
            return;
        }
        self.enter(plies, side, |plane| {
            for change in changes {
                plane[change.word as usize] |= change.bits;
            }
        });
    }

    #[inline(always)]
    fn note(&mut self, plies: u32, side: Color, word: usize, bits: u32) {
        if bits != 0 {
            self.longest = self.longest.max(plies);
        }
        if self.keep != Keep::Plies {
            return;
        }
        self.enter(plies, side, |plane| plane[word] |= bits);
    }
}
