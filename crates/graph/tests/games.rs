//! Real games by their rules: tic-tac-toe and chess endings, whose values are known.

#[path = "../examples/games/chess.rs"]
mod chess;
mod common;
#[path = "../examples/games/tictactoe.rs"]
mod tictactoe;

use std::sync::OnceLock;

use chess::{Chess, Ending};
use common::Random;
use cozy_chess::Piece;
use crownhead_graph::{
    Decision, Explored, Game, GameGraph, Local, NeverLose, Player, Solution, Value, Variant,
    Verdict, acyclic, naive, retrograde, verify, wintree,
};
use tictactoe::{Board, TicTacToe};

#[test]
fn tic_tac_toe() {
    let mut explored = Explored::new(TicTacToe);
    let root = explored.vertex(Board::default());
    let (graph, boards) = explored.into_graph().unwrap();
    assert_eq!(boards.len(), 5478, "the number of reachable positions is well known");
    let solution = retrograde(&graph);
    assert_eq!(solution, naive(&graph));
    assert_eq!(solution, acyclic(&graph).unwrap(), "every move fills a cell");
    verify(&graph, &solution).unwrap();
    assert_eq!(solution.value(root), Value::Draw);
    for (v, &board) in (0_u32..).zip(&boards) {
        let found = Local::new(TicTacToe).value(board);
        assert_eq!(found, (solution.value(v), solution.plies(v)), "{board:?}");
    }
    for player in Player::BOTH {
        for variant in Variant::ALL {
            let mut explored = Explored::new(TicTacToe);
            let root = explored.vertex(Board::default());
            let search = wintree(&mut explored, player, root, variant, u64::MAX);
            assert_eq!(search.verdict(), Verdict::DoesNotWin);
            // Without cycles nothing is left open, so every visited position is decided.
            assert!(search.visited().all(|v| search.won(v).is_some()));
            // By theorem 4.8 and corollary 3.3, the other player never loses.
            assert!(never_loses(&NeverLose::against(search).unwrap(), explored, root));
        }
    }
}

/// Plays against every move of the opponent.
fn never_loses(
    strategy: &NeverLose<crownhead_graph::WinTree>,
    mut game: Explored<TicTacToe>,
    root: u32,
) -> bool {
    use crownhead_graph::{Arena, Ending as End};
    let mut todo = vec![root];
    while let Some(v) = todo.pop() {
        let degree = game.expand(v);
        if game.ending(v) == Some(End::Won(strategy.player().opponent())) {
            return false;
        }
        if game.turn(v) == strategy.player() {
            todo.extend(strategy.choose(&mut game, v));
        } else {
            todo.extend((0..degree).map(|i| game.successor(v, i)));
        }
    }
    true
}

struct Endings {
    graph: GameGraph<'static>,
    endings: Vec<Ending>,
    solution: Solution,
}

impl Endings {
    fn with(&self, piece: Piece) -> impl Iterator<Item = u32> + '_ {
        (0_u32..)
            .zip(&self.endings)
            .filter(move |(_, ending)| ending.piece.is_some_and(|(kind, _)| kind == piece))
            .map(|(v, _)| v)
    }
}

/// Solved once for all tests.
fn endings() -> &'static Endings {
    static ENDINGS: OnceLock<Endings> = OnceLock::new();
    ENDINGS.get_or_init(|| {
        let (graph, endings) = chess::graph();
        let solution = retrograde(&graph);
        Endings { graph, endings, solution }
    })
}

/// The longest mates known from theory, in moves of White.
#[test]
fn longest_mates_of_chess_endings() {
    let all = endings();
    verify(&all.graph, &all.solution).unwrap();
    for (piece, moves) in [(Piece::Queen, 10), (Piece::Rook, 16), (Piece::Pawn, 28)] {
        let won = |&v: &u32| all.solution.value(v) == Value::Win;
        let longest =
            all.with(piece).filter(won).filter_map(|v| all.solution.plies(v)).max().unwrap();
        assert_eq!(longest, 2 * moves - 1, "{piece:?}");
    }
    let never_lost_by_white = (0_u32..).zip(&all.endings).all(|(v, ending)| {
        let lost = if ending.turn == Player::Attacker { Value::Loss } else { Value::Win };
        all.solution.value(v) != lost
    });
    assert!(never_lost_by_white, "a bare king mates nobody");
}

