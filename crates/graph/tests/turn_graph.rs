//! Definition 2.6 and the winning trees: what is refused, and where.

mod common;

use Player::{Attacker, Defender};
use common::{Random, random_turn_graph};
use crownhead_graph::{
    Ending, GameGraph, Player, Rows, TreeError, TreeNode, TurnGraph, TurnGraphError, Value,
    WinningTree, retrograde,
};

fn turn_graph(
    owners: &[Player],
    edges: &[(u32, u32)],
    endings: &[Option<Ending>],
) -> Result<TurnGraph<'static>, TurnGraphError> {
    let rows = Rows::from_edges(owners.len(), edges.iter().copied()).unwrap();
    TurnGraph::new(rows, owners.to_vec(), endings.to_vec())
}

#[test]
fn definition_2_6_is_checked() {
    use TurnGraphError as E;
    let won = Some(Ending::Won(Attacker));
    let players = [Attacker, Defender, Attacker];
    let right = [(0, 1), (1, 2), (1, 0), (2, 2)];
    let graph = turn_graph(&players, &right, &[None, None, won]).unwrap();
    assert_eq!(graph.clone().with_initial(2), Err(E::InitialSink { vertex: 2 }));
    assert_eq!(graph.clone().with_initial(3), Err(E::NoInitial { vertex: 3 }));
    assert!(graph.with_initial(0).is_ok());

    let fails = |edges: &[(u32, u32)], endings: &[Option<Ending>], error, message: &str| {
        let found = turn_graph(&players, edges, endings).unwrap_err();
        assert_eq!(found, error);
        assert!(found.to_string().contains(message), "{found}");
    };
    let ends = [None, None, won];
    fails(&[(0, 1), (1, 0)], &ends, E::NoEdge { vertex: 2 }, "vertex 2 has no edge");
    fails(&[(0, 1), (1, 1), (1, 2), (2, 2)], &ends, E::SelfLoop { vertex: 1 }, "1 → 1");
    let same = E::SameTurn { from: 0, to: 2, owner: Attacker };
    fails(&[(0, 1), (0, 2), (1, 0), (2, 2)], &ends, same, "0 → 2");
    fails(&right, &[None; 3], E::NoEnding { vertex: 2 }, "vertex 2");
    fails(&right, &[None, won, won], E::NotSink { vertex: 1 }, "vertex 1");
    assert!(matches!(turn_graph(&players, &right, &[None]), Err(E::Graph(_))));
}

#[test]
fn conversions_are_explicit() {
    // 2 is labelled, 3 has no move, 4 has only a self-loop.
    let edges = [(0, 1), (1, 2), (1, 4), (2, 1), (0, 3), (4, 4)];
    let labels = vec![None, None, Some(Value::Win), None, None];
    let graph = GameGraph::from_edges(5, edges.into_iter()).unwrap().with_labels(labels).unwrap();
    let owners = [Attacker, Defender, Attacker, Defender, Attacker].map(Some);
    let turns = TurnGraph::from_game(&graph, &owners).unwrap();
    assert_eq!(turns.sink(2), Some(Ending::Won(Attacker)));
    assert_eq!(turns.sink(3), Some(Ending::Won(Attacker)), "the defender cannot move");
    assert_eq!(turns.sink(4), Some(Ending::Drawn));
    assert_eq!(turns.rows().row(2), [2]);
    assert_eq!(retrograde(&turns.to_game().unwrap()), retrograde(&graph));

    let missing = [Some(Attacker), None, Some(Attacker), Some(Defender), Some(Attacker)];
    let error = TurnGraph::from_game(&graph, &missing).unwrap_err();
    assert_eq!(error, TurnGraphError::NoOwner { vertex: 1 });
    let looped = GameGraph::from_edges(2, [(0, 0), (0, 1)].into_iter()).unwrap();
    let error = TurnGraph::from_game(&looped, &[Some(Attacker), Some(Defender)]).unwrap_err();
    assert_eq!(error, TurnGraphError::SelfLoop { vertex: 0 });
}

/// Values survive the way there and back.
#[test]
fn there_and_back() {
    let mut random = Random(71);
    for _ in 0..1000 {
        let turns = random_turn_graph(&mut random, 20);
        let game = turns.to_game().unwrap();
        let owners: Vec<_> = (0..game.vertices() as u32).map(|v| Some(turns.owner(v))).collect();
        let back = TurnGraph::from_game(&game, &owners).unwrap();
        for v in 0..game.vertices() as u32 {
            assert_eq!(turns.sink(v), back.sink(v));
            assert_eq!(turns.moves(v), back.moves(v));
        }
    }
}

/// Every change of a node of a right tree is refused.
#[test]
fn broken_trees_are_caught() {
    let mut random = Random(72);
    let mut broken = 0;
    for _ in 0..3000 {
        let graph = random_turn_graph(&mut random, 14);
        let solution = retrograde(&graph.to_game().unwrap());
        let root = random.below(graph.vertices() as u32);
        let Some(tree) = WinningTree::from_solution(&graph, &solution, Attacker, root) else {
            continue;
        };
        tree.check(&graph, Attacker).unwrap();
        let mut must_fail = |nodes: Vec<TreeNode>| {
            assert!(WinningTree::from_nodes(nodes).check(&graph, Attacker).is_err(), "{tree:?}");
            broken += 1;
        };
        for i in 0..tree.nodes().len() {
            let with = |change: &dyn Fn(&mut TreeNode)| {
                let mut nodes = tree.nodes().to_vec();
                change(&mut nodes[i]);
                nodes
            };
            must_fail(with(&|node| node.children.push(i as u32)));
            must_fail(with(&|node| node.vertex = graph.vertices() as u32));
            if tree.nodes()[i].children.is_empty() {
                continue;
            }
            must_fail(with(&|node| node.children.clear()));
            must_fail(with(&|node| {
                node.children.pop();
            }));
            must_fail(with(&|node| node.children.push(node.children[0])));
        }
    }
    assert!(broken > 3000, "{broken}");
    let empty = WinningTree::from_nodes(vec![]);
    assert_eq!(empty.check(&random_turn_graph(&mut random, 5), Attacker), Err(TreeError::Empty));
}

/// A ladder of diamonds that are all won: few nodes kept, exponentially many in the tree.
#[test]
fn trees_are_counted_and_drawn() {
    // 2i: the defender moves to 2i+1 or 2i+2 … written out: three levels of two choices each.
    let mut edges = Vec::new();
    let mut owners = Vec::new();
    for level in 0..3_u32 {
        let top = 3 * level;
        edges.extend([(top, top + 1), (top, top + 2), (top + 1, top + 3), (top + 2, top + 3)]);
        owners.extend([Defender, Attacker, Attacker]);
    }
    edges.push((9, 9));
    owners.push(Defender);
    let mut endings = vec![None; 10];
    endings[9] = Some(Ending::Won(Attacker));
    let graph = turn_graph(&owners, &edges, &endings).unwrap();
    let solution = retrograde(&graph.to_game().unwrap());
    let tree = WinningTree::from_solution(&graph, &solution, Attacker, 0).unwrap();
    tree.check(&graph, Attacker).unwrap();
    assert_eq!((tree.nodes().len(), tree.height()), (10, 6));
    // 1 + 2 + 2 + 4 + 4 + 8 + 8 nodes.
    assert_eq!((tree.size(), tree.games()), (29, 8));
    let drawing = tree.draw(&|v| v.to_string(), 5);
    assert_eq!(drawing, "0\n  1\n    3\n      4\n        6\n…\n");
    assert_eq!(tree.draw(&|v| v.to_string(), 1000).lines().count(), 29);
}
