//! The strategies that never lose, against everything that the opponent can do.

mod common;

use common::{Random, random_graph, random_turn_graph};
use crownhead_graph::{
    Ending, NeverLose, Player, TurnGraph, Value, Variant, Verdict, retrograde, wintree,
};

/// Plays `choose` for `player` from `root` against every move of the opponent; whether a position
/// that the player has lost can be reached.
fn can_lose(
    graph: &TurnGraph<'_>,
    player: Player,
    root: u32,
    choose: &dyn Fn(u32) -> Option<u32>,
) -> bool {
    let mut seen = vec![false; graph.vertices()];
    let mut todo = vec![root];
    while let Some(v) = todo.pop() {
        if std::mem::replace(&mut seen[v as usize], true) {
            continue;
        }
        match graph.sink(v) {
            Some(ending) if ending == Ending::Won(player.opponent()) => return true,
            Some(_) => {}
            None if graph.owner(v) == player => {
                let w = choose(v).expect("a move where the game goes on");
                assert!(graph.moves(v).contains(&w));
                todo.push(w);
            }
            None => todo.extend(graph.moves(v)),
        }
    }
    false
}

#[test]
fn never_loses_by_theorem_4_8() {
    let mut random = Random(61);
    let (mut played, mut open) = (0, 0);
    for _ in 0..3000 {
        let graph = random_turn_graph(&mut random, 14);
        let solution = retrograde(&graph.to_game().unwrap());
        for player in Player::BOTH {
            for variant in Variant::ALL {
                let root = random.below(graph.vertices() as u32);
                let search = wintree(&mut &graph, player.opponent(), root, variant, u64::MAX);
                let undecided = search.won(root).is_none();
                let own = if graph.owner(root) == player { Value::Loss } else { Value::Win };
                let Some(strategy) = NeverLose::against(search) else {
                    assert_eq!(solution.value(root), own, "the root is lost");
                    continue;
                };
                assert_eq!(strategy.player(), player);
                let choose = |v| strategy.choose(&mut &graph, v);
                assert!(!can_lose(&graph, player, root, &choose), "{graph:?} {root}");
                played += 1;
                open += u32::from(undecided);
            }
        }
    }
    assert!(played > 3000 && open > 500, "{played} {open}");
}

/// The negative control: away from the line of open vertices from the root, a move to an open
/// vertex can throw a draw away.
#[test]
fn an_open_vertex_off_the_line_can_lose() {
    let mut random = Random(62);
    let mut thrown_away = 0;
    for _ in 0..40_000 {
        let graph = random_turn_graph(&mut random, 14);
        let solution = retrograde(&graph.to_game().unwrap());
        let root = random.below(graph.vertices() as u32);
        let search = wintree(&mut &graph, Player::Defender, root, Variant::Plain, u64::MAX);
        let open = |v: u32| search.colour(v).is_some() && search.won(v).is_none();
        let own = |&v: &u32| graph.owner(v) == Player::Attacker && solution.value(v) != Value::Loss;
        for v in search.visited().filter(|&v| open(v)).filter(own) {
            let loses = |&&w: &&u32| open(w) && solution.value(w) == Value::Win;
            thrown_away += graph.moves(v).iter().filter(loses).count();
        }
    }
    assert!(thrown_away > 0, "the line from the root would not be needed");
}

#[test]
fn never_loses_by_values() {
    let mut random = Random(63);
    let mut played = 0;
    for _ in 0..3000 {
        let graph = random_turn_graph(&mut random, 30);
        let game = graph.to_game().unwrap();
        let solution = retrograde(&game);
        let strategy = NeverLose::by_values(solution.clone());
        let choose = |v| strategy.choose_move(&game, v);
        for player in Player::BOTH {
            for root in 0..graph.vertices() as u32 {
                let lost = if graph.owner(root) == player { Value::Loss } else { Value::Win };
                let expected = solution.value(root) == lost;
                assert_eq!(can_lose(&graph, player, root, &choose), expected, "{graph:?} {root}");
                played += 1;
            }
        }
    }
    assert!(played > 30_000);
}

/// Random play on a large graph: the strategy moves first or second, from every kind of root.
#[test]
fn random_play_on_a_large_graph() {
    let mut random = Random(64);
    let graph = loop {
        let graph = random_graph(&mut random, 200_000);
        if graph.vertices() > 100_000 {
            break graph;
        }
    };
    let solution = retrograde(&graph);
    let strategy = NeverLose::by_values(solution.clone());
    let mut outcomes = [0; 3];
    for _ in 0..20_000 {
        let root = random.below(graph.vertices() as u32);
        let first = random.chance(50);
        let stake = if first { solution.value(root) } else { solution.value(root).opposite() };
        let (mut v, mut moves) = (root, 0);
        let result = loop {
            let mine = (moves % 2 == 0) == first;
            if let Some(value) = graph.terminal(v) {
                break if mine { value } else { value.opposite() };
            }
            if moves == 300 {
                break Value::Draw;
            }
            v = if mine {
                strategy.choose_move(&graph, v).unwrap()
            } else {
                *random.pick(graph.moves(v))
            };
            moves += 1;
        };
        assert!(result >= stake, "{result} from a {stake}");
        outcomes[result as usize] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 100), "{outcomes:?}");
}

#[test]
fn no_strategy_from_a_lost_root_or_an_unfinished_search() {
    let mut random = Random(65);
    let graph = random_turn_graph(&mut random, 14);
    let root = (0..graph.vertices() as u32).find(|&v| graph.sink(v).is_none()).unwrap();
    let search = wintree(&mut &graph, Player::Attacker, root, Variant::Plain, 0);
    assert_eq!(search.verdict(), Verdict::BudgetSpent);
    assert!(NeverLose::against(search).is_none());
}
