use core::fmt;
use core::str::FromStr;

use crownhead_rules::{Color, PieceKind, Position};

/// How many men and kings one side has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Side {
    /// Men, 0 to 12.
    pub men: u8,
    /// Kings, 0 to 12.
    pub kings: u8,
}

impl Side {
    /// Men and kings.
    pub const fn pieces(self) -> u32 {
        self.men as u32 + self.kings as u32
    }

    /// Orders sides by strength: more pieces first, then more kings.
    const fn strength(self) -> u32 {
        self.pieces() * 32 + self.kings as u32
    }
}

/// How many men and kings each side has: the unit in which tables are built and stored.
///
/// Turning the board maps a material to its [`mirror`](Material::mirror) with the other side to
/// move. Of the two, the [canonical](Material::is_canonical) one, whose Black is at least as
/// strong, is solved and stored, with both sides to move.
///
/// Text names one side first, kings before men: `KKMvKM`. Parsing and printing put Black first.
///
/// ```
/// use crownhead_index::Material;
/// let material: Material = "KKMvKM".parse().unwrap();
/// assert_eq!(material.black.kings, 2);
/// assert_eq!(material.mirror().to_string(), "KMvKKM");
/// assert!(material.is_canonical());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Material {
    /// Black's men and kings.
    pub black: Side,
    /// White's men and kings.
    pub white: Side,
}

impl Material {
    /// The largest number of pieces a side may have.
    pub const MAX_SIDE: u32 = 12;

    /// A material from its numbers of pieces.
    ///
    /// ```
    /// use crownhead_index::Material;
    /// assert_eq!(Material::new(1, 2, 0, 1).to_string(), "KKMvK");
    /// ```
    pub const fn new(black_men: u8, black_kings: u8, white_men: u8, white_kings: u8) -> Self {
        Self {
            black: Side { men: black_men, kings: black_kings },
            white: Side { men: white_men, kings: white_kings },
        }
    }

    /// The material of a position.
    pub const fn of(position: &Position) -> Self {
        Self {
            black: Side {
                men: position.black_men.len() as u8,
                kings: position.black_kings.len() as u8,
            },
            white: Side {
                men: position.white_men.len() as u8,
                kings: position.white_kings.len() as u8,
            },
        }
    }

    /// The side of a colour.
    pub const fn side(&self, color: Color) -> Side {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    /// How many pieces of this colour and kind there are.
    pub const fn count(&self, color: Color, kind: PieceKind) -> u32 {
        let side = self.side(color);
        match kind {
            PieceKind::Man => side.men as u32,
            PieceKind::King => side.kings as u32,
        }
    }

    /// All pieces of both sides.
    pub const fn pieces(&self) -> u32 {
        self.black.pieces() + self.white.pieces()
    }

    /// All men of both sides.
    pub const fn men(&self) -> u32 {
        self.black.men as u32 + self.white.men as u32
    }

    /// Whether neither side has more than 12 pieces.
    pub const fn is_possible(&self) -> bool {
        self.black.pieces() <= Self::MAX_SIDE && self.white.pieces() <= Self::MAX_SIDE
    }

    /// The material with colours swapped.
    #[must_use]
    pub const fn mirror(&self) -> Self {
        Self { black: self.white, white: self.black }
    }

    /// Whether the material is its own mirror, so that White to move repeats Black to move.
    pub fn is_symmetric(&self) -> bool {
        self.black == self.white
    }

    /// Whether Black has at least as many pieces and, with equally many, at least as many kings.
    pub const fn is_canonical(&self) -> bool {
        self.black.strength() >= self.white.strength()
    }

    /// This material or its mirror, whichever is canonical.
    #[must_use]
    pub const fn canonical(&self) -> Self {
        if self.is_canonical() { *self } else { self.mirror() }
    }
}

fn write_side(f: &mut fmt::Formatter<'_>, side: Side) -> fmt::Result {
    for _ in 0..side.kings {
        f.write_str("K")?;
    }
    for _ in 0..side.men {
        f.write_str("M")?;
    }
    Ok(())
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_side(f, self.black)?;
        f.write_str("v")?;
        write_side(f, self.white)
    }
}

/// Why a text is no material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseMaterialError {
    /// Something else than `K`, `M` or one `v` stands at this byte (counted from 0).
    Unexpected(usize),
    /// A king follows a man at this byte: kings come first.
    KingAfterMan(usize),
    /// There is no `v` between two sides.
    OneSide,
    /// The side that ends at this byte has no piece.
    NoPiece(usize),
    /// The side that ends at this byte has more than 12 pieces.
    TooManyPieces(usize),
}

impl fmt::Display for ParseMaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(at) => write!(f, "character {}: expected K, M or one v", at + 1),
            Self::KingAfterMan(at) => write!(f, "character {}: kings come before men", at + 1),
            Self::OneSide => f.write_str("no v between the two sides"),
            Self::NoPiece(at) => {
                write!(f, "the side that ends before character {} has no piece", at + 1)
            }
            Self::TooManyPieces(at) => {
                write!(f, "the side that ends before character {} has more than 12 pieces", at + 1)
            }
        }?;
        f.write_str("; a material looks like KKMvKM")
    }
}

impl core::error::Error for ParseMaterialError {}

impl FromStr for Material {
    type Err = ParseMaterialError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut first = None;
        let mut side = Side::default();
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b'K' if side.men > 0 => return Err(ParseMaterialError::KingAfterMan(at)),
                b'K' | b'M' if side.pieces() == Self::MAX_SIDE => {
                    return Err(ParseMaterialError::TooManyPieces(at));
                }
                b'K' => side.kings += 1,
                b'M' => side.men += 1,
                b'v' if first.is_none() => {
                    if side.pieces() == 0 {
                        return Err(ParseMaterialError::NoPiece(at));
                    }
                    first = Some(core::mem::take(&mut side));
                }
                _ => return Err(ParseMaterialError::Unexpected(at)),
            }
        }
        let black = first.ok_or(ParseMaterialError::OneSide)?;
        if side.pieces() == 0 {
            return Err(ParseMaterialError::NoPiece(text.len()));
        }
        Ok(Self { black, white: side })
    }
}
