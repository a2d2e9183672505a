//! Real games solved by their rules: tic-tac-toe, and the chess endings of king and queen, rook or
//! pawn against king, with a game by the player that never loses.
//!
//! Run with `cargo run --release -p crownhead-graph --example games`.
#![allow(clippy::print_stdout)] // printing is what it is for

mod chess;
mod tictactoe;

use chess::Ending;
use cozy_chess::Piece;
use crownhead_graph::{Local, NeverLose, Player, Value, retrograde};

fn main() {
    let (value, plies) = Local::new(tictactoe::TicTacToe).value(tictactoe::Board::default());
    println!("tic-tac-toe is a {value}, plies {plies:?}");

    let (graph, endings) = chess::graph();
    let solution = retrograde(&graph);
    println!("{} positions, {} moves", graph.vertices(), graph.rows().edges());
    for piece in [Piece::Queen, Piece::Rook, Piece::Pawn] {
        let won = |&v: &u32| {
            let ending = &endings[v as usize];
            ending.piece.is_some_and(|(kind, _)| kind == piece)
                && ending.turn == Player::Attacker
                && solution.value(v) == Value::Win
        };
        let longest = (0..graph.vertices() as u32).filter(won).max_by_key(|&v| solution.plies(v));
        if let Some(v) = longest {
            let plies = solution.plies(v).unwrap_or(0);
            println!(
                "K{piece:?}K: mate in {} moves from {}",
                plies.div_ceil(2),
                show(&endings[v as usize])
            );
        }
    }

    // Black to move in a drawn pawn ending, both sides by the strategy that never loses.
    let drawn = (0..graph.vertices() as u32).find(|&v| {
        let ending = &endings[v as usize];
        ending.turn == Player::Defender
            && matches!(ending.piece, Some((Piece::Pawn, _)))
            && solution.value(v) == Value::Draw
    });
    let strategy = NeverLose::by_values(solution);
    let Some(mut v) = drawn else { return };
    for _ in 0..10 {
        println!("{}", show(&endings[v as usize]));
        let Some(next) = strategy.choose_move(&graph, v) else { break };
        v = next;
    }
}

fn show(ending: &Ending) -> String {
    ending.board().map_or_else(String::new, |board| board.to_string())
}
