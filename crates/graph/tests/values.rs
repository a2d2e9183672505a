//! Values and depths: the linear solver against its twins, and the checker against mutations.

mod common;

use common::{Random, VALUES, random_acyclic, random_graph};
use crownhead_graph::{
    Cycle, GameGraph, GrundyError, Rows, Solution, Value, VerifyError, acyclic, grundy, naive,
    retrograde, retrograde_parallel, sum_value, verify,
};

fn values(graph: &GameGraph<'_>) -> Vec<Value> {
    let solution = retrograde(graph);
    (0..graph.vertices() as u32).map(|v| solution.value(v)).collect()
}

#[test]
fn document_001_example() {
    let edges = [(0, 1), (1, 2), (3, 4), (4, 3), (4, 2), (5, 6), (6, 5)];
    let graph = GameGraph::from_edges(7, edges.into_iter()).unwrap();
    use Value::{Draw, Loss, Win};
    assert_eq!(values(&graph), [Loss, Win, Loss, Loss, Win, Draw, Draw]);
    let solution = retrograde(&graph);
    let plies: Vec<_> = (0..7).map(|v| solution.plies(v)).collect();
    assert_eq!(plies, [Some(2), Some(1), Some(0), Some(2), Some(1), None, None]);
    // "In other versions they win: just swap the roles of the terminal states."
    assert_eq!(values(&graph.with_stuck(Win)), [Win, Loss, Win, Draw, Draw, Draw, Draw]);
}

