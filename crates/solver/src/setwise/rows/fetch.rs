//! Finding the looked-up words of a row.

use crownhead_index::product::Group;

use super::super::classify::Outer;
use super::super::geometry::squares;
use super::super::leaves::Leaf;
use super::super::scores::{Code, Scores};
use super::kernels::Fetched;

/// The words that one capture leads to, one for each rank of the lanes' group.
#[derive(Clone, Copy)]
pub(super) enum Row<'a> {
    /// The opponent has no piece left, whatever the rank.
    Won,
    /// Words of a table.
    Look { wins: &'a [u32], losses: &'a [u32], scores: &'a Scores, base: usize, stride: usize },
}

impl<'a> Row<'a> {
    /// The ranks of the outer pieces' groups are those of the row, but for the changed ones.
    #[inline(always)]
    pub(super) fn new(leaf: &'a Leaf, outer: &Outer<'_>, changed: &[(Group, u32)]) -> Self {
        let table = match leaf {
            Leaf::Impossible => unreachable!("a capture the material does not allow"),
            Leaf::Won => return Self::Won,
            Leaf::Look(table) => table,
        };
        let mut ranks = outer.ranks;
        for &(group, rank) in changed {
            ranks[group as usize] = rank;
        }
        let base = (0..4).map(|g| table.strides[g] * ranks[g] as usize).sum();
        let stride = table.strides[outer.lane as usize];
        let (wins, losses, scores) = (table.wins(), table.losses(), table.scores());
        Self::Look { wins, losses, scores, base, stride }
    }

    /// The words, wins first, at the ranks 0, 1, ... of the lanes' group.
    #[inline(always)]
    pub(super) fn all<'f>(self, lanes: usize, fetched: &'f mut Fetched) -> (&'f [u32], &'f [u32])
    where
        'a: 'f,
    {
        match self {
            Self::Look { wins, losses, base, stride: 1, .. } => {
                (&wins[base..base + lanes], &losses[base..base + lanes])
            }
            Self::Look { wins, losses, base, stride, .. } => {
                let words = (0..lanes).map(|lane| base + stride * lane);
                let (to_wins, to_losses) = (&mut fetched.wins, &mut fetched.losses);
                for ((word, win), loss) in words.zip(&mut *to_wins).zip(&mut *to_losses) {
                    (*win, *loss) = (wins[word], losses[word]);
                }
                (&fetched.wins[..lanes], &fetched.losses[..lanes])
            }
            Self::Won => {
                fetched.wins[..lanes].fill(0);
                fetched.losses[..lanes].fill(!0);
                (&fetched.wins[..lanes], &fetched.losses[..lanes])
            }
        }
    }

    /// Fetches the words at these ranks.
    #[inline(always)]
    pub(super) fn gather(self, ranks: &[u32], fetched: &mut Fetched) {
        let lanes = ranks.len();
        match self {
            Self::Won => {
                fetched.wins[..lanes].fill(0);
                fetched.losses[..lanes].fill(!0);
            }
            Self::Look { wins, losses, base, stride, .. } => {
                let (to_wins, to_losses) =
                    (&mut fetched.wins[..lanes], &mut fetched.losses[..lanes]);
                for lane in 0..lanes {
                    let rank = ranks[lane];
                    if rank != u32::MAX {
                        let word = base + stride * rank as usize;
                        (to_wins[lane], to_losses[lane]) = (wins[word], losses[word]);
                    }
                }
            }
        }
    }

    /// The words, wins first, at one rank.
    #[inline(always)]
    pub(super) fn at(self, rank: u32) -> [u32; 2] {
        match self {
            Self::Won => [0, !0],
            Self::Look { wins, losses, base, stride, .. } => {
                let word = base + stride * rank as usize;
                [wins[word], losses[word]]
            }
        }
    }

    /// The code at one rank of the lanes' group and one square of the fast piece.
    #[inline(always)]
    pub(super) fn code(self, rank: u32, square: u32) -> Code {
        match self {
            Self::Won => 0,
            Self::Look { scores, base, stride, .. } => {
                scores.at(base + stride * rank as usize, square)
            }
        }
    }

    /// Lowers one word's codes, at the squares of the mask, to those at one rank.
    #[inline(always)]
    pub(super) fn lower(self, rank: u32, mask: u32, best: &mut [Code]) {
        match self {
            Self::Won => squares(mask).for_each(|square| best[square] = 0),
            Self::Look { scores, base, stride, .. } => {
                scores.lower_word(base + stride * rank as usize, mask, best);
            }
        }
    }
}
