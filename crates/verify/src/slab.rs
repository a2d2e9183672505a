use crownhead_rules::Color;
use crownhead_table::ProbeError;

use crate::counted::Counted;
use crate::expected::expected;
use crate::neighbours::Neighbours;
use crate::{Fault, Share};

/// Consecutive positions of one side to move, which a thread reads and checks at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    side: Color,
    first: u64,
    end: u64,
}

impl Slab {
    /// Positions in a slab, a multiple of [`Share::RUN`].
    const POSITIONS: u64 = 1 << 14;

    /// All slabs of a section, in order.
    pub(super) fn all(side: Color, positions: u64) -> Vec<Self> {
        (0..positions.div_ceil(Self::POSITIONS))
            .map(|nth| nth * Self::POSITIONS)
            .map(|first| Self { side, first, end: positions.min(first + Self::POSITIONS) })
            .collect()
    }

    pub(super) const fn len(&self) -> u64 {
        self.end - self.first
    }

    /// Counts all positions, and compares the chosen ones with those that follow; how many those
    /// are.
    pub(super) fn verify(
        &self,
        neighbours: &Neighbours<'_>,
        share: Share,
        counted: &mut Counted,
    ) -> Result<u64, Fault> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("lzcnt")
        {
            // SAFETY: the processor has the instructions.
            #[expect(unsafe_code, reason = "half of the time is counting bits; measured")]
            return unsafe { self.verify_by_popcnt(neighbours, share, counted) };
        }
        self.verify_plainly(neighbours, share, counted)
    }

    /// [`verify_plainly`](Self::verify_plainly), compiled for what all but very old processors
    /// have.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,lzcnt")]
    fn verify_by_popcnt(
        &self,
        neighbours: &Neighbours<'_>,
        share: Share,
        counted: &mut Counted,
    ) -> Result<u64, Fault> {
        self.verify_plainly(neighbours, share, counted)
    }

    #[inline(always)]
    fn verify_plainly(
        &self,
        neighbours: &Neighbours<'_>,
        share: Share,
        counted: &mut Counted,
    ) -> Result<u64, Fault> {
        let table = neighbours.table();
        let encoding = table.header().encoding;
        let mut codes = [0; Self::POSITIONS as usize];
        let codes = &mut codes[..self.len() as usize];
        let Self { side, first, .. } = *self;
        table.codes_from(side, first, codes).map_err(|error| neighbours.damaged(table, error))?;
        let number = u64::from(table.header().sides[side as usize].crc);
        let mut compared = 0;
        for (run, codes) in codes.chunks(Share::RUN as usize).enumerate() {
            let first = first + run as u64 * Share::RUN;
            let chosen = share.has(number, first / Share::RUN);
            let mut positions =
                chosen.then(|| table.index().positions_from(first, side)).into_iter().flatten();
            for (rank, &code) in (first..).zip(codes) {
                let damaged = || neighbours.damaged(table, ProbeError::Damaged { side, rank });
                let stored = encoding.outcome(code).ok_or_else(damaged)?;
                counted.add(stored, rank);
                if !chosen {
                    continue;
                }
                let position = positions
                    .next()
                    .ok_or_else(|| neighbours.damaged(table, ProbeError::Rank { side, rank }))?;
                let expected = expected(&position, encoding.metric(), neighbours)?;
                if stored != expected {
                    return Err(Fault::Wrong { position, stored, expected });
                }
                compared += 1;
            }
        }
        Ok(compared)
    }
}
