//! `crownhead tictactoe`: the move of the strategy that always plays right, and a game against it.

use std::io::{self, BufRead, IsTerminal};

use anyhow::{Context, anyhow};
use crownhead_tictactoe::{Board, BoardError, Cell, Player, Status as Game, Values, choose};
use serde::Serialize;

use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};

/// Arguments of `tictactoe`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Boards: nine characters in reading order, x, o or . (empty); x moves first. Standard
    /// input, one a line, when none is given.
    board: Vec<String>,

    /// Play a game in the terminal, from the board if one is given.
    #[arg(long, conflicts_with = "json")]
    play: bool,
}

#[derive(Serialize)]
struct Answer {
    board: String,
    #[serde(rename = "move")]
    cell: Option<u8>,
    value: String,
}

#[derive(Serialize)]
struct Refusal<'a> {
    board: &'a str,
    error: String,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    if args.play {
        return start_game(&args.board, out);
    }
    let values = Values::new();
    let mut worst = Status::Done;
    if args.board.is_empty() {
        for line in io::stdin().lock().split(b'\n') {
            let line = line.context("cannot read standard input").map_err(Failure::bad_input)?;
            let line = String::from_utf8_lossy(&line);
            worst = worst.max(answer(line.trim(), &values, out)?);
        }
    }
    for text in &args.board {
        worst = worst.max(answer(text, &values, out)?);
    }
    Ok(worst)
}

/// One line for one board, impossible ones included.
fn answer(text: &str, values: &Values, out: &mut Output) -> CommandResult {
    let board = match text.parse::<Board>() {
        Ok(board) => board,
        Err(error) => {
            out.json(&Refusal { board: text, error: error.to_string() })?;
            out.human(format_args!("{}  error: {error}", text.escape_debug()))?;
            return Ok(Status::BadInput);
        }
    };
    let (value, cell) = (values.value(board), choose(board));
    out.json(&Answer {
        board: board.to_string(),
        cell: cell.map(Cell::number),
        value: value.to_string(),
    })?;
    match cell {
        Some(cell) => {
            let mover = board.to_move();
            out.human(format_args!("{board}  {mover} plays {cell}: {value} for {mover}"))?;
        }
        None => out.human(format_args!("{board}  {}", ending(board)))?,
    }
    Ok(Status::Done)
}

/// How a finished game ended.
fn ending(board: Board) -> String {
    match board.status() {
        Game::Won(winner) => format!("the game is over: {winner} has won"),
        Game::Full => "the game is over: a draw".to_owned(),
        Game::Due => format!("{} is to move", board.to_move()),
    }
}

/// Finds out where the game starts and plays it.
fn start_game(boards: &[String], out: &mut Output) -> CommandResult {
    let start = match boards {
        [] => Board::EMPTY,
        [text] => text
            .parse()
            .map_err(|error: BoardError| anyhow!("board '{}': {error}", text.escape_debug()))
            .map_err(Failure::bad_input)?,
        _ => return Err(Failure::bad_input(anyhow!("--play takes one board at most"))),
    };
    let mut game = Session { board: start, out, typed: io::stdin().lock() };
    game.play()
}

/// A game in the terminal.
struct Session<'a, R> {
    board: Board,
    out: &'a mut Output,
    typed: R,
}

/// What the player types.
enum Typed {
    Cell(Cell),
    Swap,
    Quit,
}

impl<R: BufRead> Session<'_, R> {
    /// Plays until the game is over or the player leaves; the player moves first, or swaps.
    fn play(&mut self) -> CommandResult {
        self.out.human("Type the number of a cell; s to let me move instead; q to leave.")?;
        self.show()?;
        while self.board.status() == Game::Due {
            let cell = match self.ask()? {
                Typed::Quit => return Ok(Status::Done),
                Typed::Swap => None,
                Typed::Cell(cell) => Some(cell),
            };
            if let Some(cell) = cell {
                self.put(cell);
            }
            if let Some(reply) = choose(self.board) {
                let mover = self.board.to_move();
                self.put(reply);
                self.out.human(format_args!("{mover} plays {reply}"))?;
            }
            self.show()?;
        }
        self.out.human(ending(self.board))?;
        Ok(Status::Done)
    }

    /// Makes a move that is known to be possible.
    fn put(&mut self, cell: Cell) {
        if let Some(next) = self.board.after(cell) {
            self.board = next;
        }
    }

    /// Asks until the answer makes sense; the end of the input is a wish to leave.
    fn ask(&mut self) -> Result<Typed, Failure> {
        loop {
            let mover = self.board.to_move();
            self.out.raw(format!("{mover}, your cell: ").as_bytes())?;
            self.out.flush()?;
            let mut line = String::new();
            let read = self.typed.read_line(&mut line);
            let length = read.context("cannot read what is typed").map_err(Failure::bad_input)?;
            if length == 0 || !io::stdin().is_terminal() {
                // No echo ends the line of the question.
                self.out.human("")?;
            }
            match understand(line.trim(), self.board) {
                _ if length == 0 => return Ok(Typed::Quit),
                Ok(typed) => return Ok(typed),
                Err(advice) => self.out.human(advice)?,
            }
        }
    }

    /// Draws the board, the empty cells with their numbers.
    fn show(&mut self) -> io::Result<()> {
        let mark = |index: usize| {
            let bit = 1 << index;
            if self.board.x() & bit != 0 {
                Player::X.to_string()
            } else if self.board.o() & bit != 0 {
                Player::O.to_string()
            } else {
                (index + 1).to_string()
            }
        };
        let row = |start| [start, start + 1, start + 2].map(mark).join(" │ ");
        let drawing = [0, 3, 6].map(|start| format!(" {} ", row(start)));
        self.out.human(format_args!("\n{}\n", drawing.join("\n───┼───┼───\n")))
    }
}

/// What a line means, or what would be understood instead.
fn understand(line: &str, board: Board) -> Result<Typed, String> {
    match line {
        "q" | "quit" => return Ok(Typed::Quit),
        "s" => return Ok(Typed::Swap),
        _ => {}
    }
    let free = || {
        let cells: Vec<String> = board.moves().map(|cell| cell.to_string()).collect();
        cells.join(" ")
    };
    let Some(cell) = line.parse().ok().and_then(Cell::new) else {
        return Err(format!("'{}' is no cell; free are {}", line.escape_debug(), free()));
    };
    if board.after(cell).is_none() {
        return Err(format!("cell {cell} is taken; free are {}", free()));
    }
    Ok(Typed::Cell(cell))
}
