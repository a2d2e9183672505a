//! Game graphs on a device: rounds of bitset kernels over the rows.
//!
//! A round decides the open vertices of its candidate words by what was known before it, so that
//! its number is their plies; then the words of all predecessors of what it decided are the
//! candidates of the next round.

mod device;

use bytemuck::{Pod, Zeroable};
use crownhead_graph::{GameGraph, Rows, Solution, Value};

use self::device::DeviceRounds;
use crate::twin::graph::TwinRounds;
use crate::{Gpu, GpuError};

/// What came of a graph on a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GraphOutcome {
    /// All values and plies.
    Solved(Solution),
    /// It is better solved on the processor, for this reason.
    HandedBack(String),
}

/// The same as `GraphParams` in `shaders/shared/graph.wgsl`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GraphParams {
    /// Words of each bitset.
    pub(crate) words: u32,
    /// From 1: the plies of what the round decides.
    pub(crate) round: u32,
    /// Number of the round in its submission.
    pub(crate) slot: u32,
    padding: u32,
}

impl GraphParams {
    pub(crate) const fn new(words: u32, round: u32, slot: u32) -> Self {
        Self { words, round, slot, padding: 0 }
    }
}

/// Places in the counters and bitsets, as in `shaders/shared/graph.wgsl`.
pub(crate) mod place {
    /// Vertices decided in this submission.
    pub(crate) const DECIDED: usize = 0;
    /// Candidate words looked at in this submission.
    pub(crate) const VISITED: usize = 1;

    /// Candidate words of a round.
    pub(crate) const fn candidates(slot: u32) -> usize {
        2 + 2 * slot as usize
    }

    /// Words that a round changed.
    pub(crate) const fn changed(slot: u32) -> usize {
        3 + 2 * slot as usize
    }

    pub(crate) const OPEN: usize = 0;
    pub(crate) const WON: usize = 1;
    pub(crate) const LOST: usize = 2;
    pub(crate) const NEWLY_WON: usize = 3;
    pub(crate) const NEWLY_LOST: usize = 4;
    /// Bitsets that there are.
    pub(crate) const SETS: usize = 5;
}

/// Rounds of one submission.
pub(crate) const ROUNDS: u32 = 64;
/// Those of all rounds, and the candidates of the round after.
pub(crate) const COUNTERS: usize = place::candidates(ROUNDS) + 1;
/// Vertices that a round must decide on average for a device to be worth its while.
const LEAST_DECIDED: u32 = 64;
/// Most neighbours of one vertex: one invocation goes through them, and llvmpipe ends a loop
/// silently after 65,535 iterations.
const MOST_NEIGHBOURS: u32 = 60_000;

/// Runs the two kernels in rounds.
pub(crate) trait Rounds {
    /// Runs a submission of rounds with the counters as given, and leaves in them what the rounds
    /// have made of them.
    fn run(&mut self, first: u32, counters: &mut [u32]) -> Result<(), GpuError>;

    /// The bitsets and plies.
    fn read(&mut self) -> Result<(Vec<u32>, Vec<u32>), GpuError>;
}

/// Solves a graph by rounds on a device: the values and plies of
/// [`retrograde`](crownhead_graph::retrograde()).
///
/// Hands the graph back when it does not fit, or when it is so deep and narrow that a round decides
/// too little.
///
/// # Errors
///
/// Faults of the device, and [`GpuError::Graph`] when its work does not add up.
pub fn solve_graph(gpu: &Gpu, graph: &GameGraph<'_>) -> Result<GraphOutcome, GpuError> {
    let reverse = graph.rows().reversed();
    if let Some(reason) = too_large(gpu, graph.rows(), &reverse) {
        return Ok(GraphOutcome::HandedBack(reason));
    }
    solve(graph, |start| DeviceRounds::new(gpu, graph.rows(), &reverse, start))
}

/// The same with both kernels replaced by their CPU twins: slow, and without any device.
///
/// # Errors
///
/// [`GpuError::Graph`], by a fault in this crate only.
pub fn solve_graph_with_twins(graph: &GameGraph<'_>) -> Result<GraphOutcome, GpuError> {
    let reverse = graph.rows().reversed();
    solve(graph, |start| Ok(TwinRounds::new(graph.rows(), &reverse, start)))
}

