//! Game graphs on the device against retrograde analysis on the processor.

mod common;

use common::gpu;
use crownhead_gpu::{GraphOutcome, solve_graph, solve_graph_with_twins};
use crownhead_graph::{GameGraph, Value, retrograde};

/// Numbers without visible order.
fn noise(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed;
    move |below| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(below.max(1))) as u32
    }
}

fn random(vertices: u32, edges: u32, seed: u64) -> Vec<(u32, u32)> {
    let mut next = noise(seed);
    (0..edges).map(|_| (next(vertices), next(vertices))).collect()
}

fn assert_same(graph: &GameGraph<'_>) {
    let right = retrograde(graph);
    let solved = [("device", solve_graph(&gpu(), graph)), ("twins", solve_graph_with_twins(graph))];
    for (name, outcome) in solved {
        match outcome.unwrap() {
            GraphOutcome::Solved(found) => assert!(found == right, "{name}: differs"),
            GraphOutcome::HandedBack(why) => panic!("{name}: handed back: {why}"),
        }
    }
}

#[test]
fn random_graphs_have_the_same_values_and_plies() {
    for seed in 0..40 {
        let vertices = [1, 2, 31, 32, 33, 100, 1000][seed as usize % 7];
        let edges = random(vertices, vertices * (1 + seed as u32 % 4), seed);
        let mut next = noise(seed + 1000);
        let label = |_| match next(12) {
            0 => Some(Value::Win),
            1 => Some(Value::Draw),
            2 => Some(Value::Loss),
            _ => None,
        };
        let labels = (0..vertices).map(label).collect();
        for stuck in [Value::Loss, Value::Draw, Value::Win] {
            let graph = GameGraph::from_edges(vertices as usize, edges.iter().copied()).unwrap();
            assert_same(&graph.with_stuck(stuck));
        }
        let graph = GameGraph::from_edges(vertices as usize, edges.iter().copied()).unwrap();
        assert_same(&graph.with_labels(labels).unwrap());
    }
}

#[test]
fn a_large_graph_has_the_same_values_and_plies() {
    let edges = random(200_000, 500_000, 7);
    assert_same(&GameGraph::from_edges(200_000, edges.iter().copied()).unwrap());
}

#[test]
fn a_graph_without_open_vertices_needs_no_round() {
    assert_same(&GameGraph::from_edges(5, std::iter::empty()).unwrap());
    assert_same(&GameGraph::from_edges(0, std::iter::empty()).unwrap());
}

#[test]
fn a_line_of_rounds_is_handed_back_when_it_is_long() {
    let line = |n: u32| GameGraph::from_edges(n as usize + 1, (0..n).map(|v| (v, v + 1))).unwrap();
    assert_same(&line(60));
    match solve_graph(&gpu(), &line(10_000)).unwrap() {
        GraphOutcome::HandedBack(why) => assert!(why.contains("64 rounds decided 64"), "{why}"),
        GraphOutcome::Solved(_) => panic!("64 vertices in 64 rounds"),
    }
}
