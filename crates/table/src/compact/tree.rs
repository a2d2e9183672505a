use crate::ReadAt;

use super::bits::Part;
use super::feature::{Features, feature_count};

/// The bits that give the length of the number of splits.
pub const LENGTH_BITS: u32 = 4;
/// The bits of a leaf's code.
pub const LEAF_BITS: u32 = 5;

/// What a leaf says of its positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// The predicate is the same for all.
    Pure(bool),
    /// The predicate is `usual` but for exceptions.
    Mixed {
        /// The value of all that are no exceptions.
        usual: bool,
        /// Exceptions have fingerprints of so many bits in the ribbon of this number; with 0, the
        /// ribbon of answers knows every position of the leaf.
        class: u32,
    },
}

impl Leaf {
    /// The leaf with this code of [`LEAF_BITS`] bits.
    pub const fn from_code(code: u32) -> Self {
        let usual = code & 1 != 0;
        match code >> 1 {
            0 => Self::Pure(usual),
            above => Self::Mixed { usual, class: above - 1 },
        }
    }

    /// The code of this leaf.
    pub const fn code(self) -> u32 {
        match self {
            Self::Pure(usual) => usual as u32,
            Self::Mixed { usual, class } => (class + 1) << 1 | usual as u32,
        }
    }
}

/// The bits of a feature's number, for positions with so many pieces.
pub const fn feature_bits(pieces: u32) -> u32 {
    32 - (feature_count(pieces) - 1).leading_zeros()
}

/// Walks the tree that begins at this bit down to the position's leaf.
///
/// A tree is stored level by level. Topology: a bit for each node, 1 for a split. The node that
/// is split number `r` has the nodes `2 * r + 1` (where its feature does not hold) and
/// `2 * r + 2` as children. Then the splits' features, then the leaves' codes, both in order.
pub(super) fn walk<R: ReadAt + ?Sized>(
    part: &Part<'_, R>,
    at: u32,
    pieces: u32,
    features: &mut Features,
) -> Result<Leaf, R::Error> {
    let length = part.bits(at, LENGTH_BITS)?;
    let splits = part.bits(at + LENGTH_BITS, length)?;
    let width = feature_bits(pieces);
    let topology = at + LENGTH_BITS + length;
    let features_at = topology + 2 * splits + 1;
    // The word in which the node's bit is, and how many splits are before that word.
    let (mut base, mut before) = (topology & !31, 0);
    let mut word = part.word(base / 8)? & (!0 << (topology % 32));
    let mut node = 0;
    loop {
        let place = topology + node - base;
        let splits_before = before + (word & !(!0 << place)).count_ones();
        if word >> place & 1 == 0 {
            let leaves_at = features_at + splits * width;
            let leaf = node - splits_before;
            return Ok(Leaf::from_code(part.bits(leaves_at + leaf * LEAF_BITS, LEAF_BITS)?));
        }
        let feature = part.bits(features_at + splits_before * width, width)?;
        let child = 2 * splits_before + 1 + u32::from(features.holds(feature));
        if child <= node || child > 2 * splits {
            // No packed tree: a split without children. The image is damaged in a way that
            // gives the right checksums; any leaf will do.
            return Ok(Leaf::Pure(false));
        }
        node = child;
        while topology + node - base >= 32 {
            before += word.count_ones();
            base += 32;
            word = part.word(base / 8)?;
        }
    }
}