/// The document's player: with either side, from every kind of root, against random play it never
/// gets less than the root is worth.
#[test]
fn the_never_losing_chess_player() {
    let all = endings();
    let strategy = NeverLose::by_values(all.solution.clone());
    let mut random = Random(91);
    let mut kept = [0; 3];
    for _ in 0..4000 {
        let root = random.below(all.graph.vertices() as u32);
        for first in [true, false] {
            let value = all.solution.value(root);
            let stake = if first { value } else { value.opposite() };
            let (mut v, mut plies) = (root, 0);
            let result = loop {
                let mine = (plies % 2 == 0) == first;
                if let Some(value) = all.graph.terminal(v) {
                    break if mine { value } else { value.opposite() };
                }
                if plies == 200 {
                    break Value::Draw;
                }
                v = if mine {
                    strategy.choose_move(&all.graph, v).unwrap()
                } else {
                    *random.pick(all.graph.moves(v))
                };
                plies += 1;
            };
            assert!(result >= stake, "{:?}", all.endings[root as usize]);
            kept[stake as usize] += 1;
        }
    }
    assert!(kept.iter().all(|&count| count > 100), "{kept:?}");
}

/// A game in which the side to move may claim a draw when `limit` plies have been played: it has
/// no endless play. The 50-move rule is such a limit, counted from the last capture or pawn move.
struct Clocked<G> {
    game: G,
    limit: u32,
}

impl<G: Game> Game for Clocked<G> {
    type State = (G::State, u32);

    fn terminal(&self, (state, clock): &Self::State) -> Option<Value> {
        let over = self.game.terminal(state);
        over.or_else(|| (*clock == self.limit).then_some(Value::Draw))
    }

    fn successors(&self, (state, clock): &Self::State, visit: &mut dyn FnMut(Self::State)) {
        self.game.successors(state, &mut |next| visit((next, clock + 1)));
    }

    fn turn(&self, (state, _): &Self::State) -> Player {
        self.game.turn(state)
    }
}

/// "The end must occur after a finite number of moves (remembering the 50 move drawing rule)": with
/// the plies counted in the position there is no cycle, and nothing changes as long as the limit is
/// not below the depth. No win here is deeper than 100 plies, so the rule takes none away.
#[test]
fn the_fifty_move_remark() {
    let all = endings();
    assert!(acyclic(&all.graph).is_err(), "without the rule, play can go on for ever");
    let deepest = all.solution.longest(Value::Win).max(all.solution.longest(Value::Loss)).unwrap();
    assert!(deepest.1 <= 100);

    let root = all.with(Piece::Queen).find(|&v| all.solution.plies(v) == Some(3)).unwrap();
    for limit in 0..5 {
        let mut explored = Explored::new(Clocked { game: Chess, limit });
        let start = explored.vertex((all.endings[root as usize], 0));
        let (graph, _) = explored.into_graph().unwrap();
        let solution = acyclic(&graph).expect("the clock only rises");
        assert_eq!(solution, retrograde(&graph));
        let expected = if limit >= 3 { Value::Win } else { Value::Draw };
        assert_eq!(solution.value(start), expected, "limit {limit}");
    }
}

/// On the fly, touching a small part of the half million positions where the mate is near.
#[test]
fn local_chess() {
    let all = endings();
    let mut random = Random(92);
    for plies in [0, 1, 2, 3, 4, 5] {
        let deep: Vec<u32> =
            all.with(Piece::Rook).filter(|&v| all.solution.plies(v) == Some(plies)).collect();
        let v = *random.pick(&deep);
        let mut local = Local::new(Chess);
        let ending = all.endings[v as usize];
        assert_eq!(local.depth(ending, Player::Attacker), Some(plies), "{ending:?}");
        assert_eq!(local.decide(ending, Player::Defender), Decision::DoesNotWin);
    }
}
