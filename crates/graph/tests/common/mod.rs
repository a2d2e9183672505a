//! Random graphs, the same in every run.
#![allow(dead_code)] // each test binary uses its part

use crownhead_graph::{Ending, GameGraph, Player, Rows, TurnGraph, Value};

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
        (((self.next() >> 32) * u64::from(limit)) >> 32) as u32
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

/// A random turn graph: any winners, cycles, parallel edges, unreachable parts.
pub(crate) fn random_turn_graph(random: &mut Random, most: u32) -> TurnGraph<'static> {
    let n = 2 + random.below(most - 1);
    let owners: Vec<_> = (0..n).map(|_| *random.pick(&Player::BOTH)).collect();
    let of = |player| (0..n).filter(|&v| owners[v as usize] == player).collect::<Vec<_>>();
    let (attacker, defender) = (of(Player::Attacker), of(Player::Defender));
    let sinks = 5 + random.below(40);
    let mut edges = Vec::new();
    let mut endings = Vec::new();
    for v in 0..n {
        let others = if owners[v as usize] == Player::Attacker { &defender } else { &attacker };
        if others.is_empty() || random.chance(sinks) {
            edges.push((v, v));
            let winners =
                [Ending::Drawn, Ending::Won(Player::Attacker), Ending::Won(Player::Defender)];
            endings.push(Some(*random.pick(&winners)));
        } else {
            let degree = 1 + random.below(3);
            edges.extend((0..degree).map(|_| (v, *random.pick(others))));
            endings.push(None);
        }
    }
    let rows = Rows::from_edges(n as usize, edges.iter().copied()).unwrap();
    TurnGraph::new(rows, owners, endings).unwrap()
}

/// eval and d_g of definitions 2.7 and 2.8, as least fixed points, straight from their text: the
/// depth to winning of `player` for each vertex, none for infinite.
pub(crate) fn depth_to_winning(graph: &TurnGraph<'_>, player: Player) -> Vec<Option<u32>> {
    depth_avoiding(graph, player, &[])
}

/// The same where no winning tree may touch the vertices in `avoid`.
pub(crate) fn depth_avoiding(
    graph: &TurnGraph<'_>,
    player: Player,
    avoid: &[u32],
) -> Vec<Option<u32>> {
    let n = graph.vertices() as u32;
    let mut depth: Vec<Option<u32>> = vec![None; n as usize];
    loop {
        let before = depth.clone();
        for v in (0..n).filter(|v| !avoid.contains(v)) {
            let of = |&w: &u32| before[w as usize].map_or(u32::MAX, |d| d + 1);
            let moves = graph.moves(v).iter().map(of);
            let new = match graph.sink(v) {
                Some(ending) if ending == Ending::Won(player) => 0,
                Some(_) => u32::MAX,
                None if graph.owner(v) == player => moves.min().unwrap(),
                None => moves.max().unwrap(),
            };
            depth[v as usize] = (new != u32::MAX).then_some(new);
        }
        if depth == before {
            return depth;
        }
    }
}
