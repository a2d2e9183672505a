use crownhead_rules::{Bitboard, Color, Direction, Position};

/// The squares that the men of one position can come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    men: [Bitboard; 2],
}

impl Reach {
    pub(crate) fn of(position: &Position) -> Self {
        Self { men: Color::BOTH.map(|color| ahead(position.men(color), color)) }
    }

    /// Whether men of the position can come to stand on these squares, or on the same squares of
    /// the board turned, with colours swapped. Some that they cannot come to are let through.
    pub(super) fn has(&self, black: Bitboard, white: Bitboard) -> bool {
        let [black_reach, white_reach] = self.men;
        let within = |set: Bitboard, reach: Bitboard| (set - reach).is_empty();
        within(black, black_reach) && within(white, white_reach)
            || within(black, white_reach.turned()) && within(white, black_reach.turned())
    }

    /// How many squares the men of each side can come to.
    pub(crate) fn squares(&self) -> [u32; 2] {
        self.men.map(|men| men.len())
    }
}

/// These squares and all that lie ahead of them, the crown row left out.
fn ahead(men: Bitboard, color: Color) -> Bitboard {
    let mut all = men;
    for _ in 0..6 {
        for direction in Direction::forward(color) {
            all |= direction.step(all) & Bitboard::men_squares(color);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_come_to_what_lies_ahead_of_them() {
        let reach = Reach::of(&"B:B19,K1:W10".parse().unwrap());
        let set = |squares: &[u32]| Bitboard(squares.iter().map(|s| 1 << (s - 1)).sum());
        assert_eq!(reach.men, [set(&[19, 23, 24, 26, 27, 28]), set(&[10, 6, 7])]);
        assert_eq!(reach.squares(), [6, 3]);
        assert!(reach.has(set(&[26]), set(&[6])) && reach.has(set(&[]), set(&[7])));
        assert!(reach.has(set(&[26]), set(&[7])), "turned: 7 is 26, and 26 is 7");
        assert!(!reach.has(set(&[18]), set(&[])) && !reach.has(set(&[19]), set(&[11])));
    }
}
