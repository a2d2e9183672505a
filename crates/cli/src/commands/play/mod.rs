//! `crownhead play`: a game in the terminal, or through a pipe.

mod board;
mod typed;

use std::fs::File;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use crownhead_engine::{Answer, Game, Limits, Player};
use crownhead_rules::{Color, Move, Outcome, Position, Prober, Value};

use self::typed::{HELP, Typed, understand};
use crate::engine::{Deadline, EngineTables, SearchArgs, parse_position, parse_seconds};
use crate::output::Output;
use crate::pdn::{self, GameScore, Ply};
use crate::replace;
use crate::status::{CommandResult, Failure, Status};

/// Arguments of `play`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Start here instead of at the beginning.
    #[arg(long)]
    fen: Option<String>,
    /// Your side: black (moves first), white, both, or none to watch.
    #[arg(long, value_name = "SIDE", default_value = "black")]
    side: Sides,
    /// How long the engine thinks about a move, in seconds.
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seconds)]
    time: Duration,
    /// The engine plays only moves that are proved not to lose, where there are any, and says so.
    #[arg(long)]
    never_lose: bool,
    /// Write the game to this PDN file when it ends.
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Draw in ASCII, whatever the terminal can show.
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    search: SearchArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Sides {
    Black,
    White,
    Both,
    None,
}