fn solve<R: Rounds>(
    graph: &GameGraph<'_>,
    make: impl FnOnce(&Start) -> Result<R, GpuError>,
) -> Result<GraphOutcome, GpuError> {
    let start = Start::new(graph);
    if start.candidates.is_empty() {
        return Ok(GraphOutcome::Solved(start.solution(&[], &[])));
    }
    let mut rounds = make(&start)?;
    let mut candidates = start.candidates.len() as u32;
    let (mut first, mut decided) = (1, 0);
    while candidates > 0 {
        let mut counters = vec![0u32; COUNTERS];
        counters[place::candidates(0)] = candidates;
        rounds.run(first, &mut counters)?;
        check_visits(candidates, &counters)?;
        candidates = counters[place::candidates(ROUNDS)];
        decided += u64::from(counters[place::DECIDED]);
        first += ROUNDS;
        if candidates > 0 && counters[place::DECIDED] < ROUNDS * LEAST_DECIDED {
            return Ok(GraphOutcome::HandedBack(format!(
                "it is deep and narrow: {ROUNDS} rounds decided {} vertices",
                counters[place::DECIDED]
            )));
        }
    }
    let (bits, plies) = rounds.read()?;
    start.check(&bits, decided)?;
    Ok(GraphOutcome::Solved(start.solution(&bits, &plies)))
}

/// Every candidate word must have been looked at: a device that does nothing is found out.
fn check_visits(candidates: u32, counters: &[u32]) -> Result<(), GpuError> {
    let listed: u64 = (0..ROUNDS).map(|slot| u64::from(counters[place::candidates(slot)])).sum();
    let visited = u64::from(counters[place::VISITED]);
    if counters[place::candidates(0)] == candidates && listed == visited {
        return Ok(());
    }
    Err(GpuError::Graph(format!("it looked at {visited} of {listed} words, first {candidates}")))
}

fn too_large(gpu: &Gpu, rows: &Rows<'_>, reverse: &Rows<'_>) -> Option<String> {
    let binding = gpu.summary().max_binding;
    let longest = 4 * (rows.edges() as u64).max(rows.vertices() as u64 + 33);
    if longest > binding {
        return Some(format!("a list takes {longest} bytes, and one binding holds {binding}"));
    }
    let degree = |rows: &Rows<'_>| (0..rows.vertices() as u32).map(|v| rows.degree(v)).max();
    let most = degree(rows).max(degree(reverse)).unwrap_or(0);
    (most > MOST_NEIGHBOURS).then(|| format!("a vertex has {most} neighbours"))
}

/// What is known before the first round.
pub(crate) struct Start {
    pub(crate) vertices: usize,
    pub(crate) words: usize,
    /// Open, won and lost, one after another, then room for what a round finds.
    pub(crate) bits: Vec<u32>,
    /// Words with open vertices.
    pub(crate) candidates: Vec<u32>,
}

impl Start {
    fn new(graph: &GameGraph<'_>) -> Self {
        let vertices = graph.vertices();
        let words = vertices.div_ceil(32);
        let mut bits = vec![0u32; place::SETS * words];
        for v in 0..vertices {
            let set = match graph.terminal(v as u32) {
                None => place::OPEN,
                Some(Value::Win) => place::WON,
                Some(Value::Loss) => place::LOST,
                Some(Value::Draw) => continue,
            };
            bits[set * words + v / 32] |= 1 << (v % 32);
        }
        let candidates = (0..words as u32).filter(|&word| bits[word as usize] != 0).collect();
        Self { vertices, words, bits, candidates }
    }

    /// Whether the bitsets differ from these by as many vertices as were decided.
    fn check(&self, bits: &[u32], decided: u64) -> Result<(), GpuError> {
        let count = |bits: &[u32], set: usize| -> u64 {
            bits[set * self.words..][..self.words].iter().map(|w| u64::from(w.count_ones())).sum()
        };
        let known = |bits: &[u32]| count(bits, place::WON) + count(bits, place::LOST);
        let all = count(&self.bits, place::OPEN) + known(&self.bits);
        if known(bits) == known(&self.bits) + decided
            && count(bits, place::OPEN) + known(bits) == all
        {
            return Ok(());
        }
        Err(GpuError::Graph(format!(
            "it decided {decided} vertices, and {} more are known",
            known(bits)
        )))
    }

    /// The solution from the bitsets and plies read back; from the start itself without any.
    fn solution(&self, bits: &[u32], plies: &[u32]) -> Solution {
        let bits = if bits.is_empty() { &self.bits } else { bits };
        let claim = |v: usize| {
            let is = |set: usize| bits[set * self.words + v / 32] >> (v % 32) & 1 != 0;
            let plies = plies.get(v).copied().or(Some(0));
            match (is(place::WON), is(place::LOST)) {
                (true, _) => (Value::Win, plies),
                (_, true) => (Value::Loss, plies),
                _ => (Value::Draw, None),
            }
        };
        Solution::from_claims(&(0..self.vertices).map(claim).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// wgpu's noop backend checks every call and computes nothing: that must not pass for a result.
    #[test]
    fn nothing_computed_is_no_solution() {
        let graph = GameGraph::from_edges(100, (0..99).map(|v| (v, v + 1))).unwrap();
        let error = solve_graph(&Gpu::noop(), &graph).unwrap_err();
        assert!(
            matches!(&error, GpuError::Graph(why) if why.contains("looked at 0 of")),
            "{error}"
        );
    }
}
