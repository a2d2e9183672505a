//! The searches from one position: WinTree's budget, order and stack, and the local fixed point.

mod common;
#[path = "common/families.rs"]
mod families;

use std::cell::Cell;

use common::{Random, depth_to_winning, random_graph, random_turn_graph};
use crownhead_graph::{
    Arena, Colour, Decision, Explored, Game, GameGraph, Local, Played, Player, Reordered, Value,
    Variant, Verdict, retrograde, wintree,
};
use families::{diamonds, line};

#[test]
fn a_path_of_ten_million_vertices_does_not_overflow() {
    let vertices = 10_000_000;
    let graph = line(vertices);
    for variant in Variant::ALL {
        let search = wintree(&mut &graph, Player::Attacker, 0, variant, u64::MAX);
        assert_eq!(search.verdict(), Verdict::Wins { bound: vertices - 1 });
        assert_eq!(search.visits(), u64::from(vertices));
    }
}

#[test]
fn a_spent_budget_is_a_result() {
    let graph = line(100);
    let search = wintree(&mut &graph, Player::Attacker, 0, Variant::Plain, 99);
    assert_eq!(search.verdict(), Verdict::BudgetSpent);
    assert_eq!(search.visits(), 99);
    assert_eq!(search.colour(98), Some(Colour::Gray));
    assert_eq!((search.won(98), search.bound(98)), (None, None));
    let search = wintree(&mut &graph, Player::Attacker, 0, Variant::Plain, 100);
    assert_eq!(search.verdict(), Verdict::Wins { bound: 99 });
}

/// Whatever the budget, what is black is right.
#[test]
fn black_is_right_when_the_budget_is_spent() {
    let mut random = Random(51);
    let (mut spent, mut black) = (0, 0);
    for _ in 0..1000 {
        let graph = random_turn_graph(&mut random, 14);
        let depth = depth_to_winning(&graph, Player::Attacker);
        let budget = u64::from(random.below(20));
        let variant = *random.pick(&Variant::ALL);
        let search = wintree(&mut &graph, Player::Attacker, 0, variant, budget);
        spent += u32::from(search.verdict() == Verdict::BudgetSpent);
        for v in (0..graph.vertices() as u32).filter(|&v| search.won(v).is_some()) {
            assert_eq!(search.won(v) == Some(true), depth[v as usize].is_some());
            black += 1;
        }
    }
    assert!(spent > 200 && black > 200, "{spent} {black}");
}

/// The plain search doubles with each diamond; the local one does not, nor, here, the variant that
/// keeps the gray vertices reached.
#[test]
fn local_is_linear_where_wintree_is_exponential() {
    for k in 2..14 {
        let graph = diamonds(k);
        for variant in [Variant::Plain, Variant::Ordered] {
            let search = wintree(&mut &graph, Player::Attacker, 0, variant, u64::MAX);
            assert_eq!(search.verdict(), Verdict::DoesNotWin);
            assert!(search.visits() >= 1 << k, "{} visits of {k} diamonds", search.visits());
        }
        let search = wintree(&mut &graph, Player::Attacker, 0, Variant::GrayReached, u64::MAX);
        assert_eq!(search.visits(), 3 * u64::from(k));
    }
    let graph = Counted { game: diamonds(100_000), expanded: Cell::new(0) };
    for player in Player::BOTH {
        let mut local = Local::new(&graph);
        graph.expanded.set(0);
        assert_eq!(local.decide(0, player), Decision::DoesNotWin);
        assert!(graph.expanded.get() <= 300_000);
    }
}

/// A game that counts how often successors are asked for.
struct Counted<G> {
    game: G,
    expanded: Cell<u64>,
}

impl<G: Game> Game for Counted<G> {
    type State = G::State;

    fn terminal(&self, state: &G::State) -> Option<Value> {
        self.game.terminal(state)
    }

    fn successors(&self, state: &G::State, visit: &mut dyn FnMut(G::State)) {
        self.expanded.set(self.expanded.get() + 1);
        self.game.successors(state, visit);
    }

    fn turn(&self, state: &G::State) -> Player {
        self.game.turn(state)
    }

    fn stuck(&self) -> Value {
        self.game.stuck()
    }
}

