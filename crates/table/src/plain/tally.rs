use std::vec;
use std::vec::Vec;

use crownhead_rules::Value;

use super::{Encoding, Longest, SideSummary};

/// How often each code occurs in a section, and where first.
pub(super) struct Tally {
    encoding: Encoding,
    counts: Vec<u64>,
    first: Vec<u64>,
    positions: u64,
    /// The low byte of a number of two bytes whose high byte has not come yet.
    half: Option<u8>,
}

impl Tally {
    pub(super) fn new(encoding: Encoding) -> Self {
        let codes = 1 << encoding.bits();
        Self { encoding, counts: vec![0; codes], first: vec![0; codes], positions: 0, half: None }
    }

    /// Counts the numbers in these bytes of the section.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        match self.encoding.bits() {
            2 => self.add_pairs(bytes),
            8 => bytes.iter().for_each(|&code| self.add_code(code.into())),
            _ => {
                for &byte in bytes {
                    match self.half.take() {
                        None => self.half = Some(byte),
                        Some(low) => self.add_code(u16::from_le_bytes([low, byte]).into()),
                    }
                }
            }
        }
    }

    #[inline]
    fn add_code(&mut self, code: usize) {
        if self.counts[code] == 0 {
            self.first[code] = self.positions;
        }
        self.counts[code] += 1;
        self.positions += 1;
    }

    /// Counts numbers of 2 bits; places do not matter, since `wld` has no distances.
    fn add_pairs(&mut self, bytes: &[u8]) {
        const LOW: u64 = 0x5555_5555_5555_5555;
        let mut add = |word: u64, positions: u64| {
            let (low, high) = (word & LOW, word >> 1 & LOW);
            let wins = u64::from((low & !high).count_ones());
            let losses = u64::from((high & !low).count_ones());
            let unused = u64::from((low & high).count_ones());
            self.counts[1] += wins;
            self.counts[2] += losses;
            self.counts[3] += unused;
            self.counts[0] += positions - wins - losses - unused;
        };
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            add(u64::from_le_bytes(*word), 32);
        }
        for &byte in rest {
            add(byte.into(), 4);
        }
        self.positions += 4 * bytes.len() as u64;
    }

    /// The summary of a section of so many positions, without its checksum; `None` when a number
    /// stands for no outcome, or the unused bits of the last byte are set.
    pub(super) fn summary(&self, positions: u64) -> Option<SideSummary> {
        let mut summary = SideSummary::default();
        // The unused pairs of the last byte count as draws.
        let unused = self.positions.checked_sub(positions)?;
        for (code, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let outcome = self.encoding.outcome(u16::try_from(code).ok()?)?;
            let longest =
                outcome.plies.map(|plies| Longest { plies, count, first: self.first[code] });
            match outcome.value {
                Value::Draw => summary.draws += count,
                Value::Win => {
                    summary.wins += count;
                    summary.longest_win = longest;
                }
                Value::Loss => {
                    summary.losses += count;
                    summary.longest_loss = longest;
                }
            }
        }
        summary.draws = summary.draws.checked_sub(unused)?;
        Some(summary)
    }

    /// The largest code seen.
    pub(super) fn largest(&self) -> u16 {
        self.counts.iter().rposition(|&count| count > 0).unwrap_or(0) as u16
    }
}
