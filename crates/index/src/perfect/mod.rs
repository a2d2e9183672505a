mod combination;
mod men;
mod positions;

use core::fmt;

use crownhead_rules::{Bitboard, Color, Position};

use self::combination::{rank_within, unrank_within};
use self::men::MenIndex;
pub use self::positions::Positions;
use crate::{Count, Material, choose};

/// Numbers the placements of a material from 0 without gaps: a rank for each, a placement for
/// each rank.
///
/// Both sides to move use the same numbers. Table files are in this order. `N` is `u32`, or `u64`
/// with the `wide` feature, for materials of more than 4,294,967,295 placements (from 8 pieces).
///
/// # Order
///
/// Placements are ordered by black men, then white men, then black kings, then white kings, each
/// set compared as the number that its bits are: by the highest square first (colex order).
///
/// So the lowest piece of the last set that is not empty varies fastest, and neighbours mostly
/// differ in its square alone. It is the fast piece of the product index, whose order this is with
/// unused bits left out: the bits of empty squares below the other pieces of the fast group,
/// squares ascending, word after word, stand for rank 0, 1, 2, ...
///
/// Kings are numbered on the squares that the men leave free, so that all placements of the men
/// have equally many.
///
/// ```
/// use crownhead_index::{Material, PerfectIndex};
/// use crownhead_rules::Color;
///
/// let material: Material = "KMvK".parse()?;
/// let index: PerfectIndex = PerfectIndex::new(material)?;
/// assert_eq!(index.len(), 28 * 31 * 30);
///
/// // Black man on 1, black king on 2, white king on 3, then on 4, ...
/// let first = index.unrank(0, Color::Black).unwrap();
/// let next = index.unrank(1, Color::Black).unwrap();
/// assert_eq!(first.white_kings.first().unwrap().number(), 3);
/// assert_eq!(next.white_kings.first().unwrap().number(), 4);
/// assert_eq!(first.black_men, next.black_men);
/// assert_eq!(index.rank(&next), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PerfectIndex<N = u32> {
    material: Material,
    men: MenIndex<N>,
    /// How many placements of all kings there are for each of the men.
    kings: N,
    /// How many placements of the white kings there are for each of the black kings.
    white_kings: N,
    len: N,
}

/// The placements of a material cannot be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexError {
    /// A side has more than 12 pieces, or none.
    Impossible(Material),
    /// The number of placements does not fit the integer type.
    TooManyPlacements(Material),
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Impossible(material) => {
                write!(f, "material {material}: each side has 1 to 12 pieces")
            }
            Self::TooManyPlacements(material) => write!(
                f,
                "material {material}: more placements than the index type holds; use \
                 PerfectIndex<u64> (feature `wide`)"
            ),
        }
    }
}

impl core::error::Error for IndexError {}

impl<N: Count> PerfectIndex<N> {
    /// The index of a material, canonical or not.
    ///
    /// # Errors
    ///
    /// When a side has no piece or more than 12, and when the placements are too many for `N`.
    pub fn new(material: Material) -> Result<Self, IndexError> {
        let (black, white) = (material.black, material.white);
        if !material.is_possible() || black.pieces() == 0 || white.pieces() == 0 {
            return Err(IndexError::Impossible(material));
        }
        let len = material.placements().ok_or(IndexError::TooManyPlacements(material))?;
        let free = 32 - material.men();
        let (black_kings, white_kings) = (u32::from(black.kings), u32::from(white.kings));
        let white_placements = N::from(choose(free - black_kings, white_kings));
        Ok(Self {
            material,
            men: MenIndex::new(black.men.into(), white.men.into()),
            kings: N::from(choose(free, black_kings)) * white_placements,
            white_kings: white_placements,
            len,
        })
    }

    /// The material whose placements are numbered.
    pub const fn material(&self) -> Material {
        self.material
    }

    /// The number of placements; ranks are smaller.
    pub const fn len(&self) -> N {
        self.len
    }

