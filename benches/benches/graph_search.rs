//! WinTree's forms and the local fixed point side by side: does ordering, does the remark after
//! theorem 4.8 pay? A table for each family of graphs: visits (for the local one: positions
//! explored), bytes beside the graph, and milliseconds.
#![allow(clippy::print_stdout)] // printing is what it is for

use std::time::Instant;

use crownhead_graph::{
    Decision, Ending, Local, Player, Rows, TurnGraph, Variant, Verdict, wintree,
};

const BUDGET: u64 = 300_000;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (((self.0 >> 32) * u64::from(limit)) >> 32) as u32
    }
}

/// A ring of diamonds: no sinks, 2^k simple paths.
fn diamonds(k: u32) -> TurnGraph<'static> {
    let next = move |i: u32| if i + 1 == k { 0 } else { 3 * i + 3 };
    let edges = (0..k).flat_map(move |i| {
        let top = 3 * i;
        [(top, top + 1), (top, top + 2), (top + 1, next(i)), (top + 2, next(i))]
    });
    let owner = |v| if v % 3 == 0 { Player::Attacker } else { Player::Defender };
    build(3 * k, edges, owner, |_| None)
}

/// Two sides, every vertex joined to all of the other side: all orders of the vertices are paths.
fn bipartite(k: u32) -> TurnGraph<'static> {
    let edges = (0..k).flat_map(move |i| (0..k).flat_map(move |j| [(i, k + j), (k + j, i)]));
    let owner = move |v| if v < k { Player::Attacker } else { Player::Defender };
    build(2 * k, edges, owner, |_| None)
}

/// Two or three random moves each, and sinks of either winner.
fn random(vertices: u32, sinks_percent: u32) -> TurnGraph<'static> {
    let mut random = Random(u64::from(vertices) * 1000 + u64::from(sinks_percent));
    let sink: Vec<bool> =
        (0..vertices).map(|v| v > 0 && random.below(100) < sinks_percent).collect();
    let mut edges = Vec::new();
    for v in 0..vertices {
        if sink[v as usize] {
            edges.push((v, v));
            continue;
        }
        for _ in 0..2 + random.below(2) {
            let w = random.below(vertices / 2) * 2 + 1 - v % 2;
            edges.push((v, w));
        }
    }
    let owner = |v| Player::BOTH[v as usize % 2];
    let endings = [Ending::Drawn, Ending::Won(Player::Attacker), Ending::Won(Player::Defender)];
    let ending = |v: u32| sink[v as usize].then(|| endings[v as usize / 2 % 3]);
    build(vertices, edges.into_iter(), owner, ending)
}

fn build(
    vertices: u32,
    edges: impl Iterator<Item = (u32, u32)> + Clone,
    owner: impl Fn(u32) -> Player,
    ending: impl Fn(u32) -> Option<Ending>,
) -> TurnGraph<'static> {
    let rows = Rows::from_edges(vertices as usize, edges).expect("rows");
    let owners = (0..vertices).map(owner).collect();
    TurnGraph::new(rows, owners, (0..vertices).map(ending).collect()).expect("a turn graph")
}

fn row(name: &str, graph: &TurnGraph<'_>) {
    print!("{name:20}");
    let mut verdicts = Vec::new();
    for variant in Variant::ALL {
        let start = Instant::now();
        let search = wintree(&mut &*graph, Player::Attacker, 0, variant, BUDGET);
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let spent = search.verdict() == Verdict::BudgetSpent;
        let sign = if spent { ">" } else { "" };
        let visits = format!("{sign}{}", search.visits());
        print!(" | {visits:>9} {:>10} {ms:>8.1}", search.peak_bytes());
        if !spent {
            verdicts.push(matches!(search.verdict(), Verdict::Wins { .. }));
        }
    }
    let start = Instant::now();
    let mut local = Local::new(graph);
    let wins = matches!(local.decide(0, Player::Attacker), Decision::Wins { .. });
    let ms = start.elapsed().as_secs_f64() * 1e3;
    let explored = local.explored();
    println!(
        " | {:>9} {:>10} {ms:>8.1}",
        crownhead_graph::Arena::known(explored),
        explored.bytes()
    );
    assert!(verdicts.iter().all(|&verdict| verdict == wins), "{name}");
}

fn main() {
    let test = std::env::args().any(|argument| argument == "--test");
    let (small, large) = if test { (8, 100) } else { (20, 600) };
    let columns = ["plain", "ordered", "gray reached", "local"];
    print!("{:20}", "visits, bytes, ms");
    columns.iter().for_each(|column| print!(" | {column:29}"));
    println!();
    for k in (4..=small).step_by(4) {
        row(&format!("{k} diamonds"), &diamonds(k));
    }
    row("1000 diamonds", &diamonds(1000));
    for k in 2..=5 {
        row(&format!("bipartite {k}"), &bipartite(k));
    }
    for sinks in [2, 10, 30] {
        let mut vertices = 20;
        while vertices <= large {
            row(&format!("random {vertices}, {sinks}% sinks"), &random(vertices, sinks));
            vertices = if vertices < 60 { vertices + 20 } else { vertices * 10 };
        }
    }
}
