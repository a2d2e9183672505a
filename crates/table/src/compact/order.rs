use crownhead_rules::{Color, Position};

use super::feature::MAX_PIECES;

/// How many men and kings each side has, seen by the side to move: the unit of which an image has
/// one tree each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Forces {
    /// Men of the side to move.
    pub men: u32,
    /// Kings of the side to move.
    pub kings: u32,
    /// Men of the other side.
    pub enemy_men: u32,
    /// Kings of the other side.
    pub enemy_kings: u32,
}

impl Forces {
    /// The forces of a position.
    pub const fn of(position: &Position) -> Self {
        let (own, enemy) = (position.side_to_move, position.side_to_move.other());
        Self {
            men: position.men(own).len(),
            kings: position.kings(own).len(),
            enemy_men: position.men(enemy).len(),
            enemy_kings: position.kings(enemy).len(),
        }
    }

    /// The same with the other side to move.
    pub const fn turned(&self) -> Self {
        Self {
            men: self.enemy_men,
            kings: self.enemy_kings,
            enemy_men: self.men,
            enemy_kings: self.kings,
        }
    }

    /// All pieces of both sides.
    pub const fn pieces(&self) -> u32 {
        self.men + self.kings + self.enemy_men + self.enemy_kings
    }

    /// The number of these forces in the order of an image: by pieces, then pieces of the side to
    /// move, then its men, then the enemy's men.
    ///
    /// Both sides have a piece.
    pub const fn number(&self) -> u32 {
        let (own, enemy) = (self.men + self.kings, self.enemy_men + self.enemy_kings);
        let pieces = own + enemy;
        let before = BEFORE[if pieces as usize <= MAX_PIECES { pieces as usize } else { 0 }];
        let mut number = before + self.men * (enemy + 1) + self.enemy_men;
        let mut fewer = 1;
        while fewer < own {
            number += (fewer + 1) * (pieces - fewer + 1);
            fewer += 1;
        }
        number
    }

    /// All forces of 2 to so many pieces, in order.
    pub fn to(pieces: u32) -> impl Iterator<Item = Self> {
        (2..=pieces).flat_map(|all| {
            (1..all).flat_map(move |own| {
                (0..=own).flat_map(move |men| {
                    (0..=all - own).map(move |enemy_men| Self {
                        men,
                        kings: own - men,
                        enemy_men,
                        enemy_kings: all - own - enemy_men,
                    })
                })
            })
        })
    }
}

/// How many forces there are with fewer pieces, by the number of pieces.
const BEFORE: [u32; MAX_PIECES + 1] = {
    let mut before = [0; MAX_PIECES + 1];
    let mut pieces = 1;
    while pieces <= MAX_PIECES {
        before[pieces] = forces_to(pieces as u32 - 1);
        pieces += 1;
    }
    before
};

/// How many forces there are with 2 to so many pieces.
pub const fn forces_to(pieces: u32) -> u32 {
    let mut sum = 0;
    let mut all = 2;
    while all <= pieces {
        let mut own = 1;
        while own < all {
            sum += (own + 1) * (all - own + 1);
            own += 1;
        }
        all += 1;
    }
    sum
}

/// The position with the board turned, where White is to move, so that Black is.
#[inline]
pub fn seen_by_mover(position: &Position) -> Position {
    match position.side_to_move {
        Color::Black => *position,
        Color::White => position.mirror(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_up_by_one() {
        let numbers = Forces::to(8).map(|forces| forces.number());
        assert!(numbers.eq(0..forces_to(8)));
        assert_eq!([2, 3, 4, 5, 6].map(forces_to), [4, 16, 41, 85, 155]);
    }
}
