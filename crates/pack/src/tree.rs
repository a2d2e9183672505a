use crownhead_table::compact::ribbon::CLASSES;

use crate::count::count_columns;
use crate::log::{BIT, Logarithms};

/// A decision tree over features.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    /// So many positions, so many of which fulfil the predicate.
    Leaf { n: u64, ones: u64 },
    /// Goes on by whether the feature holds.
    Split { feature: u32, without: Box<Tree>, with: Box<Tree> },
}

/// How a tree is grown.
pub(crate) struct Growth<'a> {
    pub(crate) logs: &'a Logarithms,
    /// The least gain of a split, in parts of a bit.
    pub(crate) least_gain: u64,
    pub(crate) depth: u32,
    pub(crate) features: u32,
}

/// Rows of one leaf to be: those of value 0 first.
pub(crate) struct Rows<'a, const W: usize> {
    pub(crate) zeros: &'a mut [[u64; W]],
    pub(crate) ones: &'a mut [[u64; W]],
}

impl Growth<'_> {
    pub(crate) fn grow<const W: usize>(&self, rows: Rows<'_, W>, depth: u32) -> Tree {
        let (n, ones) = ((rows.zeros.len() + rows.ones.len()) as u64, rows.ones.len() as u64);
        let leaf = Tree::Leaf { n, ones };
        if ones == 0 || ones == n || depth == self.depth {
            return leaf;
        }
        let whole = self.logs.entropy(n, ones);
        if whole < self.least_gain {
            return leaf;
        }
        let Some(feature) = self.best_split(&rows, whole) else { return leaf };
        let z = partition(rows.zeros, feature);
        let o = partition(rows.ones, feature);
        let (z0, z1) = rows.zeros.split_at_mut(z);
        let (o0, o1) = rows.ones.split_at_mut(o);
        let (a, b) = (Rows { zeros: z0, ones: o0 }, Rows { zeros: z1, ones: o1 });
        let (without, with) = if n > 4096 {
            rayon::join(|| self.grow(a, depth + 1), || self.grow(b, depth + 1))
        } else {
            (self.grow(a, depth + 1), self.grow(b, depth + 1))
        };
        Tree::Split { feature, without: Box::new(without), with: Box::new(with) }
    }

    fn best_split<const W: usize>(&self, rows: &Rows<'_, W>, whole: u64) -> Option<u32> {
        let (n0, n1) = (rows.zeros.len() as u64, rows.ones.len() as u64);
        let mut zeros = vec![0; 64 * W];
        let mut ones = vec![0; 64 * W];
        count_columns(rows.zeros, &mut zeros);
        count_columns(rows.ones, &mut ones);
        let mut best = (whole.saturating_sub(self.least_gain), None);
        for feature in 0..self.features {
            let (a0, a1) = (u64::from(zeros[feature as usize]), u64::from(ones[feature as usize]));
            let (b0, b1) = (n0 - a0, n1 - a1);
            let left = self.logs.entropy(a0 + a1, a1) + self.logs.entropy(b0 + b1, b1);
            if left < best.0 {
                best = (left, Some(feature));
            }
        }
        best.1
    }
}

/// Moves rows without the feature to the front; returns how many there are.
fn partition<const W: usize>(rows: &mut [[u64; W]], feature: u32) -> usize {
    let (word, bit) = (feature as usize / 64, feature % 64);
    let (mut i, mut end) = (0, rows.len());
    while i < end {
        if rows[i][word] >> bit & 1 == 0 {
            i += 1;
        } else {
            end -= 1;
            rows.swap(i, end);
        }
    }
    i
}

/// What it costs to store exceptions in a leaf with fingerprints of `bits` bits, in parts of a bit.
pub(crate) fn storage(n: u64, exceptions: u64, bits: u32) -> u64 {
    if bits == 0 {
        n * BIT
    } else {
        exceptions * (u64::from(bits) + 1) * BIT + (((n - exceptions) * BIT) >> bits)
    }
}

/// The same with the best length, in parts of a bit.
fn leaf_cost(n: u64, ones: u64) -> u64 {
    let e = ones.min(n - ones);
    if e == 0 {
        return 0;
    }
    (0..CLASSES as u32).map(|k| storage(n, e, k)).min().unwrap_or(0)
}

impl Tree {
    /// Removes splits that cost more than they save; returns the cost of what is left.
    pub(crate) fn prune(&mut self, split_cost: u64) -> u64 {
        match self {
            Self::Leaf { n, ones } => leaf_cost(*n, *ones),
            Self::Split { without, with, .. } => {
                let split = without.prune(split_cost) + with.prune(split_cost) + split_cost;
                let (n, ones) = self.counts();
                let leaf = leaf_cost(n, ones);
                if leaf <= split {
                    *self = Self::Leaf { n, ones };
                    leaf
                } else {
                    split
                }
            }
        }
    }

    pub(crate) fn counts(&self) -> (u64, u64) {
        match self {
            Self::Leaf { n, ones } => (*n, *ones),
            Self::Split { without, with, .. } => {
                let (a, b) = (without.counts(), with.counts());
                (a.0 + b.0, a.1 + b.1)
            }
        }
    }

    /// Takes the tree of a sample for that of so many times as many positions.
    pub(crate) fn scale(&mut self, factor: u64) {
        match self {
            Self::Leaf { n, ones } => {
                *n *= factor;
                *ones *= factor;
            }
            Self::Split { without, with, .. } => {
                without.scale(factor);
                with.scale(factor);
            }
        }
    }
}
