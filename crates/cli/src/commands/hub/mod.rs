//! `crownhead hub`: the Hub protocol, version 2, as spoken by Scan, on standard input and output.
//!
//! A line is a command with `name=value` arguments. Unknown commands are ignored; the end of the
//! input ends the program. Scores are in men for the side to move; a win in n plies is
//! `(10000 - n) / 100`, a win of unknown length 80. A side without a move gets `done move=0-0`.
//!
//! The protocol names no English variant; positions are meant as it describes them, with 32
//! letters from square 1 on. The client in the Python package pydraughts 0.6.7 turns English
//! boards by 180 degrees and swaps the colours, but not the moves: for it there is the parameter
//! `pydraughts`.

mod clock;
mod text;

use std::cell::Cell;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use anyhow::anyhow;
use crownhead_engine::{Answer, Game, Limits, Player, Report, Score};
use crownhead_rules::Position;

use self::clock::Level;
use self::text::{arguments, move_text, read_move, read_position};
use crate::engine::{EngineTables, Memory, SearchArgs};
use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};

/// Arguments of `hub`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Take boards as the client of pydraughts 0.6.7 sends them: turned by 180 degrees with
    /// colours swapped, moves unturned. Also a parameter of the protocol.
    #[arg(long)]
    pydraughts: bool,
    /// Play only moves that are proved not to lose, where there are any. Also a parameter.
    #[arg(long)]
    never_lose: bool,
    #[command(flatten)]
    search: SearchArgs,
}

/// What happens.
enum Event {
    /// A line of the client, or the end of its input.
    Line(Option<String>),
    Progress(Report, Instant),
    Done(Answer),
}

/// What the client can set.
struct Settings {
    pydraughts: bool,
    never_lose: bool,
    threads: u8,
    hash: u32,
}

struct Session<'o> {
    out: &'o mut Output,
    events: Receiver<Event>,
    sender: Sender<Event>,
    settings: Settings,
    game: Game,
    level: Level,
    /// Lines that came during a search and wait.
    waiting: Vec<String>,
    /// The client has left or wants to: no search goes on.
    leaving: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let (sender, events) = channel();
    let to_us = sender.clone();
    // Ends with the process, which does not wait for input that never comes.
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = input.read_until(b'\n', &mut bytes);
            let line =
                matches!(read, Ok(1..)).then(|| String::from_utf8_lossy(&bytes).into_owned());
            let ended = line.is_none();
            if to_us.send(Event::Line(line)).is_err() || ended {
                return;
            }
        }
    });
    let tables = args.search.open_tables()?;
    let settings = Settings {
        pydraughts: args.pydraughts,
        never_lose: args.never_lose,
        threads: args.search.threads,
        hash: args.search.hash,
    };
    let game = Game::new(Position::START);
    let (level, waiting) = (Level::default(), Vec::new());
    let mut session =
        Session { out, events, sender, settings, game, level, waiting, leaving: false };
    session.serve(&tables)
}

