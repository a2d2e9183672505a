use crownhead_rules::{Bitboard, Color, Position};

use crate::Score;

const MAN: i32 = 100;
const KING: i32 = 145;
/// Squares 2 to 4 columns from the edges in the middle rows, which see most of the board.
const CENTRE: u32 = 0x0066_6600;
/// Both pairs of squares where a lone king cannot be caught.
const DOUBLE_CORNERS: u32 = 1 << 0 | 1 << 4 | 1 << 27 | 1 << 31;
/// From its own side: the squares 1 and 3 that keep two kings out.
const BRIDGE: u32 = 0b101;

/// An estimate for the side to move, of a position without a pending capture.
///
/// Material, weighed more the fewer pieces there are; men that have come far or guard the
/// crownhead; the centre; freedom to move; and for the side ahead, getting close.
pub fn evaluate(position: &Position) -> Score {
    let side = position.side_to_move;
    let (ours, theirs) = (material(position, side), material(position, side.other()));
    let pieces = position.occupied().len() as i32;
    let ahead = ours - theirs;
    // With 24 pieces as it is, with 8 half as much again: exchanges are good for the side ahead.
    let mut sum = ahead + ((ahead * (24 - pieces)) >> 5);
    sum += placement(position, side) - placement(position, side.other());
    if ahead > 50 {
        sum += chase(position, side);
    } else if ahead < -50 {
        sum -= chase(position, side.other());
    }
    Score::estimate(sum + TURN)
}

/// The turn to move is worth this much.
const TURN: i32 = 3;

fn material(position: &Position, color: Color) -> i32 {
    MAN * position.men(color).len() as i32 + KING * position.kings(color).len() as i32
}

fn placement(position: &Position, color: Color) -> i32 {
    let (men, kings) = match color {
        Color::Black => (position.men(color).0, position.kings(color).0),
        Color::White => (position.men(color).turned().0, position.kings(color).turned().0),
    };
    let count = |set: u32| set.count_ones() as i32;
    // Rows passed, by binary digits of the row number.
    let rows =
        count(men & 0xf0f0_f0f0) + 2 * count(men & 0xff00_ff00) + 4 * count(men & 0xffff_0000);
    let enemy_men = !position.men(color.other()).is_empty();
    let guard =
        if enemy_men { 5 * count(men & BRIDGE) + 5 * i32::from(men & BRIDGE == BRIDGE) } else { 0 };
    let free = position.steppers(color).len() as i32;
    2 * rows + guard + 3 * count(men & CENTRE) + 8 * count(kings & CENTRE) + 2 * free
}

/// For the stronger side: its kings close to the weaker side's, and those out of double corners.
fn chase(position: &Position, stronger: Color) -> i32 {
    let (hunters, hunted) = (position.kings(stronger), position.kings(stronger.other()));
    let mut sum = 0;
    for prey in hunted {
        for hunter in hunters {
            let rows = prey.row().abs_diff(hunter.row());
            let columns = prey.column().abs_diff(hunter.column());
            sum -= 3 * rows.max(columns) as i32;
        }
    }
    sum - 12 * (hunted & Bitboard(DOUBLE_CORNERS)).len() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(fen: &str) -> i16 {
        evaluate(&fen.parse().unwrap()).hundredths()
    }

    #[test]
    fn the_start_is_even_but_for_the_turn() {
        assert_eq!(evaluate(&Position::START).hundredths(), TURN as i16);
    }

    #[test]
    fn a_position_and_its_mirror_score_the_same() {
        let fens = ["W:W21,K9:B1,K30", "B:W30,26,K4:B3,7,18", "W:WK1,K2,K3:BK32,20"];
        for fen in fens {
            let position: Position = fen.parse().unwrap();
            assert_eq!(evaluate(&position), evaluate(&position.mirror()), "{fen}");
        }
    }

    #[test]
    fn more_pieces_are_better_and_more_so_with_fewer_on_the_board() {
        assert!(score("W:W21,22,23:B1,2") > 100);
        assert!(score("W:W21:B1,2") < -100);
        assert!(score("W:WK14,K18:BK1") > score("W:W21,22,23,K14,K18:B4,8,12,K1"));
    }
}
