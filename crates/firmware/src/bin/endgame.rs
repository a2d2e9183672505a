//! Answers positions: one FEN a line, value and best move back, from images in flash.
//!
//! Besides positions it takes `limit N` (give up after N look-ups), `bench P N` (probe N random
//! positions with P pieces) and `stats`: means of the random positions, of all and of those with 5
//! pieces alone, and the worst of all positions, so that the input can hold the hardest that are known.

#![no_std]
#![no_main]

use core::fmt::{self, Write};

use crownhead_engine::endgame::best_by_tables;
use crownhead_firmware::{
    Console, Ending, Images, LINE_BYTES, Line, Meter, ProbeFault, Random, Tally, open_images,
    program, read_line, stack,
};
use crownhead_rules::{Position, Value};

program!(run);

fn run(console: &mut Console) -> Ending {
    let images = match open_images() {
        Ok(images) => images,
        Err(fault) => {
            let _ = writeln!(console, "error: image: {fault}");
            return Ending::Failed;
        }
    };
    let mut program = Program {
        images,
        meter: Meter::start(),
        random: Tally::default(),
        random_5: Tally::default(),
        given: Tally::default(),
        probe_stack: 0,
    };
    loop {
        let written = match read_line(console) {
            Line::Text(line) => program.answer(console, &line),
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

/// What a line asks for.
enum Request {
    Stats,
    Limit(u32),
    Bench { pieces: u32, count: u32 },
}

impl Request {
    /// `None` where the line is no command.
    fn parse(line: &[u8]) -> Option<Self> {
        let mut words = core::str::from_utf8(line).ok()?.split_ascii_whitespace();
        let request = match words.next()? {
            "stats" => Self::Stats,
            "limit" => Self::Limit(words.next()?.parse().ok()?),
            "bench" => {
                let pieces = words.next()?.parse().ok().filter(|n| (2..=24).contains(n))?;
                Self::Bench { pieces, count: words.next()?.parse().ok()? }
            }
            _ => return None,
        };
        words.next().is_none().then_some(request)
    }
}

struct Program {
    images: Images,
    meter: Meter,
    /// Probes of random positions.
    random: Tally,
    /// Those of them with 5 pieces.
    random_5: Tally,
    /// Probes of positions from the console.
    given: Tally,
    probe_stack: usize,
}

impl Program {
    fn answer(&mut self, console: &mut Console, line: &[u8]) -> fmt::Result {
        match Request::parse(line) {
            Some(Request::Stats) => self.stats(console),
            Some(Request::Limit(lookups)) => {
                self.images.limit_lookups(lookups);
                writeln!(console, "at most {lookups} look-ups a probe")
            }
            Some(Request::Bench { pieces, count }) => self.bench(console, pieces, count),
            None => match Position::from_fen(line) {
                Ok(position) => self.position(console, &position),
                Err(error) => writeln!(console, "error: {error}"),
            },
        }
    }

    /// `win 11-15`, with the distance where it is known: `win in 5 plies 11-15`.
    fn position(&mut self, console: &mut Console, position: &Position) -> fmt::Result {
        let (value, instructions) = self.probe(position);
        self.given.add(instructions);
        if let Err(fault) = value {
            return writeln!(console, "error: {fault}");
        }
        match best_by_tables(position, &self.images) {
            Err(fault) => writeln!(console, "error: {fault}"),
            Ok(None) => writeln!(console, "{}: no move", Value::Loss),
            Ok(Some(choice)) => {
                write!(console, "{}", choice.outcome.value)?;
                match choice.outcome.plies {
                    Some(1) => console.write_str(" in 1 ply")?,
                    Some(plies) => write!(console, " in {plies} plies")?,
                    None => {}
                }
                console.show(format_args!("{}", choice.best));
                writeln!(console, ": {}", choice.best)
            }
        }
    }

    /// One probe of the large image, and its instructions.
    fn probe(&mut self, position: &Position) -> (Result<Value, ProbeFault>, u32) {
        self.meter.reset();
        let value = self.images.value(position);
        (value, self.meter.instructions())
    }

    fn bench(&mut self, console: &mut Console, pieces: u32, count: u32) -> fmt::Result {
        let mut random = Random::new(pieces);
        let mut counts = [0_u32; 3];
        let mut deepest = 0;
        for i in 0..count {
            let position = random.position(pieces);
            // Painting takes longer than a probe: for some is enough.
            let value = if i % 16 == 0 {
                let (value, depth) = stack::depth_of(|| self.images.value(&position));
                deepest = deepest.max(depth);
                value
            } else {
                let (value, instructions) = self.probe(&position);
                self.random.add(instructions);
                if pieces == 5 {
                    self.random_5.add(instructions);
                }
                value
            };
            match value {
                Ok(value) => counts[value as usize] += 1,
                Err(fault) => return writeln!(console, "error: {fault}"),
            }
        }
        self.probe_stack = self.probe_stack.max(deepest);
        let [losses, draws, wins] = counts;
        writeln!(
            console,
            "{count} positions with {pieces} pieces: {wins} wins, {losses} losses, {draws} draws"
        )
    }

    fn stats(&self, console: &mut Console) -> fmt::Result {
        let Self { random, random_5, given, probe_stack, .. } = self;
        writeln!(console, "# probes {}", random.count() + given.count())?;
        writeln!(console, "# instructions_mean {}", random.mean())?;
        writeln!(console, "# instructions_mean_5 {}", random_5.mean())?;
        writeln!(console, "# instructions_worst {}", random.worst().max(given.worst()))?;
        writeln!(console, "# probe_stack {probe_stack}")?;
        writeln!(console, "# stack {}", stack::deepest())
    }
}
