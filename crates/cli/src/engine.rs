//! What the commands that search share: tables, memory, clocks.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use crownhead_engine::{Player, ProofSlot, Slot, TranspositionTable};
use crownhead_rules::{Outcome, Position, Prober};
use crownhead_table::compact::CompactTable;
use crownhead_table::{Check, Metric, Tables, embedded};

use crate::commands::TablesArg;
use crate::image::{ImageArg, ImageProber};
use crate::memo::Memo;
use crate::status::Failure;
use crate::system::available_memory;

/// Options of a search.
#[derive(clap::Args)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) image: ImageArg,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// Threads that search side by side.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=128))]
    pub(crate) threads: u8,
    /// Memory for searched positions, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) hash: u32,
}

impl SearchArgs {
    /// The memory that these options ask for.
    pub(crate) fn memory(&self) -> Result<Memory, Failure> {
        Memory::new(self.hash).map_err(|error| Failure::bad_input(anyhow!("--hash: {error}")))
    }

    /// The tables that are there.
    pub(crate) fn open_tables(&self) -> Result<EngineTables, Failure> {
        EngineTables::open(&self.image, &self.tables)
    }
}

/// Seconds on the command line: more than 0.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|seconds| *seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("'{text}' is no time; write seconds, such as 0.5 or 10"))
}

/// Memory for positions and proofs.
pub(crate) struct Memory {
    slots: Vec<Slot>,
    proofs: Vec<ProofSlot>,
}

impl Memory {
    /// This many MiB for positions, and as many for proofs; an error if they are not there.
    pub(crate) fn new(mib: u32) -> Result<Self, String> {
        Self::check(mib)?;
        let bytes = (mib as usize) << 20;
        let (slots, proofs) = (bytes / size_of::<Slot>(), bytes / size_of::<ProofSlot>());
        Ok(Self {
            slots: std::iter::repeat_with(Slot::default).take(slots).collect(),
            proofs: vec![ProofSlot::default(); proofs],
        })
    }

    /// Whether there is as much memory as [`new`](Self::new) takes, as far as the system tells.
    pub(crate) fn check(mib: u32) -> Result<(), String> {
        let wanted = 2 * u64::from(mib);
        match available_memory().map(|free| free >> 20) {
            Some(free) if free < wanted => Err(format!(
                "{mib} MiB for positions and as many for proofs are more than the {free} MiB that \
                 are free"
            )),
            _ => Ok(()),
        }
    }

    /// A player that uses it.
    pub(crate) fn player<'a, P: Prober + Sync>(
        &'a mut self,
        tables: &'a P,
        threads: usize,
    ) -> Player<'a, P> {
        Player::new(TranspositionTable::new(&self.slots), &mut self.proofs, tables, threads)
    }

    /// Forgets all positions.
    pub(crate) fn clear(&mut self) {
        TranspositionTable::new(&self.slots).clear();
    }
}

/// What an engine asks: an image, or the tables of a directory (plies to the end where there are
/// any, or else values) and, where these do not reach, the image to 5 pieces in this program.
pub(crate) struct EngineTables {
    sources: Sources,
    /// The first table that could not be read; such tables count as missing.
    fault: OnceLock<String>,
}

enum Sources {
    Image(ImageProber),
    Directory(Box<Directory>),
}

struct Directory {
    distances: Tables,
    values: Tables,
    inside: CompactTable<&'static [u8]>,
    /// The image packs values tightly; a plain table answers ten times as fast.
    memo: Memo,
}

impl EngineTables {
    /// The tables that these options name. In a directory there may be none.
    pub(crate) fn open(image: &ImageArg, directory: &TablesArg) -> Result<Self, Failure> {
        let tables = |metric| Tables::open(&directory.tables, metric, Check::Everything);
        let sources = match &image.image {
            Some(path) => Sources::Image(ImageProber::open(path)?),
            None => Sources::Directory(Box::new(Directory {
                distances: tables(Metric::Dtw),
                values: tables(Metric::Wld),
                inside: CompactTable::open(embedded::IMAGE_5)
                    .map_err(|error| Failure::bad_input(anyhow!("the image inside: {error}")))?,
                memo: Memo::new(),
            })),
        };
        Ok(Self { sources, fault: OnceLock::new() })
    }

    /// A warning, once a table was found that cannot be read.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }
}

impl Prober for EngineTables {
    type Error = anyhow::Error;

    fn max_pieces(&self) -> u32 {
        match &self.sources {
            Sources::Image(image) => image.max_pieces(),
            Sources::Directory(tables) => tables.max_pieces(),
        }
    }

    fn probe(&self, position: &Position) -> Result<Outcome, anyhow::Error> {
        let found = match &self.sources {
            Sources::Image(image) => image.probe(position),
            Sources::Directory(tables) => tables.probe(position),
        };
        found.inspect_err(|error| {
            self.fault.get_or_init(|| format!("{error:#}"));
        })
    }
}

impl Directory {
    fn max_pieces(&self) -> u32 {
        let Self { distances, values, inside, .. } = self;
        distances.max_pieces().max(values.max_pieces()).max(inside.max_pieces())
    }

    fn probe(&self, position: &Position) -> Result<Outcome, anyhow::Error> {
        let pieces = position.occupied().len();
        let Self { distances, values, inside, memo } = self;
        Ok(if pieces <= distances.max_pieces() {
            distances.probe(position)?
        } else if pieces <= values.max_pieces() || pieces > inside.max_pieces() {
            values.probe(position)?
        } else {
            let value = memo.value(position, |position| inside.value(position))?;
            Outcome { value, plies: None }
        })
    }
}

/// Reads a position from the command line.
pub(crate) fn parse_position(fen: &str) -> anyhow::Result<Position> {
    fen.parse().map_err(|error| anyhow!("FEN '{}': {error}", fen.escape_debug()))
}

/// Until when a search may go on: a time, a flag, or both.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'a> {
    pub(crate) at: Option<Instant>,
    pub(crate) flag: Option<&'a AtomicBool>,
}

impl Deadline<'_> {
    /// So long from now.
    pub(crate) fn after(time: Duration) -> Self {
        Self { at: Instant::now().checked_add(time), flag: None }
    }

    /// Whether it has come.
    pub(crate) fn is_over(&self) -> bool {
        self.flag.is_some_and(|flag| flag.load(Relaxed))
            || self.at.is_some_and(|at| Instant::now() >= at)
    }
}
