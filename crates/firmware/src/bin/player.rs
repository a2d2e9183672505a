//! Plays endgames against whoever is at the console.
//!
//! A FEN begins a game: the device plays the side to move. Then each line is your move (`11-15`,
//! `22x15`), answered with the device's. `spar N` plays the game out at once: for N = 0 against
//! the best defence that the tables know, else against moves drawn with the seed N. `stats` tells
//! what was measured.

#![no_std]
#![no_main]

use core::fmt::{self, Write};
use core::ops::ControlFlow;

use crownhead_engine::endgame::{Choice, Pursuit};
use crownhead_firmware::{
    Console, Ending, Images, LINE_BYTES, Line, Meter, ProbeFault, Random, Tally, open_images,
    program, read_line, stack,
};
use crownhead_rules::{Color, FortyMoveClock, Move, Position, Prober, Value};

program!(run);

fn run(console: &mut Console) -> Ending {
    let images = match open_images() {
        Ok(images) => images,
        Err(fault) => {
            let _ = writeln!(console, "error: image: {fault}");
            return Ending::Failed;
        }
    };
    let mut game = Game {
        images,
        position: Position::START,
        device: None,
        clock: FortyMoveClock::START,
        player: Pursuit::new(),
        meter: Meter::start(),
        choices: Tally::default(),
    };
    loop {
        let written = match read_line(console) {
            Line::Text(line) => game.answer(console, &line),
            Line::TooLong => {
                writeln!(console, "error: the line is longer than {LINE_BYTES} bytes")
            }
            Line::End => return Ending::Done,
        };
        if written.is_err() {
            return Ending::Failed;
        }
    }
}

struct Game {
    images: Images,
    position: Position,
    /// The side that the device plays; `None` before the first game.
    device: Option<Color>,
    clock: FortyMoveClock,
    player: Pursuit,
    meter: Meter,
    choices: Tally,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Won(Color),
    FortyMoves,
}

impl Game {
    fn answer(&mut self, console: &mut Console, line: &[u8]) -> fmt::Result {
        let text = core::str::from_utf8(line).unwrap_or_default();
        if text == "stats" {
            return self.stats(console);
        }
        if let Some(seed) = text.strip_prefix("spar ") {
            return match seed.parse() {
                Ok(seed) => self.spar(console, seed),
                Err(_) => writeln!(console, "error: spar takes a number"),
            };
        }
        if line.first().is_some_and(u8::is_ascii_digit) {
            return match self.device {
                None => writeln!(console, "error: a position first, such as W:WK2,K11:BK31"),
                Some(_) => match self.position.parse_move(text) {
                    Ok(m) => {
                        self.play(&m);
                        self.reply(console)
                    }
                    Err(error) => writeln!(console, "error: {error}"),
                },
            };
        }
        match Position::from_fen(line) {
            Ok(position) => self.begin(console, position),
            Err(error) => writeln!(console, "error: {error}"),
        }
    }

    fn begin(&mut self, console: &mut Console, position: Position) -> fmt::Result {
        if let Err(fault) = self.images.probe(&position) {
            return writeln!(console, "error: {fault}");
        }
        self.position = position;
        self.device = Some(position.side_to_move);
        self.clock = FortyMoveClock::START;
        self.player.restart();
        self.reply(console)
    }

    fn play(&mut self, m: &Move) {
        self.player.played(m);
        self.clock = self.clock.after(m);
        self.position = self.position.after(m);
    }

    fn end(&self) -> Option<End> {
        match self.position.winner() {
            Some(color) => Some(End::Won(color)),
            None if self.clock.is_draw_claimable() => Some(End::FortyMoves),
            None => None,
        }
    }

    /// The device's move, metered; the game is not over.
    fn choose(&mut self) -> Result<Choice, ProbeFault> {
        self.meter.reset();
        let choice = self.player.choose(&self.position, &self.images)?;
        self.choices.add(self.meter.instructions());
        choice.ok_or(ProbeFault::Illegal)
    }

    /// The device's move, or the end.
    fn reply(&mut self, console: &mut Console) -> fmt::Result {
        if let Some(end) = self.end() {
            return self.say_end(console, end);
        }
        let choice = match self.choose() {
            Ok(choice) => choice,
            Err(fault) => return writeln!(console, "error: {fault}"),
        };
        self.play(&choice.best);
        console.show(format_args!("{}", choice.best));
        write!(console, "{} ({}", choice.best, choice.outcome.value)?;
        match choice.outcome.plies {
            Some(1) => writeln!(console, " in 1 ply)")?,
            Some(plies) => writeln!(console, " in {plies} plies)")?,
            None => writeln!(console, ")")?,
        }
        match self.end() {
            Some(end) => self.say_end(console, end),
            None => Ok(()),
        }
    }

    fn say_end(&self, console: &mut Console, end: End) -> fmt::Result {
        let text = match end {
            End::FortyMoves => "over: 40 moves, a draw",
            End::Won(color) if Some(color) == self.device => "over: the device has won",
            End::Won(_) => "over: you have won",
        };
        writeln!(console, "{text}")
    }

    /// Plays on to the end, both sides, and says whether the device got what was its due.
    fn spar(&mut self, console: &mut Console, seed: u32) -> fmt::Result {
        let Some(device) = self.device else {
            return writeln!(console, "error: a position first, such as W:WK2,K11:BK31");
        };
        let mut random = Random::new(seed);
        let Ok(due) = self.images.probe(&self.position) else {
            return writeln!(console, "error: not known");
        };
        let due = if self.position.side_to_move == device { due.value } else { due.value.negate() };
        let mut plies = 0;
        let end = loop {
            if let Some(end) = self.end() {
                break end;
            }
            let m = if self.position.side_to_move == device {
                match self.choose() {
                    Ok(choice) => choice.best,
                    Err(fault) => return writeln!(console, "error: {fault}"),
                }
            } else if seed == 0 {
                match Pursuit::new().choose(&self.position, &self.images) {
                    Ok(Some(choice)) => choice.best,
                    _ => return writeln!(console, "error: no defence"),
                }
            } else {
                drawn(&self.position, &mut random)
            };
            write!(console, "{m} ")?;
            self.play(&m);
            plies += 1;
        };
        let got = match end {
            End::FortyMoves => Value::Draw,
            End::Won(color) if color == device => Value::Win,
            End::Won(_) => Value::Loss,
        };
        let verdict = if got >= due { "as it should" } else { "A FAILURE" };
        writeln!(console, "\nafter {plies} plies the device has a {got}, {verdict}")
    }

    fn stats(&self, console: &mut Console) -> fmt::Result {
        let choices = &self.choices;
        writeln!(console, "# choices {}", choices.count())?;
        writeln!(console, "# instructions_mean {}", choices.mean())?;
        writeln!(console, "# instructions_worst {}", choices.worst())?;
        writeln!(console, "# stack {}", stack::deepest())
    }
}

/// One of the moves; there is at least one.
fn drawn(position: &Position, random: &mut Random) -> Move {
    let mut left = random.below(position.count_moves().max(1));
    let end = position.visit_moves(|m| {
        if left == 0 {
            return ControlFlow::Break(m);
        }
        left -= 1;
        ControlFlow::Continue(())
    });
    match end {
        ControlFlow::Break(m) => m,
        ControlFlow::Continue(()) => unreachable!(),
    }
}
