use crownhead_rules::{Bitboard, Color, Position};

use super::table::Predicate;

/// How many facts are kept: the average probe takes a quarter fewer look-ups for them, the hardest
/// of those with 5 pieces less than half.
///
/// A microcontroller has the time for a probe, but not 16 kilobytes for this.
const FACTS: usize = if cfg!(feature = "std") { 1024 } else { 0 };

/// What one probe has found out, a position for each remainder of a hash: own moves come in either
/// order around the enemy's replies, so that many positions come again.
#[derive(Debug)]
pub(super) struct Memo([[u32; 4]; FACTS]);

/// Men never stand where they are crowned, so these bits of an entry's sets are free. They tell the
/// side to move, and of what is known the predicate and whether it holds.
const WHITE_TO_MOVE: u32 = 1 << 31;
const WON: u32 = 1;
const HOLDS: u32 = 2;
const _: () = {
    assert!(WHITE_TO_MOVE & Bitboard::men_squares(Color::Black).0 == 0);
    assert!((WON | HOLDS) & Bitboard::men_squares(Color::White).0 == 0);
};

impl Memo {
    /// Nothing is known: no position has no pieces.
    pub(super) const fn new() -> Self {
        Self([[0; 4]; FACTS])
    }

    /// Which predicate is known of the position, and whether it holds.
    #[inline]
    pub(super) fn find(&self, position: &Position) -> Option<(Predicate, bool)> {
        let key = key(position);
        let entry = self.0.get(slot(&key))?;
        let [a, b, c, d] = *entry;
        if [a, b & !(WON | HOLDS), c, d] != key {
            return None;
        }
        let predicate = if b & WON != 0 { Predicate::Won } else { Predicate::Lost };
        Some((predicate, b & HOLDS != 0))
    }

    /// Keeps what was found out in place of what was kept there.
    #[inline]
    pub(super) fn keep(&mut self, position: &Position, predicate: Predicate, holds: bool) {
        let mut key = key(position);
        if let Some(entry) = self.0.get_mut(slot(&key)) {
            key[1] |= (predicate as u32 * WON) | (u32::from(holds) * HOLDS);
            *entry = key;
        }
    }
}

/// The position as an entry of which nothing is known.
#[inline]
fn key(position: &Position) -> [u32; 4] {
    let side = position.side_to_move as u32 * WHITE_TO_MOVE;
    [
        position.black_men.0 | side,
        position.white_men.0,
        position.black_kings.0,
        position.white_kings.0,
    ]
}

#[inline]
fn slot(key: &[u32; 4]) -> usize {
    let hash = key[0].wrapping_mul(0x9e37_79b1)
        ^ key[1].wrapping_mul(0x85eb_ca77)
        ^ key[2].wrapping_mul(0xc2b2_ae35)
        ^ key[3].wrapping_mul(0x27d4_eb2f);
    (hash.wrapping_mul(0x9e37_79b1) >> 20).checked_rem(FACTS as u32).unwrap_or(0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_last_is_found_for_the_same_position_only() {
        let position = |side| Position {
            black_men: Bitboard(0x0f00_0000),
            black_kings: Bitboard(1 << 31),
            white_men: Bitboard(0xf000_0000 & !(1 << 31)),
            white_kings: Bitboard(1),
            side_to_move: side,
        };
        let mut memo = Memo::new();
        for side in Color::BOTH {
            assert_eq!(memo.find(&position(side)), None);
            for fact in [Predicate::Lost, Predicate::Won].map(|p| [(p, false), (p, true)]).concat()
            {
                memo.keep(&position(side), fact.0, fact.1);
                assert_eq!(memo.find(&position(side)), (FACTS > 0).then_some(fact));
                assert_eq!(memo.find(&position(side.other())), None);
                let other = Position { white_kings: Bitboard(2), ..position(side) };
                assert_eq!(memo.find(&other), None);
            }
            memo = Memo::new();
        }
    }
}
