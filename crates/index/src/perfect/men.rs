use super::combination::{last_place, rank_within, unrank_within};
use crate::placements::white_men_placements;
use crate::{Count, choose};

const ROW_0: u32 = 0xf;
const BLACK_SQUARES: u32 = 0x0fff_ffff;
const WHITE_SQUARES: u32 = 0xffff_fff0;

/// Numbers the placements of the men of both colours: black men in colex order, then white men in
/// colex order of the squares that are left to them.
///
/// The number of white placements differs from one black placement to the next: it depends on how
/// many black men stand on row 0, where no white man can. Hence the weights below.
#[derive(Clone, Copy, Debug)]
pub(super) struct MenIndex<N> {
    black: u32,
    white: u32,
    /// White placements by the number of black men on row 0.
    white_placements: [u32; 5],
    /// The same times the number of ways in which so many can stand on row 0.
    weights: [N; 5],
}

impl<N: Count> MenIndex<N> {
    /// The caller has checked that the number of placements fits `N`, so that no sum below, each
    /// a number of some of the placements, can overflow.
    pub(super) fn new(black: u32, white: u32) -> Self {
        let white_placements = white_men_placements(black, white);
        let weights = core::array::from_fn(|on_row_0| {
            if on_row_0 as u32 > black {
                return N::from(0);
            }
            N::from(choose(4, on_row_0 as u32)) * N::from(white_placements[on_row_0])
        });
        Self { black, white, white_placements, weights }
    }

    /// How many placements have the `k` lowest black men below this square and the others,
    /// `higher`, where they are.
    #[inline]
    fn placements_below(&self, square: u32, k: u32, higher: u32) -> N {
        if square < 4 {
            // All of them on row 0, as many as there is room for, perhaps beside higher ones.
            let on_row_0 = k + (higher & ROW_0).count_ones();
            return if k > square {
                N::from(0)
            } else {
                N::from(choose(square, k)) * N::from(self.white_placements[on_row_0 as usize])
            };
        }
        let mut sum = N::from(0);
        for on_row_0 in 0..=k.min(4) {
            let ways = choose(square - 4, k - on_row_0);
            sum = sum + self.weights[on_row_0 as usize] * N::from(ways);
        }
        sum
    }

    #[inline]
    pub(super) fn rank(&self, black: u32, white: u32) -> N {
        let white_rank = rank_within(white, WHITE_SQUARES & !black);
        if self.white == 0 {
            return N::from(rank_within(black, BLACK_SQUARES));
        }
        let mut rank = N::from(white_rank);
        let mut rest = black;
        let mut k = 0;
        while rest != 0 {
            k += 1;
            rank = rank + self.placements_below(rest.trailing_zeros(), k, rest & (rest - 1));
            rest &= rest - 1;
        }
        rank
    }

    /// The sets of black and white men.
    pub(super) fn unrank(&self, mut rank: N) -> (u32, u32) {
        let mut black = 0;
        let mut above = 28;
        for k in (1..=self.black).rev() {
            let square =
                last_place(above, |square| self.placements_below(square, k, black) <= rank);
            rank = rank - self.placements_below(square, k, black);
            black |= 1 << square;
            above = square;
        }
        let white = unrank_within(rank.low(), self.white, WHITE_SQUARES & !black);
        debug_assert_eq!(
            choose((WHITE_SQUARES & !black).count_ones(), self.white),
            self.white_placements[(black & ROW_0).count_ones() as usize]
        );
        (black, white)
    }
}
