use core::iter::FusedIterator;

use crownhead_rules::{Bitboard, Color, Position};

use super::combination::{first_within, next_within};

/// The positions of a material in the order of the perfect index; see
/// [`PerfectIndex::positions_from`](super::PerfectIndex::positions_from).
#[derive(Clone, Debug)]
pub struct Positions {
    next: Option<Position>,
}

impl Positions {
    pub(super) const fn new(first: Option<Position>) -> Self {
        Self { next: first }
    }
}

/// The placement that follows: the last set that has a successor takes it, the sets after it begin
/// again.
fn successor(position: &Position) -> Option<Position> {
    let Position { black_men, white_men, black_kings, white_kings, side_to_move } = *position;
    let (bm, wm, bk, wk) = (black_men.0, white_men.0, black_kings.0, white_kings.0);
    let first = |set: Bitboard, free: u32| first_within(set.len(), free);
    let sets = |bm, wm, bk, wk| Position {
        black_men: Bitboard(bm),
        white_men: Bitboard(wm),
        black_kings: Bitboard(bk),
        white_kings: Bitboard(wk),
        side_to_move,
    };
    if let Some(wk) = next_within(wk, !(bm | wm | bk)) {
        return Some(sets(bm, wm, bk, wk));
    }
    if let Some(bk) = next_within(bk, !(bm | wm)) {
        return Some(sets(bm, wm, bk, first(white_kings, !(bm | wm | bk))));
    }
    let white_squares = Bitboard::men_squares(Color::White).0;
    let (bm, wm) = if let Some(wm) = next_within(wm, white_squares & !bm) {
        (bm, wm)
    } else {
        let bm = next_within(bm, Bitboard::men_squares(Color::Black).0)?;
        (bm, first(white_men, white_squares & !bm))
    };
    let bk = first(black_kings, !(bm | wm));
    Some(sets(bm, wm, bk, first(white_kings, !(bm | wm | bk))))
}

impl Iterator for Positions {
    type Item = Position;

    #[inline]
    fn next(&mut self) -> Option<Position> {
        let position = self.next?;
        self.next = successor(&position);
        Some(position)
    }
}

impl FusedIterator for Positions {}
