use crate::{Count, Material, choose, material::Side};

/// In how many ways white men can stand once black men do, by the number of black men on row 0.
///
/// Black men stand on squares 1-28, white men on 5-32. A black man on row 0 (squares 1-4) takes
/// no square from the white men, any other takes one.
pub(crate) fn white_men_placements(black_men: u32, white_men: u32) -> [u32; 5] {
    core::array::from_fn(|on_row_0| {
        let elsewhere = black_men.saturating_sub(on_row_0 as u32);
        choose(28 - elsewhere, white_men)
    })
}

/// In how many ways the men of both colours can stand.
pub(crate) fn men_placements<N: Count>(black_men: u32, white_men: u32) -> Option<N> {
    let white = white_men_placements(black_men, white_men);
    let mut sum = N::from(0);
    for on_row_0 in 0..=black_men.min(4) {
        let black =
            N::from(choose(4, on_row_0)).checked_mul(N::from(choose(24, black_men - on_row_0)))?;
        sum = sum.checked_add(black.checked_mul(N::from(white[on_row_0 as usize]))?)?;
    }
    Some(sum)
}

impl Material {
    /// The exact number of legal placements of these pieces on the board, for one side to move;
    /// `None` when it does not fit, or a side has more than 12 pieces.
    ///
    /// ```
    /// use crownhead_index::Material;
    /// let material: Material = "MMvM".parse().unwrap();
    /// assert_eq!(material.placements::<u32>(), Some(9_936));
    /// ```
    pub fn placements<N: Count>(&self) -> Option<N> {
        if !self.is_possible() {
            return None;
        }
        let free = 32 - self.men();
        let kings = |kings, free| N::from(choose(free, kings));
        men_placements::<N>(self.black.men.into(), self.white.men.into())?
            .checked_mul(kings(self.black.kings.into(), free))?
            .checked_mul(kings(self.white.kings.into(), free - u32::from(self.black.kings)))
    }

    /// How many positions a table of this material holds: its [placements](Self::placements) with
    /// both sides to move, or with one where colours are symmetric, since turning the board maps
    /// the other side's positions to them.
    ///
    /// ```
    /// use crownhead_index::Material;
    /// let positions = |text: &str| text.parse::<Material>().unwrap().positions::<u32>();
    /// assert_eq!(positions("KvK"), Some(992));
    /// assert_eq!(positions("KvM"), Some(2 * 868));
    /// ```
    pub fn positions<N: Count>(&self) -> Option<N> {
        let sides = if self.is_symmetric() { 1 } else { 2 };
        self.placements::<N>()?.checked_mul(N::from(sides))
    }
}

/// Which placements [`position_count`] counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sides {
    /// Either side may be without pieces.
    MayBeEmpty,
    /// Each side has a piece: what tables store.
    BothThere,
}

/// The number of legal placements with exactly this many pieces, at most 12 a side, for one side
/// to move; `None` when it does not fit.
///
/// The first is the published table of Schaeffer and Lake.
///
/// ```
/// use crownhead_index::{Sides, position_count};
/// assert_eq!(position_count::<u32>(4, Sides::BothThere), Some(6_209_316));
/// ```
pub fn position_count<N: Count>(pieces: u32, sides: Sides) -> Option<N> {
    let mut sum = N::from(0);
    let least = if sides == Sides::BothThere { 1 } else { 0 };
    let most = Material::MAX_SIDE;
    for black in pieces.saturating_sub(most).max(least)..=pieces.min(most) {
        let white = pieces - black;
        if white < least {
            continue;
        }
        for black_men in 0..=black {
            for white_men in 0..=white {
                let material = Material {
                    black: Side { men: black_men as u8, kings: (black - black_men) as u8 },
                    white: Side { men: white_men as u8, kings: (white - white_men) as u8 },
                };
                sum = sum.checked_add(material.placements()?)?;
            }
        }
    }
    Some(sum)
}
