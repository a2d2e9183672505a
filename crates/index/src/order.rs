use crate::{Material, material::Side};

/// The most pieces that one capture can take.
///
/// Jumps of a king link the eight squares of one of four lattices, whose nine pairs of
/// neighbours each hold one square to jump over; no piece is jumped twice.
const KING_CAPTURES: u32 = 9;
/// The most pieces that a man can take: each jump takes it two of seven rows forward.
const MAN_CAPTURES: u32 = 3;

/// The canonical materials with exactly this many pieces, at most 12 a side, in solve order: fewer
/// men first, so that every material comes after its [parts](Material::parts).
///
/// ```
/// use crownhead_index::materials;
/// let three: Vec<String> = materials(3).map(|m| m.to_string()).collect();
/// assert_eq!(three, ["KKvK", "KMvK", "KKvM", "MMvK", "KMvM", "MMvM"]);
/// ```
pub fn materials(pieces: u32) -> impl Iterator<Item = Material> + Clone {
    let most = Material::MAX_SIDE;
    let black_pieces = pieces.div_ceil(2)..=pieces.saturating_sub(1).min(most);
    (0..=pieces)
        .flat_map(move |men| black_pieces.clone().map(move |black| (men, black)))
        .flat_map(move |(men, black)| {
            let white = pieces - black;
            (men.saturating_sub(white)..=men.min(black)).rev().map(move |black_men| Material {
                black: Side { men: black_men as u8, kings: (black - black_men) as u8 },
                white: Side {
                    men: (men - black_men) as u8,
                    kings: (white + black_men - men) as u8,
                },
            })
        })
        .filter(Material::is_canonical)
}

/// The canonical materials with 2 to this many pieces, in solve order: fewer pieces first, then
/// fewer men.
///
/// ```
/// use crownhead_index::materials_to;
/// let positions: u32 = materials_to(4).map(|m| m.positions::<u32>().unwrap()).sum();
/// assert_eq!(positions, 6_408_836);
/// ```
pub fn materials_to(pieces: u32) -> impl Iterator<Item = Material> + Clone {
    (2..=pieces.min(2 * Material::MAX_SIDE)).flat_map(materials)
}

/// Whether a move of the first side can turn these two sides into those.
fn moves_to(mover: Side, other: Side, mover_after: Side, other_after: Side) -> bool {
    let (Some(men), Some(kings)) =
        (other.men.checked_sub(other_after.men), other.kings.checked_sub(other_after.kings))
    else {
        return false;
    };
    let captured = u32::from(men) + u32::from(kings);
    let crowned = mover.men > 0
        && mover_after == Side { men: mover.men - 1, kings: mover.kings + 1 }
        && captured <= MAN_CAPTURES;
    let captures = mover_after == mover
        && captured > 0
        && captured <= if mover.kings > 0 { KING_CAPTURES } else { MAN_CAPTURES };
    crowned || captures
}

impl Material {
    /// Whether one capture or promotion, by either side, leads from this material to that one or
    /// its mirror.
    ///
    /// One capture can take several pieces and crown the man that takes them.
    pub fn has_part(&self, part: &Self) -> bool {
        [*part, part.mirror()].iter().any(|to| {
            moves_to(self.black, self.white, to.black, to.white)
                || moves_to(self.white, self.black, to.white, to.black)
        })
    }

    /// The canonical materials that one capture or promotion leads to, in solve order: what must
    /// be there before this one is built.
    ///
    /// Materials in which a side has no piece left are not among them: their value needs no table.
    ///
    /// ```
    /// use crownhead_index::Material;
    /// let material: Material = "KMvKK".parse().unwrap();
    /// let parts: Vec<String> = material.parts().map(|m| m.to_string()).collect();
    /// assert_eq!(parts, ["KKvK", "KMvK", "KKvM", "KKvKK"]);
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = Self> + Clone + use<> {
        let whole = *self;
        materials_to(self.pieces()).filter(move |part| whole.has_part(part))
    }
}