#[test]
fn the_order_of_moves_is_the_callers() {
    let mut random = Random(52);
    let (mut saved, mut lost) = (0, 0);
    for _ in 0..500 {
        let graph = random_turn_graph(&mut random, 14);
        let solution = retrograde(&graph.to_game().unwrap());
        let plain = wintree(&mut &graph, Player::Attacker, 0, Variant::Plain, u64::MAX);
        // The perfect order: the lost vertices, for whoever moves there, first.
        let order = |_: &&_, _: u32, moves: &mut [u32]| {
            moves.sort_by_key(|&w| (solution.value(w), solution.plies(w)));
        };
        let mut ordered = Reordered::new(&graph, order);
        let best = wintree(&mut ordered, Player::Attacker, 0, Variant::Plain, u64::MAX);
        assert_eq!(best.won(0) == Some(true), plain.won(0) == Some(true));
        if best.visits() < plain.visits() {
            saved += 1;
        } else if best.visits() > plain.visits() {
            lost += 1;
        }
    }
    assert!(saved > 2 * lost, "{saved} {lost}");
}

/// On the same graph as a list of vertices and as a game that is explored.
#[test]
fn wintree_on_a_graph_and_on_a_game() {
    let mut random = Random(53);
    for _ in 0..500 {
        let graph = random_turn_graph(&mut random, 14);
        let listed = wintree(&mut &graph, Player::Defender, 0, Variant::Plain, u64::MAX);
        let mut explored = Explored::new(&graph);
        let root = explored.vertex(0);
        let met = wintree(&mut explored, Player::Defender, root, Variant::Plain, u64::MAX);
        assert_eq!(listed.visits(), met.visits());
        for v in listed.visited() {
            let same = explored.find(&v).unwrap();
            assert_eq!(listed.won(v), met.won(same));
            assert_eq!(listed.bound(v), met.bound(same));
        }
        assert_eq!(met.visited().count(), listed.visited().count());
    }
}

#[test]
fn local_equals_retrograde_on_game_graphs() {
    let mut random = Random(54);
    let mut counts = [0; 3];
    for round in 0..1500 {
        let graph = random_graph(&mut random, 4 + round / 40);
        let solution = retrograde(&graph);
        let mut shared = Local::new(Played(&graph));
        for v in 0..graph.vertices() as u32 {
            let expected = (solution.value(v), solution.plies(v));
            counts[expected.0 as usize] += 1;
            for player in Player::BOTH {
                let mut local = Local::new(Played(&graph));
                assert_eq!(local.value((v, player)), expected, "{graph:?} {v}");
                assert_eq!(shared.value((v, player)), expected, "{graph:?} {v}");
                let root = local.explored().find(&(v, player)).unwrap();
                assert!(local.settled().iter().any(|&(w, ..)| w == root));
                for &(w, value, plies) in local.settled() {
                    let &(w, _) = local.explored().state(w);
                    assert_eq!((value, plies), (solution.value(w), solution.plies(w)));
                }
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 2000), "{counts:?}");
}

#[test]
fn local_equals_the_definition_on_turn_graphs() {
    let mut random = Random(55);
    for _ in 0..1500 {
        let graph = random_turn_graph(&mut random, 40);
        for player in Player::BOTH {
            let depth = depth_to_winning(&graph, player);
            for v in 0..graph.vertices() as u32 {
                let mut local = Local::new(&graph);
                let decision = local.decide(v, player);
                match (decision, depth[v as usize]) {
                    (Decision::Wins { bound }, Some(depth)) => assert!(bound >= depth),
                    (Decision::DoesNotWin, None) => {}
                    (decision, depth) => panic!("{decision:?} {depth:?} at {v} of {graph:?}"),
                }
                assert_eq!(local.depth(v, player), depth[v as usize]);
            }
        }
    }
}

/// A win next door is found without walking the whole graph, and so is its depth.
#[test]
fn local_touches_only_what_it_needs() {
    // 0 → 1 (no move): a win in one; 0 → 2 → 3 → … is a line of a million vertices.
    let n = 1_000_000;
    let edges = [(0, 2), (0, 1)].into_iter().chain((2..n - 1).map(|v| (v, v + 1)));
    let graph = GameGraph::from_edges(n as usize, edges).unwrap();
    let game = Counted { game: Played(&graph), expanded: Cell::new(0) };
    let mut local = Local::new(&game);
    assert_eq!(local.value((0, Player::Attacker)), (Value::Win, Some(1)));
    assert!(game.expanded.get() < 100, "{} positions expanded", game.expanded.get());
    assert!(local.explored().known() < 100);
    // The far end costs the whole line, once.
    assert_eq!(local.value((3, Player::Attacker)), {
        let solution = retrograde(&graph);
        (solution.value(3), solution.plies(3))
    });
    assert!(game.expanded.get() < u64::from(n) + 100);
}