/// The document's own random tests: a thousand graphs of at most ten vertices, at most twenty
/// different edges; each outcome more than a hundred times.
#[test]
fn document_001_random_test() {
    let mut random = Random(1);
    let mut counts = [0; 3];
    for _ in 0..1000 {
        let n = 1 + random.below(10);
        let mut edges: Vec<_> =
            (0..random.below(21)).map(|_| (random.below(n), random.below(n))).collect();
        edges.sort_unstable();
        edges.dedup();
        let graph = GameGraph::from_edges(n as usize, edges.iter().copied()).unwrap();
        let solution = retrograde(&graph);
        assert_eq!(solution, naive(&graph), "{edges:?}");
        for v in 0..n {
            counts[solution.value(v) as usize] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn retrograde_equals_naive() {
    let mut random = Random(2);
    let mut counts = [0; 3];
    for round in 0..6000 {
        let graph = random_graph(&mut random, 4 + round / 100);
        let solution = retrograde(&graph);
        assert_eq!(solution, naive(&graph), "{graph:?}");
        verify(&graph, &solution).unwrap();
        for v in 0..graph.vertices() as u32 {
            counts[solution.value(v) as usize] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 10_000), "{counts:?}");
}

#[test]
fn a_move_that_keeps_value_and_plies() {
    let mut random = Random(3);
    for _ in 0..2000 {
        let graph = random_graph(&mut random, 30);
        let solution = retrograde(&graph);
        for v in 0..graph.vertices() as u32 {
            let Some(w) = solution.best_move(&graph, v) else {
                assert!(graph.terminal(v).is_some(), "no move at {v} of {graph:?}");
                continue;
            };
            assert!(graph.moves(v).contains(&w));
            assert_eq!(solution.value(w), solution.value(v).opposite());
            assert_eq!(solution.plies(v), solution.plies(w).map(|plies| plies + 1));
        }
    }
}

#[test]
fn topological_pass_equals_retrograde() {
    let mut random = Random(4);
    for _ in 0..2000 {
        let graph = random_acyclic(&mut random, 40);
        assert_eq!(acyclic(&graph).unwrap(), retrograde(&graph), "{graph:?}");
    }
}

#[test]
fn a_cycle_is_shown() {
    let mut random = Random(5);
    let (mut cyclic, mut straight) = (0, 0);
    for _ in 0..2000 {
        let graph = random_graph(&mut random, 12);
        match acyclic(&graph) {
            Ok(solution) => {
                straight += 1;
                assert_eq!(solution, retrograde(&graph));
            }
            Err(Cycle { vertices }) => {
                cyclic += 1;
                let next = vertices.iter().cycle().skip(1);
                for (&v, w) in vertices.iter().zip(next) {
                    assert!(graph.moves(v).contains(w), "{v} to {w}");
                }
            }
        }
    }
    assert!(cyclic > 300 && straight > 300, "{cyclic} {straight}");
}

/// Grundy values by definition: 0 exactly for the losses, of single games and of sums of two.
#[test]
fn grundy_values_tell_sums() {
    let mut random = Random(6);
    for _ in 0..300 {
        let mut game = || {
            let graph = random_acyclic(&mut random, 9);
            GameGraph::new(graph.rows().clone())
        };
        let (a, b) = (game(), game());
        let (ga, gb) = (grundy(&a).unwrap(), grundy(&b).unwrap());
        // The sum as one graph: a vertex is a pair.
        let m = b.vertices() as u32;
        let mut edges = Vec::new();
        for v in 0..a.vertices() as u32 {
            for w in 0..m {
                edges.extend(a.moves(v).iter().map(|&x| (v * m + w, x * m + w)));
                edges.extend(b.moves(w).iter().map(|&x| (v * m + w, v * m + x)));
            }
        }
        let sum = GameGraph::from_edges(a.vertices() * m as usize, edges.iter().copied()).unwrap();
        let solution = retrograde(&sum);
        for v in 0..a.vertices() as u32 {
            for w in 0..m {
                let parts = [ga[v as usize], gb[w as usize]];
                assert_eq!(solution.value(v * m + w), sum_value(parts), "{a:?} {b:?} {v} {w}");
            }
        }
    }
}

#[test]
fn no_grundy_values() {
    let looped = GameGraph::from_edges(2, [(0, 1), (1, 1)].into_iter()).unwrap();
    assert_eq!(grundy(&looped), Err(GrundyError::Cycle(Cycle { vertices: vec![1] })));
    let line = GameGraph::from_edges(2, [(0, 1)].into_iter()).unwrap();
    let wins = line.clone().with_stuck(Value::Win);
    assert_eq!(grundy(&wins), Err(GrundyError::StuckRule { stuck: Value::Win }));
    let labelled = line.with_labels(vec![None, Some(Value::Draw)]).unwrap();
    assert_eq!(grundy(&labelled), Err(GrundyError::Labelled { vertex: 1 }));
}

/// Every change of a single vertex of a right solution, to any value and to plies near and far.
#[test]
fn every_mutation_is_caught() {
    let mut random = Random(7);
    let mut mutations = 0;
    for _ in 0..400 {
        let graph = random_graph(&mut random, 16);
        let right = retrograde(&graph);
        let claims: Vec<_> =
            (0..graph.vertices() as u32).map(|v| (right.value(v), right.plies(v))).collect();
        assert_eq!(Solution::from_claims(&claims), right);
        for v in 0..claims.len() {
            let mut others = vec![(Value::Draw, None)];
            for plies in (0..graph.vertices() as u32 + 2).chain([u32::MAX - 1, u32::MAX]) {
                others.extend([(Value::Win, Some(plies)), (Value::Loss, Some(plies))]);
            }
            for other in others {
                if other == claims[v] {
                    continue;
                }
                let mut wrong = claims.clone();
                wrong[v] = other;
                let verdict = verify(&graph, &Solution::from_claims(&wrong));
                assert!(verdict.is_err(), "{graph:?} {v} {other:?}");
                mutations += 1;
            }
        }
    }
    assert!(mutations > 50_000, "{mutations}");
}

/// Losses that rest on each other in a ring are locally fine without depths: depths forbid them.
#[test]
fn claims_must_be_well_founded() {
    let ring = GameGraph::from_edges(2, [(0, 1), (1, 0)].into_iter()).unwrap();
    for plies in 0..5 {
        let claim = [(Value::Win, Some(plies)), (Value::Loss, Some(plies + 1))];
        assert!(verify(&ring, &Solution::from_claims(&claim)).is_err());
    }
    let short = Solution::from_claims(&[(Value::Draw, None)]);
    let error = verify(&ring, &short).unwrap_err();
    assert_eq!(error, VerifyError::Length { claimed: 1, vertices: 2 });
}

/// Large enough that threads do share waves; with labels, so that wins and losses meet in a wave.
#[test]
fn threads_change_nothing() {
    let mut random = Random(8);
    let n = 200_000;
    let edges: Vec<_> = (0..n * 3)
        .map(|_| (random.below(n), random.below(n)))
        .filter(|&(from, _)| from % 5 != 0)
        .collect();
    let labels = (0..n).map(|_| random.chance(4).then(|| *random.pick(&VALUES))).collect();
    let graph = GameGraph::from_edges(n as usize, edges.iter().copied()).unwrap();
    let graph = graph.with_labels(labels).unwrap();
    let solution = retrograde(&graph);
    for threads in [1, 2, 3, 8] {
        assert_eq!(graph.rows().reversed_parallel(threads), graph.rows().reversed());
        assert_eq!(retrograde_parallel(&graph, threads), solution, "{threads} threads");
    }
    verify(&graph, &solution).unwrap();
}

#[test]
fn a_forced_line_is_as_deep_as_long() {
    let n = 1_000_000_u32;
    let line = GameGraph::from_edges(n as usize, (1..n).map(|v| (v, v - 1))).unwrap();
    let solution = retrograde(&line);
    assert_eq!(solution.plies(n - 1), Some(n - 1));
    assert_eq!(solution.value(n - 1), Value::Win);
    assert_eq!(acyclic(&line).unwrap(), solution);
    assert_eq!(solution.line(&line, 10, 100), (0..=10).rev().collect::<Vec<_>>());
}

#[test]
fn rows_that_are_wrong_are_refused() {
    use crownhead_graph::GraphError as E;
    let edge = Rows::from_edges(2, [(0, 1), (0, 2)].into_iter()).unwrap_err();
    assert_eq!(edge, E::VertexOutOfRange { edge: 1, vertex: 2, vertices: 2 });
    let parts = |offsets: &[u32], targets: &[u32]| {
        Rows::from_parts(offsets.to_vec(), targets.to_vec()).unwrap_err()
    };
    assert_eq!(parts(&[], &[]), E::BadOffset { vertex: 0 });
    assert_eq!(parts(&[0], &[0]), E::BadOffset { vertex: 0 });
    assert_eq!(parts(&[1, 1], &[0]), E::BadOffset { vertex: 0 });
    assert_eq!(parts(&[0, 2, 1], &[0, 1]), E::BadOffset { vertex: 2 });
    assert_eq!(parts(&[0, 1, 1], &[0, 1]), E::BadOffset { vertex: 2 });
    assert_eq!(parts(&[0, 1, 2], &[0, 7]), E::VertexOutOfRange { edge: 1, vertex: 7, vertices: 2 });
    assert!(Rows::from_parts(vec![0], vec![]).is_ok());
}