    /// The sides to move for which positions are stored, Black first: only Black where colours
    /// are symmetric.
    pub fn sides(&self) -> &'static [Color] {
        if self.material.is_symmetric() { &[Color::Black] } else { &Color::BOTH }
    }

    /// The rank of a position, whichever side is to move; `None` when it is not legal or has
    /// another material (its mirror's included: see [`locate`](Self::locate)).
    #[inline]
    pub fn rank(&self, position: &Position) -> Option<N> {
        let fits = Material::of(position) == self.material && position.is_legal();
        fits.then(|| self.rank_legal(position))
    }

    /// Where a table holds a position: its side to move and rank, after turning the board where
    /// the position is the mirror of a stored one. `None` when it is not legal or has another
    /// material.
    ///
    /// ```
    /// use crownhead_index::{Material, PerfectIndex};
    /// use crownhead_rules::Color;
    /// let index: PerfectIndex = PerfectIndex::new("KKvK".parse().unwrap()).unwrap();
    /// let position = index.unrank(7, Color::White).unwrap();
    /// assert_eq!(index.locate(&position), Some((Color::White, 7)));
    /// assert_eq!(index.locate(&position.mirror()), Some((Color::White, 7)));
    /// ```
    #[inline]
    pub fn locate(&self, position: &Position) -> Option<(Color, N)> {
        let material = Material::of(position);
        if !position.is_legal() {
            return None;
        }
        let as_is = material == self.material
            && !(position.side_to_move == Color::White && self.material.is_symmetric());
        if as_is {
            Some((position.side_to_move, self.rank_legal(position)))
        } else if material == self.material.mirror() {
            let turned = position.mirror();
            Some((turned.side_to_move, self.rank_legal(&turned)))
        } else {
            None
        }
    }

    /// The rank of a position known to be legal and of this material.
    #[inline]
    fn rank_legal(&self, position: &Position) -> N {
        let (black_men, white_men) = (position.black_men.0, position.white_men.0);
        let (black_kings, white_kings) = (position.black_kings.0, position.white_kings.0);
        let free = !(black_men | white_men);
        let men = self.men.rank(black_men, white_men);
        let black = rank_within(black_kings, free);
        let white = rank_within(white_kings, free & !black_kings);
        men * self.kings + N::from(black) * self.white_kings + N::from(white)
    }

    /// The position with this rank and side to move; `None` from [`len`](Self::len) on.
    pub fn unrank(&self, rank: N, side_to_move: Color) -> Option<Position> {
        if rank >= self.len {
            return None;
        }
        let (black_men, white_men) = self.men.unrank(rank / self.kings);
        let free = !(black_men | white_men);
        let kings = rank % self.kings;
        let Material { black, white } = self.material;
        let black_rank = (kings / self.white_kings).low();
        let black_kings = unrank_within(black_rank, black.kings.into(), free);
        let white_rank = (kings % self.white_kings).low();
        let white_kings = unrank_within(white_rank, white.kings.into(), free & !black_kings);
        Some(Position {
            black_men: Bitboard(black_men),
            black_kings: Bitboard(black_kings),
            white_men: Bitboard(white_men),
            white_kings: Bitboard(white_kings),
            side_to_move,
        })
    }
    /// The positions from this rank on, in order: several times as fast as unranking each.
    ///
    /// ```
    /// use crownhead_index::PerfectIndex;
    /// use crownhead_rules::Color;
    /// let index: PerfectIndex = PerfectIndex::new("KMvK".parse().unwrap()).unwrap();
    /// for (rank, position) in (0..).zip(index.positions_from(0, Color::White)).take(50) {
    ///     assert_eq!(index.unrank(rank, Color::White), Some(position));
    /// }
    /// ```
    pub fn positions_from(&self, rank: N, side_to_move: Color) -> Positions {
        Positions::new(self.unrank(rank, side_to_move))
    }
}
