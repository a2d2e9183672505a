//! The kernels for game graphs.

mod graph_commit;
mod graph_decide;

use crownhead_graph::Rows;

use crate::GpuError;
use crate::graph::{GraphParams, ROUNDS, Rounds, Start, place};

/// What the kernels see on a device.
struct Buffers<'a> {
    rows: &'a Rows<'a>,
    reverse: &'a Rows<'a>,
    words: usize,
    bits: Vec<u32>,
    plies: Vec<u32>,
    /// Three lists of words: candidates of even and of odd rounds, and those that changed.
    lists: Vec<u32>,
    stamps: Vec<u32>,
    counters: Vec<u32>,
}

impl Buffers<'_> {
    fn has(&self, set: usize, vertex: u32) -> bool {
        self.bits[set * self.words + vertex as usize / 32] >> (vertex % 32) & 1 != 0
    }

    fn candidate_at(&self, round: u32, index: u32) -> usize {
        (round & 1) as usize * self.words + index as usize
    }

    fn changed_at(&self, index: u32) -> usize {
        2 * self.words + index as usize
    }

    /// Adds one to a counter and returns what it was.
    fn count(&mut self, counter: usize) -> u32 {
        self.counters[counter] += 1;
        self.counters[counter] - 1
    }
}

/// Rounds of the CPU twins.
pub(crate) struct TwinRounds<'a>(Buffers<'a>);

impl<'a> TwinRounds<'a> {
    pub(crate) fn new(rows: &'a Rows<'a>, reverse: &'a Rows<'a>, start: &Start) -> Self {
        let words = start.words;
        let mut lists = vec![0; 3 * words];
        // The candidates of round 1 are the second list, as of all odd rounds.
        lists[words..][..start.candidates.len()].copy_from_slice(&start.candidates);
        Self(Buffers {
            rows,
            reverse,
            words,
            bits: start.bits.clone(),
            plies: vec![0; 32 * words],
            lists,
            stamps: vec![0; words],
            counters: Vec::new(),
        })
    }
}

impl Rounds for TwinRounds<'_> {
    fn run(&mut self, first: u32, counters: &mut [u32]) -> Result<(), GpuError> {
        let buffers = &mut self.0;
        buffers.counters = counters.to_vec();
        for slot in 0..ROUNDS {
            let params = GraphParams::new(buffers.words as u32, first + slot, slot);
            graph_decide::graph_decide(buffers, &params);
            graph_commit::graph_commit(buffers, &params);
        }
        counters.copy_from_slice(&buffers.counters);
        Ok(())
    }

    fn read(&mut self) -> Result<(Vec<u32>, Vec<u32>), GpuError> {
        Ok((self.0.bits.clone(), self.0.plies.clone()))
    }
}
