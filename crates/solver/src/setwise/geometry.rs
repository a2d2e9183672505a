//! Squares, neighbours and jumps as plain numbers, for the inner loops.

use crownhead_rules::{Bitboard, Color, Direction, Square};

/// No square.
pub(super) const OFF: u8 = 32;

/// By direction and square: the neighbour, or [`OFF`].
pub(super) const NEIGHBOUR: [[u8; 32]; 4] = links(1);

/// By direction and square: two squares on, or [`OFF`].
pub(super) const JUMP: [[u8; 32]; 4] = links(2);

/// By direction: the squares without a neighbour there.
pub(super) const EDGE: [u32; 4] = {
    let mut edge = [0; 4];
    let mut d = 0;
    while d < 4 {
        edge[d] = !Direction::ALL[d].origins(Bitboard::FULL).0;
        d += 1;
    }
    edge
};

const fn links(steps: u32) -> [[u8; 32]; 4] {
    let mut table = [[OFF; 32]; 4];
    let mut d = 0;
    while d < 4 {
        let mut s = 0;
        while s < 32 {
            let mut set = Bitboard(1 << s);
            let mut n = 0;
            while n < steps {
                set = Direction::ALL[d].step(set);
                n += 1;
            }
            if !set.is_empty() {
                table[d][s] = set.0.trailing_zeros() as u8;
            }
            s += 1;
        }
        d += 1;
    }
    table
}

/// The squares whose neighbour in direction `d` is in the set.
#[inline(always)]
pub(super) const fn origins(d: usize, set: u32) -> u32 {
    Direction::ALL[d].origins(Bitboard(set)).0
}

/// The neighbours in direction `d` of the squares in the set.
#[inline(always)]
pub(super) const fn step(d: usize, set: u32) -> u32 {
    Direction::ALL[d].step(Bitboard(set)).0
}

/// All neighbours of the squares in the set.
#[inline(always)]
pub(super) const fn steps(set: u32) -> u32 {
    step(0, set) | step(1, set) | step(2, set) | step(3, set)
}

/// The directions in which men of this colour move, as numbers.
pub(super) const fn forward(color: Color) -> [usize; 2] {
    match color {
        Color::Black => [0, 1],
        Color::White => [2, 3],
    }
}

/// The direction back.
pub(super) const fn back(d: usize) -> usize {
    3 - d
}

/// The row on which men of this colour are crowned.
pub(super) const fn crown_row(color: Color) -> u32 {
    Bitboard::crown_row(color).0
}

/// The squares of a set, as indices in ascending order.
#[inline]
pub(super) fn squares(set: u32) -> impl Iterator<Item = usize> {
    Bitboard(set).into_iter().map(|square: Square| square.index() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_is_the_way_back() {
        for d in Direction::ALL {
            assert_eq!(back(d as usize), d.opposite() as usize);
        }
        for color in Color::BOTH {
            assert_eq!(forward(color), Direction::forward(color).map(|d| d as usize));
        }
    }
}
