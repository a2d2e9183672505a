//! Plays tic-tac-toe without ever erring: a game against an opponent who takes the first free cell.
//!
//! > the strategy wins as x

use anyhow::{Context, Result};
use crownhead_tictactoe::{Board, Player, Status, choose};

fn main() -> Result<()> {
    let mut board = Board::EMPTY;
    while board.status() == Status::Due {
        let cell = match board.to_move() {
            Player::X => choose(board),
            Player::O => board.moves().next(),
        };
        let cell = cell.context("an open board has a move")?;
        board = board.after(cell).context("the cell is empty")?;
    }
    match board.status() {
        Status::Won(Player::X) => println!("the strategy wins as x"),
        status => println!("{status:?}"),
    }
    Ok(())
}