impl Session<'_> {
    fn serve(&mut self, tables: &EngineTables) -> CommandResult {
        let mut memory = None;
        let mut size = 0;
        loop {
            let Some(line) = self.next_line() else { return Ok(Status::Done) };
            let line = line.trim();
            let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match command {
                "quit" => return Ok(Status::Done),
                "go" => {
                    if size != self.settings.hash {
                        (memory, size) = (None, self.settings.hash);
                    }
                    if memory.is_none() {
                        memory =
                            Some(Memory::new(size).map_err(|e| Failure::bad_input(anyhow!(e)))?);
                    }
                    if let Some(memory) = &mut memory {
                        self.go(rest, memory, tables)?;
                    }
                }
                "new-game" => {
                    if let Some(memory) = &mut memory {
                        memory.clear();
                    }
                }
                _ => self.quick(command, rest)?,
            }
            self.out.flush()?;
        }
    }

    fn next_line(&mut self) -> Option<String> {
        if !self.waiting.is_empty() {
            return Some(self.waiting.remove(0));
        }
        if self.leaving {
            return None;
        }
        loop {
            match self.events.recv().ok()? {
                Event::Line(line) => return line,
                // What a search had still to say.
                Event::Progress(..) | Event::Done(_) => {}
            }
        }
    }

    fn say(&mut self, line: impl std::fmt::Display) -> io::Result<()> {
        self.out.raw(format!("{line}\n").as_bytes())
    }

    /// Commands that need no search.
    fn quick(&mut self, command: &str, rest: &str) -> io::Result<()> {
        match command {
            "hub" => self.introduce(),
            "init" => self.say("ready"),
            "ping" => self.say("pong"),
            "set-param" => self.set_parameter(rest),
            "pos" => match self.read_game(rest) {
                Ok(game) => {
                    self.game = game;
                    Ok(())
                }
                Err(error) => self.complain(&error),
            },
            "level" => match Level::read(rest) {
                Ok(level) => {
                    self.level = level;
                    Ok(())
                }
                Err(error) => self.complain(&error),
            },
            _ => Ok(()),
        }
    }

    fn complain(&mut self, error: &str) -> io::Result<()> {
        self.say(format_args!("error message=\"{}\"", error.replace('"', "'")))
    }

    fn introduce(&mut self) -> io::Result<()> {
        let Settings { pydraughts, never_lose, threads, hash } = self.settings;
        let version = env!("CARGO_PKG_VERSION");
        self.say(format_args!(
            "id name=Crownhead version={version} author=\"The Crownhead authors\""
        ))?;
        self.say("param name=variant value=english type=enum values=\"english\"")?;
        self.say(format_args!("param name=pydraughts value={pydraughts} type=bool"))?;
        self.say(format_args!("param name=never-lose value={never_lose} type=bool"))?;
        self.say(format_args!("param name=threads value={threads} type=int min=1 max=128"))?;
        self.say(format_args!("param name=hash value={hash} type=int min=1 max=65536"))?;
        self.say("wait")
    }

    fn set_parameter(&mut self, rest: &str) -> io::Result<()> {
        let arguments = arguments(rest);
        let find =
            |wanted| arguments.iter().find(|(name, _)| name == wanted).map(|(_, v)| v.as_str());
        let (Some(name), Some(value)) = (find("name"), find("value")) else {
            return self.complain("set-param takes name=... value=...");
        };
        let switch = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{name} is true or false, not {value}")),
        };
        let number = |most: u32| match value.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(format!("{name} is a number from 1 to {most}, not {value}")),
        };
        let settings = &mut self.settings;
        let set = match name {
            "pydraughts" => switch().map(|on| settings.pydraughts = on),
            "never-lose" => switch().map(|on| settings.never_lose = on),
            "threads" => number(128).map(|threads| settings.threads = threads as u8),
            "hash" => {
                number(65536).and_then(|hash| Memory::check(hash).map(|()| settings.hash = hash))
            }
            "variant" if value == "english" => Ok(()),
            "variant" => Err(format!("the variant is english, not {value}")),
            // Other programs' parameters.
            _ => Ok(()),
        };
        set.or_else(|error| self.complain(&error))
    }

    /// `pos pos=... moves="..."`, or `start` for the usual position.
    fn read_game(&self, rest: &str) -> Result<Game, String> {
        let mut position = Position::START;
        let mut moves = String::new();
        for (name, value) in arguments(rest) {
            match name.as_str() {
                "pos" => {
                    position = read_position(&value)?;
                    if self.settings.pydraughts {
                        position = position.mirror();
                    }
                }
                "moves" => moves = value,
                _ => {}
            }
        }
        let mut game = Game::new(position);
        for text in moves.split_whitespace() {
            let m = read_move(game.position(), text)?;
            game.play(&m);
        }
        Ok(game)
    }

    /// Searches in a thread while this one listens.
    fn go(
        &mut self,
        mode: &str,
        memory: &mut Memory,
        tables: &EngineTables,
    ) -> Result<(), Failure> {
        let waits = mode.contains("analyze") || mode.contains("ponder");
        let signals = Signals {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(mode.contains("ponder")),
            released: Cell::new(!waits),
        };
        let mut player = memory.player(tables, usize::from(self.settings.threads));
        player.never_lose = self.settings.never_lose;
        let (game, level) = (self.game.clone(), self.level.clone());
        let analysis = mode.contains("analyze");
        let sender = self.sender.clone();
        let (stop, pondering) = (&signals.stop, &signals.pondering);
        let answer = std::thread::scope(|scope| {
            scope.spawn(move || {
                let answer =
                    think(&mut player, &game, &level, analysis, (stop, pondering), &sender);
                // The other end lives as long as this scope.
                let _ = sender.send(Event::Done(answer));
            });
            self.listen(&signals)
        })?;
        let report = &answer.report;
        if let Some(best) = report.best {
            if self.settings.never_lose {
                self.say(format_args!(
                    "info depth={} message=\"{}\"",
                    report.depth, answer.guarantee
                ))?;
            }
            let ponder = report.line.get(1).map(|m| format!(" ponder={}", move_text(m)));
            self.say(format_args!("done move={}{}", move_text(&best), ponder.unwrap_or_default()))?;
        } else {
            self.say(format_args!("info depth=0 score={}", in_men(report.score)))?;
            self.say("done move=0-0")?;
        }
        Ok(())
    }

    /// Passes on what the search says until it is done and, if it is to wait, stopped too.
    fn listen(&mut self, signals: &Signals) -> Result<Answer, Failure> {
        let listened = self.listen_to_all(signals);
        if listened.is_err() {
            signals.stop.store(true, Relaxed);
        }
        Ok(listened?)
    }

    fn listen_to_all(&mut self, signals: &Signals) -> io::Result<Answer> {
        // Lines that came before this search began may be about it.
        for line in std::mem::take(&mut self.waiting) {
            self.hear(line, signals)?;
        }
        if self.leaving {
            signals.end();
        }
        let mut answer = None;
        loop {
            self.out.flush()?;
            if signals.released.get()
                && let Some(answer) = answer.take()
            {
                return Ok(answer);
            }
            // We hold a sender ourselves: there is always somebody to wait for.
            match self.events.recv() {
                Ok(Event::Progress(report, start)) => self.show(&report, start)?,
                Ok(Event::Done(found)) => answer = Some(found),
                Ok(Event::Line(Some(line))) => self.hear(line.trim().to_owned(), signals)?,
                Ok(Event::Line(None)) => {
                    self.leaving = true;
                    signals.end();
                }
                Err(_) => {}
            }
        }
    }

    /// A line that comes while a search runs.
    fn hear(&mut self, line: String, signals: &Signals) -> io::Result<()> {
        // What follows a further search is about that one, unless this one has no other end.
        let later = signals.released.get() && self.waiting.iter().any(|line| is_go(line));
        match line.as_str() {
            "quit" => {
                self.leaving = true;
                signals.end();
                self.waiting.push(line);
            }
            _ if later => self.waiting.push(line),
            "ping" => self.say("pong")?,
            "stop" => signals.end(),
            "ponder-hit" => {
                signals.pondering.store(false, Relaxed);
                signals.released.set(true);
            }
            _ => self.waiting.push(line),
        }
        Ok(())
    }

    fn show(&mut self, report: &Report, start: Instant) -> io::Result<()> {
        let seconds = start.elapsed().as_secs_f64();
        let line: Vec<String> = report.line.iter().map(move_text).collect();
        let speed = report.nodes as f64 / seconds.max(1e-6) / 1e6;
        self.say(format_args!(
            "info depth={} mean-depth={}.0 score={} nodes={} time={seconds:.2} nps={speed:.2} pv=\"{}\"",
            report.depth,
            report.depth,
            in_men(report.score),
            report.nodes,
            line.join(" ")
        ))
    }
}

