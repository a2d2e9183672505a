//! Random graphs, the same in every run.
#![allow(dead_code)] // each test binary uses its part

use crownhead_graph::{GameGraph, Value};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        ((self.next() >> 32) * u64::from(limit) >> 32) as u32
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u32) as usize]
    }
}

pub(crate) const VALUES: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

/// A random graph with self-loops, cycles, parallel edges, unreachable parts, labels (on some
/// vertices with moves too) and any stuck rule.
pub(crate) fn random_graph(random: &mut Random, most: u32) -> GameGraph<'static> {
    let vertices = 1 + random.below(most);
    let edges = random.below(vertices * 3 + 1);
    let edges: Vec<_> =
        (0..edges).map(|_| (random.below(vertices), random.below(vertices))).collect();
    let graph = GameGraph::from_edges(vertices as usize, edges.iter().copied()).unwrap();
    let labels = random
        .chance(50)
        .then(|| (0..vertices).map(|_| random.chance(15).then(|| *random.pick(&VALUES))).collect());
    let stuck = if random.chance(60) { Value::Loss } else { *random.pick(&VALUES) };
    let graph = graph.with_stuck(stuck);
    match labels {
        Some(labels) => graph.with_labels(labels).unwrap(),
        None => graph,
    }
}

/// The same, with every move to a lower vertex.
pub(crate) fn random_acyclic(random: &mut Random, most: u32) -> GameGraph<'static> {
    let graph = random_graph(random, most);
    let edges: Vec<_> = graph.rows().iter().filter(|(from, to)| from > to).collect();
    GameGraph::from_edges(graph.vertices(), edges.iter().copied())
        .unwrap()
        .with_stuck(graph.stuck())
        .with_labels((0..graph.vertices() as u32).map(|v| graph.label(v)).collect())
        .unwrap()
}
