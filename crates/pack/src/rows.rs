use crownhead_rules::Position;
use crownhead_table::compact::feature::{self, ALL, Features, MAX_PIECES, ONE, ONE_BY_SQUARE, TWO};

/// Computes all features of the positions of one section as a row of bits.
pub(crate) struct RowMaker {
    pieces: usize,
    kinds: [u32; MAX_PIECES],
    /// Features of one square.
    one: Vec<u32>,
    /// Features of two squares, for each pair of kinds.
    two: Vec<Vec<u64>>,
}

fn append<const W: usize>(row: &mut [u64; W], at: &mut usize, bits: u64, len: u32) {
    let (word, shift) = (*at / 64, *at % 64);
    row[word] |= bits << shift;
    if shift + len as usize > 64 {
        row[word + 1] |= bits >> (64 - shift);
    }
    *at += len as usize;
}

fn collect(len: u32, holds: impl Fn(u32) -> bool) -> u64 {
    (0..len).fold(0, |bits, f| bits | u64::from(holds(f)) << f)
}

impl RowMaker {
    /// For sections with these numbers of own men and kings, enemy men and kings.
    pub(crate) fn new(counts: [u32; 4]) -> Self {
        let mut kinds = [0; MAX_PIECES];
        let mut pieces = 0;
        for (kind, n) in counts.into_iter().enumerate() {
            for _ in 0..n {
                kinds[pieces] = kind as u32;
                pieces += 1;
            }
        }
        let one = (0..32).map(|s| collect(ONE_BY_SQUARE, |f| feature::one(s, f)) as u32).collect();
        let mut two = Vec::new();
        for a in 0..pieces {
            for b in a + 1..pieces {
                let table = (0..1024u32)
                    .map(|s| {
                        collect(TWO, |f| feature::two((s / 32, kinds[a]), (s % 32, kinds[b]), f))
                    })
                    .collect();
                two.push(table);
            }
        }
        Self { pieces, kinds, one, two }
    }

    #[inline]
    pub(crate) fn row<const W: usize>(&self, position: &Position) -> [u64; W] {
        let mut row = [0; W];
        let mut at = 0;
        let mut features = Features::new(position);
        let squares = *features.squares();
        for (&square, &kind) in squares.iter().zip(&self.kinds).take(self.pieces) {
            let free = feature::free_neighbours(position, square.into(), kind);
            let bits = self.one[usize::from(square)] | (0xf0_0000 << free.min(4)) & 0xf0_0000;
            append(&mut row, &mut at, bits.into(), ONE);
        }
        let mut tables = self.two.iter();
        for a in 0..self.pieces {
            for b in a + 1..self.pieces {
                let pair = usize::from(squares[a]) * 32 + usize::from(squares[b]);
                if let Some(table) = tables.next() {
                    append(&mut row, &mut at, table[pair], TWO);
                }
            }
        }
        append(&mut row, &mut at, features.all_bits(), ALL);
        row
    }
}

#[cfg(test)]
mod tests {
    use crownhead_index::PerfectIndex;
    use crownhead_rules::Color;
    use crownhead_table::compact::feature::feature_count;

    use super::*;

    #[test]
    fn rows_hold_what_the_reader_finds_one_by_one() {
        for name in ["MvM", "KMvK", "KMvKM", "KMMvKM"] {
            let index =
                PerfectIndex::<u64>::new(name.parse().expect("a material")).expect("an index");
            let material = index.material();
            let (black, white) = (material.black, material.white);
            let maker =
                RowMaker::new([black.men, black.kings, white.men, white.kings].map(u32::from));
            for rank in (0..index.len()).step_by(index.len() as usize / 300 + 1) {
                let position = index.unrank(rank, Color::Black).expect("a rank of the index");
                let row = maker.row::<12>(&position);
                let mut features = Features::new(&position);
                for feature in 0..feature_count(material.pieces()) {
                    let bit = row[feature as usize / 64] >> (feature % 64) & 1;
                    assert_eq!(bit == 1, features.holds(feature), "{position}, feature {feature}");
                }
            }
        }
    }
}