impl Sides {
    fn has(self, color: Color) -> bool {
        match self {
            Self::Black => color == Color::Black,
            Self::White => color == Color::White,
            Self::Both => true,
            Self::None => false,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    if out.is_json() {
        return Err(Failure::bad_input(anyhow!("play has no JSON form; see hub or analyse")));
    }
    let start = match &args.fen {
        Some(fen) => parse_position(fen).map_err(Failure::bad_input)?,
        None => Position::START,
    };
    if let Some(path) = &args.pdn {
        // Better now than after the game.
        let opened = File::options().append(true).create(true).open(path);
        opened
            .with_context(|| format!("cannot write {}", path.display()))
            .map_err(Failure::bad_input)?;
    }
    let tables = args.search.open_tables()?;
    let mut memory = args.search.memory()?;
    let mut player = memory.player(&tables, usize::from(args.search.threads));
    player.never_lose = args.never_lose;
    let below = if args.side == Sides::Black { Color::Black } else { Color::White };
    let utf8 = !args.ascii && board::speaks_utf8();
    let typed = io::stdin().lock();
    let moves = Vec::new();
    let mut session = Session { args, out, player, start, moves, below, utf8, typed };
    let status = session.play();
    if let Some(path) = &args.pdn {
        session.save(path).map_err(Failure::bad_input)?;
    }
    status
}

struct Session<'a, 'm, R> {
    args: &'a Args,
    out: &'a mut Output,
    player: Player<'m, EngineTables>,
    start: Position,
    moves: Vec<Move>,
    /// Whose side is drawn below.
    below: Color,
    utf8: bool,
    typed: R,
}

impl<R: BufRead> Session<'_, '_, R> {
    fn play(&mut self) -> CommandResult {
        self.out.human("Type a move such as 11-15, or help.")?;
        self.show()?;
        loop {
            if let Some(end) = self.end() {
                self.out.human(end)?;
                return Ok(Status::Done);
            }
            if self.args.side.has(self.game().position().side_to_move) {
                match self.ask()? {
                    Typed::Quit => return Ok(Status::Done),
                    typed => self.follow(typed)?,
                }
            } else {
                self.answer()?;
            }
        }
    }

    /// The game so far, for the engine.
    fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        self.moves.iter().for_each(|m| game.play(m));
        game
    }

    /// How often the position has been on the board.
    fn visits(&self) -> usize {
        let mut position = self.start;
        let mut all = vec![position];
        for m in &self.moves {
            position = position.after(m);
            all.push(position);
        }
        all.iter().filter(|earlier| **earlier == position).count()
    }

    fn score(&self) -> GameScore {
        let game = self.game();
        if let Some(winner) = game.position().winner() {
            GameScore::won_by(winner)
        } else if game.clock().is_draw_claimable() || self.visits() >= 3 {
            GameScore::Drawn
        } else {
            GameScore::Open
        }
    }

    fn end(&self) -> Option<String> {
        let game = self.game();
        match self.score() {
            GameScore::Open => None,
            GameScore::Drawn if self.visits() >= 3 => {
                Some("Draw: the position has come up for the third time.".to_owned())
            }
            GameScore::Drawn => {
                Some("Draw: 40 moves of each side without a capture or a man's move.".to_owned())
            }
            _ => {
                let loser = game.position().side_to_move;
                Some(format!("{loser} has no move: {} wins.", loser.other()))
            }
        }
    }

    fn follow(&mut self, typed: Typed) -> Result<(), Failure> {
        let position = *self.game().position();
        match typed {
            Typed::Move(m) => self.make(m)?,
            Typed::Moves => {
                let moves = position.moves().map_err(Failure::bad_input)?;
                let texts: Vec<String> =
                    moves.iter().map(|m| position.short_text(m).to_string()).collect();
                self.out.human(texts.join(" "))?;
            }
            Typed::Undo => self.undo()?,
            Typed::Hint => {
                let answer = self.think();
                self.out.human(describe(&position, &answer))?;
            }
            Typed::Go => self.answer()?,
            Typed::Flip => {
                self.below = self.below.other();
                self.show()?;
            }
            Typed::Board => self.show()?,
            Typed::Value => {
                let value = self.value(&position);
                self.out
                    .human(value.unwrap_or_else(|| "no table knows this position".to_owned()))?;
            }
            // A wrong name is no reason to lose the game.
            Typed::Save(path) => {
                if let Err(error) = self.save(&path) {
                    self.out.human(format_args!("{error:#}"))?;
                }
            }
            Typed::Help | Typed::Quit => self.out.human(HELP)?,
        }
        Ok(())
    }

    fn make(&mut self, m: Move) -> io::Result<()> {
        self.moves.push(m);
        self.show()
    }

    /// Back to the player's last turn.
    fn undo(&mut self) -> io::Result<()> {
        if self.moves.pop().is_none() {
            return self.out.human("there is no move to take back");
        }
        while !self.moves.is_empty()
            && self.args.side != Sides::None
            && !self.args.side.has(self.game().position().side_to_move)
        {
            self.moves.pop();
        }
        self.show()
    }

    fn think(&mut self) -> Answer {
        let game = self.game();
        let share = if self.args.never_lose { 0.5 } else { 1.0 };
        let search = Deadline::after(self.args.time.mul_f64(share));
        let all = Deadline::after(self.args.time);
        let (search, all) = (|| search.is_over(), || all.is_over());
        self.player.choose(&game, &Limits::until(&search), &Limits::until(&all), |_| {})
    }

    /// The engine's turn.
    fn answer(&mut self) -> io::Result<()> {
        let position = *self.game().position();
        let answer = self.think();
        let Some(best) = answer.report.best else { return Ok(()) };
        let side = position.side_to_move;
        self.out.human(format_args!("{side} plays {}", describe(&position, &answer)))?;
        self.make(best)
    }

    /// What the tables know of a position.
    fn value(&self, position: &Position) -> Option<String> {
        let tables = self.player.tables();
        if position.occupied().len() > tables.max_pieces() {
            return None;
        }
        let Outcome { value, plies } = tables.probe(position).ok()?;
        let side = position.side_to_move;
        let word = match value {
            Value::Win => "wins",
            Value::Draw => return Some("a draw".to_owned()),
            Value::Loss => "loses",
        };
        Some(match plies {
            Some(1) => format!("{side} {word} in 1 ply"),
            Some(plies) => format!("{side} {word} in {plies} plies"),
            None => format!("{side} {word}"),
        })
    }

    fn show(&mut self) -> io::Result<()> {
        let position = *self.game().position();
        let drawn = board::draw(&position, self.below, self.moves.last(), self.utf8);
        self.out.human(format_args!("\n{drawn}"))?;
        if let Some(value) = self.value(&position) {
            self.out.human(format_args!("tables: {value}"))?;
        }
        self.out.flush()
    }

    /// Asks until the answer makes sense; the end of the input is a wish to leave.
    fn ask(&mut self) -> Result<Typed, Failure> {
        loop {
            let position = *self.game().position();
            let must =
                if position.has_capture(position.side_to_move) { " (must capture)" } else { "" };
            self.out.raw(format!("{}{must}: ", position.side_to_move).as_bytes())?;
            self.out.flush()?;
            let mut line = Vec::new();
            let read = self.typed.read_until(b'\n', &mut line);
            let length = read.context("cannot read what is typed").map_err(Failure::bad_input)?;
            if length == 0 || !io::stdin().is_terminal() {
                // No echo ends the line of the question.
                self.out.human("")?;
            }
            if length == 0 {
                return Ok(Typed::Quit);
            }
            match understand(String::from_utf8_lossy(&line).trim(), &position) {
                Ok(typed) => return Ok(typed),
                Err(advice) => self.out.human(advice)?,
            }
        }
    }

    fn save(&mut self, path: &Path) -> anyhow::Result<()> {
        let mut game = pdn::Game::new(self.start);
        let name = |color| if self.args.side.has(color) { "Player" } else { "Crownhead" };
        game.tags = [
            ("Event", "Game at the terminal"),
            ("Black", name(Color::Black)),
            ("White", name(Color::White)),
            ("GameType", "21"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
        game.main.plies = self.moves.iter().copied().map(Ply::new).collect();
        game.score = self.score();
        replace::write(path, |mut stream| Ok(pdn::write(&game, &mut stream)?))?;
        self.out.human(format_args!("saved to {}", path.display()))?;
        Ok(())
    }
}

/// The move, what it is worth, and what is proved.
fn describe(position: &Position, answer: &Answer) -> String {
    let Some(best) = answer.report.best else { return "nothing: there is no move".to_owned() };
    let text = position.short_text(&best);
    format!("{text} ({}, depth {}, {})", answer.report.score, answer.report.depth, answer.guarantee)
}
