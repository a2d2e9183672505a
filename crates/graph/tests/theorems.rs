//! Every lemma and theorem of Romano's paper, on thousands of random game graphs, for all variants
//! of the procedure and both players.

mod common;
#[path = "common/paper.rs"]
mod paper;

use common::{Random, depth_avoiding, depth_to_winning, random_turn_graph};
use crownhead_graph::{
    Colour, Ending, Player, Rows, TurnGraph, Value, Variant, Verdict, WinTree, WinningTree,
    retrograde, wintree,
};
use paper::Paper;

/// One search and the truth about its graph.
struct Case<'g> {
    graph: &'g TurnGraph<'g>,
    player: Player,
    variant: Variant,
    search: WinTree,
    /// d_g; finite where eval is `player`.
    depth: Vec<Option<u32>>,
}

impl Case<'_> {
    fn vertices(&self) -> std::ops::Range<u32> {
        0..self.graph.vertices() as u32
    }

    fn eval_is_player(&self, v: u32) -> bool {
        self.depth[v as usize].is_some()
    }

    fn is_black(&self, v: u32) -> bool {
        self.search.colour(v) == Some(Colour::Black)
    }
}

/// Calls `check` on thousands of searches. Small graphs: the search can be exponential.
fn for_each_case(seed: u64, mut check: impl FnMut(&Case<'_>)) {
    let mut random = Random(seed);
    for _ in 0..1200 {
        let graph = random_turn_graph(&mut random, 14);
        for player in Player::BOTH {
            let depth = depth_to_winning(&graph, player);
            for variant in Variant::ALL {
                let root = random.below(graph.vertices() as u32);
                let search = wintree(&mut &graph, player, root, variant, u64::MAX);
                let depth = depth.clone();
                check(&Case { graph: &graph, player, variant, search, depth });
            }
        }
    }
}

#[test]
fn lemma_2_9_eval_is_g_where_the_depth_is_finite() {
    let mut random = Random(29);
    let mut seen = [0; 3];
    for _ in 0..3000 {
        let graph = random_turn_graph(&mut random, 30);
        let depths = Player::BOTH.map(|player| depth_to_winning(&graph, player));
        let solution = retrograde(&graph.to_game().unwrap());
        for v in 0..graph.vertices() as u32 {
            let value = solution.value(v);
            seen[value as usize] += 1;
            for (player, depth) in Player::BOTH.into_iter().zip(&depths) {
                let own = if graph.owner(v) == player { value } else { value.opposite() };
                let expected = if own == Value::Win { solution.plies(v) } else { None };
                assert_eq!(depth[v as usize], expected, "{graph:?} {v}");
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 3000), "{seen:?}");
}

#[test]
fn theorem_3_1_true_is_right() {
    let mut found = 0;
    for_each_case(31, |case| {
        for v in case.vertices().filter(|&v| case.search.won(v) == Some(true)) {
            assert!(case.eval_is_player(v), "{:?} {v}", case.graph);
            found += 1;
        }
    });
    assert!(found > 1000);
}

#[test]
fn theorem_3_2_black_vertices_are_complete() {
    let mut found = 0;
    for_each_case(32, |case| {
        for v in case.vertices().filter(|&v| case.is_black(v) && case.eval_is_player(v)) {
            assert_eq!(case.search.won(v), Some(true), "{:?} {v}", case.graph);
            found += 1;
        }
    });
    assert!(found > 1000);
}

#[test]
fn corollary_3_3_false_is_right() {
    let mut found = 0;
    for_each_case(33, |case| {
        for v in case.vertices().filter(|&v| case.search.won(v) == Some(false)) {
            assert!(!case.eval_is_player(v), "{:?} {v}", case.graph);
            found += 1;
        }
    });
    assert!(found > 1000);
}

#[test]
fn theorem_3_4_the_search_is_complete() {
    let mut counts = [0; 2];
    for_each_case(34, |case| {
        let root = case.search.root();
        let wins = case.eval_is_player(root);
        counts[usize::from(wins)] += 1;
        assert_eq!(case.search.won(root) == Some(true), wins, "{:?}", case.graph);
        assert_eq!(matches!(case.search.verdict(), Verdict::Wins { .. }), wins);
    });
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

/// Theorem 3.5 and its relatives 3.6 to 3.8 speak of the attribute d.
#[test]
fn theorem_3_5_true_where_d_is_finite() {
    for_each_case(35, |case| {
        for v in case.search.visited() {
            let (won, bound) = (case.search.won(v), case.search.bound(v));
            assert_eq!(won == Some(true), bound.is_some(), "{:?} {v}", case.graph);
        }
    });
    // The accessor derives one from the other, so the attributes themselves, too.
    for_each_paper_run(350, |run| {
        for v in (0..run.color.len()).filter(|&v| run.color[v] != paper::Colour::Nil) {
            assert_eq!(run.win[v] == Some(true), run.d[v] < paper::INFINITE);
        }
    });
}

#[test]
fn theorem_3_6_d_is_an_upper_bound() {
    let mut loose = 0;
    for_each_case(36, |case| {
        for v in case.search.visited() {
            let Some(bound) = case.search.bound(v) else { continue };
            let depth = case.depth[v as usize].expect("theorem 3.1");
            assert!(bound >= depth, "{:?} {v}", case.graph);
            loose += u32::from(bound > depth);
        }
    });
    assert!(loose > 0, "d is a bound of the depth, not the depth");
}

#[test]
fn corollary_3_7_black_d_is_finite_where_eval_is_g() {
    for_each_case(37, |case| {
        for v in case.vertices().filter(|&v| case.is_black(v)) {
            assert_eq!(case.search.bound(v).is_some(), case.eval_is_player(v));
        }
    });
}

#[test]
fn corollary_3_8_black_d_is_finite_where_the_depth_is() {
    for_each_case(38, |case| {
        for v in case.vertices().filter(|&v| case.is_black(v)) {
            assert_eq!(case.search.bound(v).is_some(), case.depth[v as usize].is_some());
        }
    });
}

#[test]
fn lemma_4_5_winning_trees_are_right() {
    let mut found = 0;
    for_each_case(45, |case| {
        for v in case.vertices() {
            let tree = WinningTree::from_search(&mut { case.graph }, &case.search, v);
            assert_eq!(tree.is_some(), case.search.won(v) == Some(true));
            let Some(tree) = tree else { continue };
            tree.check(case.graph, case.player).unwrap();
            assert_eq!(tree.root(), Some(v));
            assert!(case.eval_is_player(v));
            assert!(tree.height() >= case.depth[v as usize].unwrap());
            assert!(tree.height() <= case.search.bound(v).unwrap());
            found += 1;
        }
    });
    assert!(found > 1000);
}

#[test]
fn lemma_4_6_what_is_won_has_a_winning_tree() {
    let mut random = Random(46);
    for _ in 0..2000 {
        let graph = random_turn_graph(&mut random, 30);
        let solution = retrograde(&graph.to_game().unwrap());
        for player in Player::BOTH {
            let depth = depth_to_winning(&graph, player);
            for v in 0..graph.vertices() as u32 {
                let tree = WinningTree::from_solution(&graph, &solution, player, v);
                assert_eq!(tree.as_ref().map(WinningTree::height), depth[v as usize]);
                if let Some(tree) = tree {
                    tree.check(&graph, player).unwrap();
                    assert!(tree.check(&graph, player.opponent()).is_err());
                }
            }
        }
    }
}

/// Wherever a call starts with a winning tree that avoids the gray vertices, it ends with TRUE.
#[test]
fn lemma_4_7_gray_vertices_block_only_trees_through_them() {
    let mut with_tree = 0;
    for_each_paper_run(47, |run| {
        for (v, gray, win) in &run.calls {
            if depth_avoiding(run.graph, run.g, gray)[*v as usize].is_some() {
                assert_eq!(*win, Some(true), "{:?} {v} {gray:?}", run.graph);
                with_tree += 1;
            }
        }
    });
    assert!(with_tree > 1000);
}

/// Every vertex on an unbroken NIL line from the root.
#[test]
fn theorem_4_8_a_line_of_nil_from_the_root_is_not_won() {
    let mut counts = [0; 3];
    for_each_case(48, |case| {
        let nil =
            |v: u32| case.search.colour(v) == Some(Colour::White) && case.search.won(v).is_none();
        let mut line = vec![case.search.root()];
        line.retain(|&v| nil(v));
        let mut next = 0;
        while let Some(&v) = line.get(next) {
            assert!(!case.eval_is_player(v), "{:?} {:?} {v}", case.variant, case.graph);
            next += 1;
            for &w in case.graph.moves(v) {
                if nil(w) && !line.contains(&w) {
                    line.push(w);
                }
            }
        }
        counts[case.variant as usize] += next;
    });
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

/// NIL alone proves nothing: away from the line from the root there are won NIL vertices.
#[test]
fn nil_off_the_line_may_be_won() {
    let mut won = 0;
    for_each_case(480, |case| {
        let white = case.vertices().filter(|&v| case.search.colour(v) == Some(Colour::White));
        won += white.filter(|&v| case.eval_is_player(v)).count();
    });
    assert!(won > 0);
}

fn for_each_paper_run(seed: u64, mut check: impl FnMut(&Paper<'_>)) {
    let mut random = Random(seed);
    for _ in 0..3000 {
        let graph = random_turn_graph(&mut random, 11);
        for player in Player::BOTH {
            let mut run = Paper::new(&graph, player);
            run.plain(random.below(graph.vertices() as u32));
            check(&run);
        }
    }
}

/// The explicit stack does what the printed recursion does, visit for visit.
#[test]
fn the_stack_equals_the_recursion() {
    let mut random = Random(3);
    for _ in 0..1500 {
        let graph = random_turn_graph(&mut random, 14);
        let root = random.below(graph.vertices() as u32);
        for player in Player::BOTH {
            for variant in [Variant::Plain, Variant::Ordered] {
                let mut paper = Paper::new(&graph, player);
                match variant {
                    Variant::Plain => paper.plain(root),
                    _ => paper.ordered(root, true),
                }
                let search = wintree(&mut &graph, player, root, variant, u64::MAX);
                assert_eq!(search.visits(), paper.visits);
                for v in 0..graph.vertices() as u32 {
                    let colour = match search.colour(v) {
                        None => paper::Colour::Nil,
                        Some(Colour::White) => paper::Colour::White,
                        Some(Colour::Gray) => paper::Colour::Gray,
                        Some(Colour::Black) => paper::Colour::Black,
                    };
                    assert_eq!(colour, paper.color[v as usize], "{graph:?} {v}");
                    assert_eq!(search.won(v), paper.win[v as usize]);
                    assert_eq!(search.bound(v).unwrap_or(paper::INFINITE), paper.d[v as usize]);
                }
            }
        }
    }
}

/// The counterexample to the listing printed in section 4.1.
fn counterexample() -> TurnGraph<'static> {
    let edges = [(3, 1), (3, 0), (1, 3), (1, 2), (2, 0), (0, 0)];
    let rows = Rows::from_edges(4, edges.into_iter()).unwrap();
    let owners = [Player::Attacker, Player::Attacker, Player::Defender, Player::Defender];
    let ending = Some(Ending::Won(Player::Defender));
    TurnGraph::new(rows, owners.to_vec(), vec![ending, None, None, None]).unwrap()
}

#[test]
fn the_printed_ordered_listing_is_wrong() {
    let graph = counterexample();
    let mut printed = Paper::new(&graph, Player::Defender);
    printed.ordered(3, false);
    assert_eq!(printed.win[3], None, "the listing as printed misses the win in one move");
    for variant in Variant::ALL {
        let search = wintree(&mut &graph, Player::Defender, 3, variant, u64::MAX);
        assert_eq!(search.verdict(), Verdict::Wins { bound: 1 }, "{variant:?}");
    }
}

/// The same fault shows on random graphs: the tests above would have caught it.
#[test]
fn random_graphs_find_the_printed_fault() {
    let mut random = Random(41);
    let mut faults = 0;
    for _ in 0..3000 {
        let graph = random_turn_graph(&mut random, 10);
        let root = random.below(graph.vertices() as u32);
        let depth = depth_to_winning(&graph, Player::Attacker);
        let mut printed = Paper::new(&graph, Player::Attacker);
        printed.ordered(root, false);
        let wins = depth[root as usize].is_some();
        faults += u32::from((printed.win[root as usize] == Some(true)) != wins);
    }
    assert!(faults > 0);
}