/// What a search goes by while it runs.
struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Whether the answer may be given once it is there.
    released: Cell<bool>,
}

impl Signals {
    fn end(&self) {
        self.stop.store(true, Relaxed);
        self.released.set(true);
    }
}

fn is_go(line: &str) -> bool {
    line.split_whitespace().next() == Some("go")
}

/// Thinks until the level, a stop or, while pondering, only a stop ends it.
fn think(
    player: &mut Player<'_, EngineTables>,
    game: &Game,
    level: &Level,
    analysis: bool,
    (stop, pondering): (&AtomicBool, &AtomicBool),
    sender: &Sender<Event>,
) -> Answer {
    let start = Instant::now();
    let time = if analysis { None } else { level.time_for_a_move() };
    let over = |share: f64| {
        let late = time.is_some_and(|time| start.elapsed() >= time.mul_f64(share));
        stop.load(Relaxed) || (late && !pondering.load(Relaxed))
    };
    // Proofs come after the search, in the other half of the time.
    let search_share = if player.never_lose { 0.5 } else { 1.0 };
    let (search_over, all_over) = (|| over(search_share), || over(1.0));
    let limit = |stop| match analysis {
        true => Limits::until(stop),
        false => Limits { depth: level.depth, nodes: level.nodes, stop },
    };
    player.choose(game, &limit(&search_over), &limit(&all_over), |report| {
        let _ = sender.send(Event::Progress(report.clone(), start));
    })
}

/// Men, with two digits.
fn in_men(score: Score) -> String {
    let hundredths = match score.plies() {
        Some(plies) if score.is_win() => 10_000 - i32::from(plies),
        Some(plies) => i32::from(plies) - 10_000,
        None if score.is_win() => 8_000,
        None if score.is_loss() => -8_000,
        None => i32::from(score.hundredths()),
    };
    format!("{:.2}", f64::from(hundredths) / 100.0)
}
