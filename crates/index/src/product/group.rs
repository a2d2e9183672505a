use crownhead_rules::{Bitboard, Color, PieceKind, Square};

use crate::Material;

/// The four groups of like pieces; the number is the order in arrays of four.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// Black men, on squares 1 to 28.
    BlackMen = 0,
    /// Black kings, on any square.
    BlackKings = 1,
    /// White men, on squares 5 to 32.
    WhiteMen = 2,
    /// White kings, on any square.
    WhiteKings = 3,
}

impl Group {
    /// All four, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::BlackMen, Self::BlackKings, Self::WhiteMen, Self::WhiteKings];

    /// The group of this colour and kind.
    #[inline]
    pub const fn of(color: Color, kind: PieceKind) -> Self {
        match (color, kind) {
            (Color::Black, PieceKind::Man) => Self::BlackMen,
            (Color::Black, PieceKind::King) => Self::BlackKings,
            (Color::White, PieceKind::Man) => Self::WhiteMen,
            (Color::White, PieceKind::King) => Self::WhiteKings,
        }
    }

    /// Whose pieces these are.
    #[inline]
    pub const fn color(self) -> Color {
        match self {
            Self::BlackMen | Self::BlackKings => Color::Black,
            Self::WhiteMen | Self::WhiteKings => Color::White,
        }
    }

    /// Men or kings.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        match self {
            Self::BlackMen | Self::WhiteMen => PieceKind::Man,
            Self::BlackKings | Self::WhiteKings => PieceKind::King,
        }
    }

    /// The group of the other colour and the same kind.
    #[must_use]
    #[inline]
    pub const fn mirror(self) -> Self {
        Self::of(self.color().other(), self.kind())
    }

    /// The squares on which these pieces can stand: 28 for men, 32 for kings.
    #[inline]
    pub const fn squares(self) -> Bitboard {
        match self.kind() {
            PieceKind::Man => Bitboard::men_squares(self.color()),
            PieceKind::King => Bitboard::FULL,
        }
    }

    /// How many pieces of this group a material has.
    pub const fn count(self, material: Material) -> u32 {
        material.count(self.color(), self.kind())
    }
}

/// Binomial coefficients: `BINOMIAL[n][k]` is the number of sets of `k` among `n` squares.
pub const BINOMIAL: [[u32; 14]; 33] = {
    let mut table = [[0; 14]; 33];
    let mut n = 0;
    while n < 33 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 14 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// White men start on square 5: their sets are ranked after a shift by one row.
const fn shift(group: Group) -> u32 {
    match group {
        Group::WhiteMen => 4,
        _ => 0,
    }
}

/// How many sets of `count` squares (at most 12) there are for a group.
pub const fn group_len(group: Group, count: u32) -> u32 {
    BINOMIAL[group.squares().len() as usize][count as usize]
}

/// The colexicographic rank of a set among the group's sets with as many squares: the sum of
/// `BINOMIAL[square][k]` over its squares in ascending order, `k` counted from 1.
///
/// ```
/// use crownhead_index::product::{Group, rank_set, unrank_set};
/// let set = unrank_set(Group::WhiteKings, 3, 1000);
/// assert_eq!((set.len(), rank_set(Group::WhiteKings, set)), (3, 1000));
/// ```
#[inline]
pub const fn rank_set(group: Group, set: Bitboard) -> u32 {
    let mut rest = set.0 >> shift(group);
    let (mut rank, mut k) = (0, 1);
    while rest != 0 {
        rank += BINOMIAL[rest.trailing_zeros() as usize][k];
        rest &= rest - 1;
        k += 1;
    }
    rank
}

/// The set of `count` squares with this rank; the inverse of [`rank_set`].
pub const fn unrank_set(group: Group, count: u32, rank: u32) -> Bitboard {
    let (mut rest, mut set) = (rank, 0);
    let mut square = group.squares().len();
    let mut k = count as usize;
    while k > 0 && square > 0 {
        square -= 1;
        if BINOMIAL[square as usize][k] <= rest {
            rest -= BINOMIAL[square as usize][k];
            set |= 1 << square;
            k -= 1;
        }
    }
    Bitboard(set << shift(group))
}

/// The rows that a set of men has advanced, summed; kings count nothing.
pub(super) fn advancement(group: Group, set: Bitboard) -> u32 {
    let rows = |square: Square| match group {
        Group::BlackMen => square.row(),
        Group::WhiteMen => 7 - square.row(),
        _ => 0,
    };
    set.into_iter().map(rows).sum()
}
