//! Distances of a material as bit planes: bit `b` of a position's plies is in plane `b`.

use crownhead_index::product::ProductIndex;
use crownhead_rules::Color;

use super::longest::{self, Found};
use super::store::Finals;
use super::sweep::{Change, Plies, Verdict};
use super::vector::VectorPath;

/// What a build keeps of distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// Nothing: it solves for values only.
    Nothing,
    /// The largest.
    Longest,
    /// The largest of each side's wins and losses, with a position that has it.
    Places,
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
    /// The same for each [`BLOCK`] of words; empty where no more is known.
    blocks: Vec<Most>,
    /// Of builds that keep nothing else: the largest, and where.
    found: Option<Found>,
}

/// Bounds of plies by side to move, and for wins and losses.
type Most = [[u16; 2]; 2];

/// Words that are looked at together for longer distances.
pub(super) const LOOK: usize = 64;

/// Words that have a bound of their own.
pub(super) const BLOCK: usize = 1 << 10;

impl Distances {
    pub(super) fn new(words: usize, keep: Keep) -> Self {
        Self {
            words,
            keep,
            longest: 0,
            planes: [Vec::new(), Vec::new()],
            most: [[u16::MAX; 2]; 2],
            blocks: Vec::new(),
            found: (keep == Keep::Places).then(Found::default),
        }
    }

    /// Whether the plies of each position are noted.
    fn has_planes(&self) -> bool {
        matches!(self.keep, Keep::Plies | Keep::Places)
    }

    /// The largest with their places, where nothing else is kept.
    pub(super) const fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// Takes the largest of a solved part, whose words are these, into those found before, where
    /// nothing else is kept.
    pub(super) fn find_longest(
        &mut self,
        index: &ProductIndex,
        part: &Finals<'_>,
        path: VectorPath,
    ) {
        let Some(mut found) = self.found else { return };
        let words = part.wins[0].len();
        if longest::may_be_longer(part, 0..words, self, &found) {
            longest::find_in_planes(path, index, part, self, &mut found);
            self.found = Some(found);
        }
    }

    /// Takes what was found in other parts of the material.
    pub(super) fn join(&mut self, part: &Self) {
        if let (Some(found), Some(part)) = (&mut self.found, &part.found) {
            for (found, &part) in found.iter_mut().flatten().zip(part.iter().flatten()) {
                *found = longest::first_longest(*found, part);
                self.longest = self.longest.max(found.map_or(0, |(plies, _)| plies.into()));
            }
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

    /// Sets all distances to 0, but for the first bit of each: [`note_one`](Plies::note_one) comes
    /// first, to all words.
    pub(super) fn clear(&mut self) {
        let used = self.used();
        for planes in &mut self.planes {
            planes.iter_mut().take(used).skip(1).for_each(|plane| plane.fill(0));
        }
        self.longest = 0;
        self.most = [[1; 2]; 2];
    }

    /// Whether the words of a block can have so many plies for this side and verdict.
    pub(super) fn may_reach(&self, plies: u16, block: usize, side: Color, verdict: usize) -> bool {
        self.blocks.get(block).unwrap_or(&self.most)[side as usize][verdict] >= plies
    }

    /// All words of this side have these positions at ply 2, wins or losses or both, and none later.
    pub(super) fn note_two(&mut self, side: Color, bits: &[u32], verdicts: [bool; 2]) {
        if verdicts == [false; 2] {
            return;
        }
        self.longest = self.longest.max(2);
        self.most[side as usize] = verdicts.map(|some| 1 + u16::from(some));
        if self.has_planes() {
            self.enter(2, side, |plane| plane.copy_from_slice(bits));
        }
    }

    /// Puts a part's distances where they belong, from this word on, if more is kept than
    /// [`join`](Self::join) takes. All were 0 there.
    pub(super) fn copy_part(&mut self, part: &Self, first: usize) {
        if self.keep == Keep::Places {
            return;
        }
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

    /// Whether some of the positions in the mask have so many plies, or more: of [`LOOK`] words at
    /// most.
    #[inline(always)]
    pub(super) fn reach(
        &self,
        plies: u16,
        side: Color,
        words: core::ops::Range<usize>,
        mask: &[u32],
    ) -> bool {
        let Some(most) = u32::from(plies).checked_sub(1) else {
            return mask.iter().any(|&bits| bits != 0);
        };
        let planes = &self.planes[side as usize];
        let used = planes.len().min(self.used());
        if most >> used != 0 {
            return false;
        }
        let (mut equal, mut more) = ([!0; LOOK], [0; LOOK]);
        for (bit, plane) in planes[..used].iter().enumerate().rev() {
            // Where the bits are equal so far, a bit that `most` has not makes it more.
            let (one, zero) = if most >> bit & 1 == 0 { (!0, 0) } else { (0, !0) };
            let plane = &plane[words.clone()];
            for ((more, equal), &plane) in more.iter_mut().zip(&mut equal).zip(plane) {
                *more |= *equal & plane & one;
                *equal &= plane ^ !zero;
            }
        }
        more.iter().zip(mask).fold(0, |any, (more, mask)| any | more & mask) != 0
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
        if !self.has_planes() {
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
        if !self.has_planes() {
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
        if !self.has_planes() {
            return;
        }
        self.enter(plies, side, |plane| plane[word] |= bits);
    }
}
