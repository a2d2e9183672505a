//! What a slow table has answered, so that a search that comes by again need not ask.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crownhead_rules::{Color, Position, Value};

/// Values of positions with few pieces, each in one word with its position: no two positions are
/// taken for one. A new one takes the place of an older one.
pub(crate) struct Memo {
    words: Box<[AtomicU64]>,
}

impl Memo {
    /// Positions with more pieces do not fit a word.
    pub(crate) const MOST_PIECES: u32 = 8;
    /// 8 MiB of words, two to the power of this.
    const BITS: u32 = 20;

    pub(crate) fn new() -> Self {
        Self { words: (0..1 << Self::BITS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The value of a position, from here or, if it has not been asked about lately, from `ask`.
    ///
    /// # Errors
    ///
    /// Those of `ask`.
    pub(crate) fn value<E>(
        &self,
        position: &Position,
        ask: impl FnOnce(&Position) -> Result<Value, E>,
    ) -> Result<Value, E> {
        if position.occupied().len() > Self::MOST_PIECES {
            return ask(position);
        }
        let key = key(position);
        // Fibonacci hashing: the highest bits of the product depend on all of the key.
        let place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS);
        let word = &self.words[place as usize];
        let kept = word.load(Relaxed);
        if kept >> 2 == key
            && let Some(value) = [Value::Loss, Value::Draw, Value::Win].get((kept & 3) as usize)
        {
            return Ok(*value);
        }
        let value = ask(position)?;
        word.store(key << 2 | value as u64, Relaxed);
        Ok(value)
    }
}

/// A number for each position with up to 8 pieces, of at most 58 bits and not 0: 7 bits a piece,
/// the side to move, and a one in front, which tells how many pieces there are.
fn key(position: &Position) -> u64 {
    let kings = position.black_kings | position.white_kings;
    let white = position.side(Color::White);
    let start = 2 | position.side_to_move as u64;
    position.occupied().into_iter().fold(start, |key, square| {
        let piece = u64::from(kings.has(square)) << 1 | u64::from(white.has(square));
        key << 7 | (square.index() as u64) << 2 | piece
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Positions of random walks through endings, each begun anew where a game ends.
    fn positions() -> Vec<Position> {
        let (mut found, mut random) = (Vec::new(), 1_u64);
        for fen in ["W:WK19,K23:B12,K28", "B:W29,30:B2,15", "W:WK20,K17,K31,K30:B2,1,K13,K23"] {
            let start: Position = fen.parse().unwrap();
            let mut position = start;
            for _ in 0..2_000 {
                // Marsaglia's xorshift.
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let moves = position.moves().unwrap();
                let chosen = (random >> 33) as usize % moves.len().max(1);
                position = moves.get(chosen).map_or(start, |m| position.after(m));
                found.extend([position, position.mirror()]);
            }
        }
        found
    }

    #[test]
    fn each_position_has_a_key_of_its_own() {
        let mut seen = HashMap::new();
        for position in positions() {
            let key = key(&position);
            assert!(key >> 58 == 0 && key != 0);
            assert_eq!(*seen.entry(key).or_insert(position), position);
        }
        assert!(seen.len() > 1_000, "{}", seen.len());
    }

    #[test]
    fn what_was_told_is_told_again() {
        let memo = Memo::new();
        let values = [Value::Loss, Value::Draw, Value::Win];
        let told = |position: &Position| values[position.occupied().0 as usize % 3];
        let mut asked = 0;
        for position in [positions(), positions()].concat() {
            let value = memo.value(&position, |position| {
                asked += 1;
                Ok::<_, ()>(told(position))
            });
            assert_eq!(value, Ok(told(&position)));
        }
        assert!(asked < positions().len() * 3 / 2, "{asked}");
        assert_eq!(memo.value(&Position::START, |_| Err(5)), Err(5));
    }
}
