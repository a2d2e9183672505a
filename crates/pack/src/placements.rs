use crownhead_index::Material;
use crownhead_rules::{Bitboard, Color, Position};

/// The subsets of a set with a given size, in colex order (by the highest square, then the next).
#[derive(Clone)]
struct Subsets {
    squares: [u8; 32],
    /// The next subset as bits that number the squares of the set; beyond `end` there is none.
    next: u64,
    end: u64,
}

impl Subsets {
    fn new(of: Bitboard, size: u32) -> Self {
        let mut squares = [0; 32];
        for (slot, square) in squares.iter_mut().zip(of) {
            *slot = square.index() as u8;
        }
        Self { squares, next: (1 << size) - 1, end: 1 << of.len() }
    }
}

impl Iterator for Subsets {
    type Item = Bitboard;

    #[inline]
    fn next(&mut self) -> Option<Bitboard> {
        let this = self.next;
        if this >= self.end {
            return None;
        }
        self.next = match this {
            // The empty set is the only one of its size.
            0 => self.end,
            // The next larger number with as many ones.
            _ => {
                let ripple = this + (this & this.wrapping_neg());
                ripple | ((ripple ^ this) >> (2 + this.trailing_zeros()))
            }
        };
        let mut set = 0;
        let mut rest = this;
        while rest != 0 {
            set |= 1 << self.squares[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        Some(Bitboard(set))
    }
}

/// Black men and white men in the order of the perfect index.
pub(crate) fn men_placements(material: Material) -> impl Iterator<Item = (Bitboard, Bitboard)> {
    let (black, white) = (material.black.men.into(), material.white.men.into());
    Subsets::new(Bitboard::men_squares(Color::Black), black).flat_map(move |black_men| {
        Subsets::new(Bitboard::men_squares(Color::White) - black_men, white)
            .map(move |white_men| (black_men, white_men))
    })
}

/// The placements of the kings around these men, in the order of the perfect index.
#[inline]
pub(crate) fn king_placements(
    material: Material,
    (black_men, white_men): (Bitboard, Bitboard),
    mut visit: impl FnMut(Position),
) {
    let free = !(black_men | white_men);
    for black_kings in Subsets::new(free, material.black.kings.into()) {
        for white_kings in Subsets::new(free - black_kings, material.white.kings.into()) {
            visit(Position {
                black_men,
                black_kings,
                white_men,
                white_kings,
                side_to_move: Color::Black,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crownhead_index::{PerfectIndex, materials_to};

    use super::*;

    #[test]
    fn placements_come_in_the_order_of_the_perfect_index() {
        for material in materials_to(3).chain(["KMvMM".parse().expect("a material")]) {
            let index = PerfectIndex::<u64>::new(material).expect("an index");
            let mut rank = 0;
            for men in men_placements(material) {
                king_placements(material, men, |position| {
                    assert_eq!(index.unrank(rank, Color::Black), Some(position), "{material}");
                    rank += 1;
                });
            }
            assert_eq!(rank, index.len(), "{material}");
        }
    }
}
