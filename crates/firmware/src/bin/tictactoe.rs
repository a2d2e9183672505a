//! Tic-tac-toe by the Boolean strategy: checks itself on every position, and plays.
//!
//! Lines: `check`, a board of nine characters (`x...o....`) for the strategy's move in it, `new`
//! for a game in which you are x, `go` to let the strategy move, `1` to `9` for your move, `stats`.

#![no_std]
#![no_main]

use core::fmt::{self, Write};

use crownhead_firmware::{
    Console, Ending, LINE_BYTES, Line, Meter, Tally, program, read_line, stack,
};
use crownhead_tictactoe::{Board, Cell, Status, Value, choose};

program!(run);

fn run(console: &mut Console) -> Ending {
    let mut program =
        Program { board: Board::EMPTY, meter: Meter::start(), moves: Tally::default() };
    let mut ending = Ending::Done;
    loop {
        let written = match read_line(console) {
            Line::Text(line) if line == b"check" => program.check(console, &mut ending),
            Line::Text(line) => program.answer(console, &line),
            Line::TooLong => {
                writeln!(console, "error: the line is longer than {LINE_BYTES} bytes")
            }
            Line::End => return ending,
        };
        if written.is_err() {
            return Ending::Failed;
        }
    }
}

struct Program {
    board: Board,
    meter: Meter,
    moves: Tally,
}

impl Program {
    fn answer(&mut self, console: &mut Console, line: &[u8]) -> fmt::Result {
        match line {
            b"stats" => self.stats(console),
            b"new" => {
                self.board = Board::EMPTY;
                writeln!(console, "{}: your move", self.board)
            }
            b"go" => self.reply(console),
            &[digit @ b'1'..=b'9'] => {
                match Cell::new(digit - b'0').and_then(|cell| self.board.after(cell)) {
                    Some(board) => {
                        self.board = board;
                        self.reply(console)
                    }
                    None => writeln!(console, "error: {}: no move there", self.board),
                }
            }
            _ => match core::str::from_utf8(line).ok().map(str::parse::<Board>) {
                Some(Ok(board)) => match self.choose(board) {
                    Some(cell) => writeln!(console, "{board}: {cell}"),
                    None => writeln!(console, "{board}: over"),
                },
                Some(Err(error)) => writeln!(console, "error: {error}"),
                None => writeln!(console, "error: the line is not text"),
            },
        }
    }

    /// The strategy's move, metered.
    fn choose(&mut self, board: Board) -> Option<Cell> {
        self.meter.reset();
        let cell = choose(board);
        self.moves.add(self.meter.instructions());
        cell
    }

    /// The strategy's move in the game, or its end.
    fn reply(&mut self, console: &mut Console) -> fmt::Result {
        if let Some(cell) = self.choose(self.board)
            && let Some(board) = self.board.after(cell)
        {
            self.board = board;
            console.show(format_args!("{cell}"));
            write!(console, "{cell} ")?;
        }
        match self.board.status() {
            Status::Due => writeln!(console, "{}: your move", self.board),
            Status::Won(player) => writeln!(console, "{}: {player} has a line", self.board),
            Status::Full => writeln!(console, "{}: full, a draw", self.board),
        }
    }

    /// Compares the strategy's move with the best ones in every position where a move is due.
    fn check(&mut self, console: &mut Console, ending: &mut Ending) -> fmt::Result {
        let mut scores = Scores::NONE;
        scores.fill();
        let (mut right, mut wrong) = (0, 0);
        for board in boards().filter(|board| board.status() == Status::Due) {
            let best = board
                .moves()
                .filter_map(|cell| board.after(cell))
                .map(|next| scores.of(next).before_move().rank())
                .max();
            let played = self.choose(board).and_then(|cell| board.after(cell));
            let played = played.map(|next| scores.of(next).before_move().rank());
            if played.is_some() && played == best {
                right += 1;
            } else {
                wrong += 1;
                writeln!(console, "wrong: {board}")?;
                *ending = Ending::Failed;
            }
        }
        let start = scores.of(Board::EMPTY).value();
        writeln!(console, "{right} positions right, {wrong} wrong; the empty board is a {start}")
    }

    fn stats(&self, console: &mut Console) -> fmt::Result {
        let moves = &self.moves;
        writeln!(console, "# probes {}", moves.count())?;
        writeln!(console, "# instructions_mean {}", moves.mean())?;
        writeln!(console, "# instructions_worst {}", moves.worst())?;
        writeln!(console, "# stack {}", stack::deepest())
    }
}

fn boards() -> impl DoubleEndedIterator<Item = Board> {
    (0..Board::CODES).filter_map(|code| Board::from_code(code).ok())
}

/// The end of the game with best play: 0 for a draw, else plies to it and one more. Who wins
/// follows: the loser is to move at the end, so an odd number of plies is a win.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Score(u8);

impl Score {
    const DRAW: Self = Self(0);
    const LOST_NOW: Self = Self(1);

    /// For the player who moves to a board with this score.
    const fn before_move(self) -> Self {
        if self.0 == 0 { self } else { Self(self.0 + 1) }
    }

    const fn value(self) -> Value {
        match self.0 {
            0 => Value::Draw,
            n if n % 2 == 0 => Value::Win,
            _ => Value::Loss,
        }
    }

    /// Soon won is better than late, late lost better than soon.
    const fn rank(self) -> i8 {
        match self.value() {
            Value::Draw => 0,
            Value::Win => 20 - self.0 as i8,
            Value::Loss => self.0 as i8 - 20,
        }
    }
}

/// The scores of all boards by minimax, half a byte each.
struct Scores {
    nibbles: [u8; Board::CODES.div_ceil(2) as usize],
}

impl Scores {
    const NONE: Self = Self { nibbles: [0; _] };

    /// A move makes the code greater, so greater codes come first.
    ///
    /// In place, since a small board has no memory for two of them.
    fn fill(&mut self) {
        for board in boards().rev() {
            let score = match board.status() {
                Status::Won(_) => Score::LOST_NOW,
                Status::Full => Score::DRAW,
                Status::Due => board
                    .moves()
                    .filter_map(|cell| board.after(cell))
                    .map(|next| self.of(next).before_move())
                    .max_by_key(|score| score.rank())
                    .unwrap_or(Score::DRAW),
            };
            let code = board.code() as usize;
            self.nibbles[code / 2] |= score.0 << (code % 2 * 4);
        }
    }

    fn of(&self, board: Board) -> Score {
        let code = board.code() as usize;
        Score(self.nibbles[code / 2] >> (code % 2 * 4) & 15)
    }
}
