//! Distances of a material as bit planes: bit `b` of a position's plies is in plane `b`.

use crownhead_rules::Color;

use super::sweep::Plies;

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
}

impl Distances {
    pub(super) fn new(words: usize, keep: Keep) -> Self {
        Self { words, keep, longest: 0, planes: [Vec::new(), Vec::new()] }
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
    }

    /// Puts a part's distances where they belong, from this word on. All were 0 there.
    pub(super) fn copy_part(&mut self, part: &Self, first: usize) {
        self.longest = self.longest.max(part.longest);
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

    /// Whether some of these positions of a word can have more plies than `most`: a quick look that
    /// is sure only where it says no.
    #[inline(always)]
    pub(super) fn may_exceed(&self, most: u16, side: Color, word: usize, positions: u32) -> bool {
        let top = most.checked_ilog2().unwrap_or(0) as usize;
        let mut high = 0;
        for plane in self.planes[side as usize].iter().skip(top) {
            high |= plane[word];
        }
        high & positions != 0
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
    fn note(&mut self, plies: u32, side: Color, word: usize, bits: u32) {
        if bits != 0 {
            self.longest = self.longest.max(plies);
        }
        if self.keep != Keep::Plies {
            return;
        }
        let planes = &mut self.planes[side as usize];
        let mut rest = plies;
        while rest != 0 {
            let plane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            while planes.len() <= plane {
                planes.push(vec![0; self.words]);
            }
            planes[plane][word] |= bits;
        }
    }
}
