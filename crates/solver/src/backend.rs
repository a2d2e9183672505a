use crownhead_index::Material;
use crownhead_rules::Color;
use crownhead_table::{CodePacker, Encoding};

use crate::{Control, Entry, LevelTask, Metric, SolveError, Summary};

/// A point in the building of one material, in order.
///
/// Set-wise backends pass through these one component (placement of the men) after the other,
/// more advanced ones first. A snapshot shows every component as it was at the phase's end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Captures and promotions have been looked up: positions with a capture are decided for good.
    Classify,
    /// Man moves to components solved before have been added.
    ///
    /// Materials without kings have no such phase of their own, since there the set-wise fast
    /// piece is a man: a snapshot taken here equals that of [`Classify`](Self::Classify).
    Men,
    /// King moves have been swept to the fixed point: every position has its value.
    Sweep,
    /// The values are in the backend's store, for other materials to use.
    Finish,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Self; 4] = [Self::Classify, Self::Men, Self::Sweep, Self::Finish];

    /// The word in commands: `classify`, `men`, `sweep` or `finish`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classify => "classify",
            Self::Men => "men",
            Self::Sweep => "sweep",
            Self::Finish => "finish",
        }
    }
}

/// What is known of one position at the end of a phase, one byte of a snapshot.
///
/// All four bits count at [`Phase::Classify`] and [`Phase::Men`]; later only
/// [`WIN`](Self::WIN) and [`LOSS`](Self::LOSS) do, and the others are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Flags(pub u8);

impl Flags {
    /// Won for the side to move by what has been done so far.
    pub const WIN: u8 = 1;
    /// Lost for the side to move by what has been done so far.
    pub const LOSS: u8 = 2;
    /// The side to move has no capture.
    pub const QUIET: u8 = 4;
    /// Quiet, and no conversion looked at so far avoids a loss: neither a promotion nor, from
    /// [`Phase::Men`] on, a man move leads to a position that the opponent does not win.
    pub const LOSSABLE: u8 = 8;
}

/// What to build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// A canonical material whose parts are all in the backend's store.
    pub material: Material,
    /// Where to stop. Before [`Phase::Finish`] the material does not enter the store; what has
    /// been done is kept for [`Backend::snapshot`] until the next build or release.
    pub until: Phase,
}

impl Job {
    /// Builds the material to the end.
    pub const fn finish(material: Material) -> Self {
        Self { material, until: Phase::Finish }
    }
}

/// The memory of one material, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    /// Kept in memory from the end of its build until its release.
    pub stored: u64,
    /// Used while it is built, beyond what is stored of it and its parts.
    pub working: u64,
}

/// Values of a finished material, in perfect-index order.
pub trait EntrySource: Sync {
    /// Fills `entries` with the values of the positions from perfect index `first` on.
    ///
    /// # Errors
    ///
    /// If the source cannot be read, or what it holds is damaged.
    fn read(&self, side: Color, first: u64, entries: &mut [Entry]) -> Result<(), SolveError>;

    /// Fills `bytes` with the values of a side as a win/draw/loss table has them, four to a byte,
    /// from this byte on. `false` where the source has none: then they are
    /// [read](Self::read) one by one.
    ///
    /// # Errors
    ///
    /// If the source cannot be read.
    fn read_values(
        &self,
        _side: Color,
        _first: u64,
        _bytes: &mut [u8],
    ) -> Result<bool, SolveError> {
        Ok(false)
    }
}

/// Takes consecutive runs of values, of any length, in perfect-index order.
pub type Sink<'a> = dyn FnMut(&[Entry]) -> Result<(), SolveError> + 'a;

/// Takes consecutive bytes of a table section, in runs of any length.
pub type ByteSink<'a> = dyn FnMut(&[u8]) -> Result<(), SolveError> + 'a;

/// Bytes of a section that are collected before they are handed on.
const SECTION_BUFFER: usize = 1 << 16;

/// Builds tables of one metric, one material at a time, from its own store of finished parts.
///
/// The store's form is the backend's own business (words in product-index order on the CPU, an
/// arena on a GPU): parts are used in that form, and nothing is converted unless a table is
/// [exported](Self::export) or [adopted](Self::adopt). Materials are canonical everywhere. Where a
/// material is colour-symmetric, only Black to move exists.
///
/// Methods take `&self`: a backend whose builds may run on several threads at a time says so in
/// [`side_by_side`](Self::side_by_side); the others lock. Exports and builds may always overlap.
///
/// The result is a pure function of material and metric, whatever the threads, the device and
/// what was adopted.
pub trait Backend: Sync {
    /// `reference`, `cpu` or `gpu`.
    fn name(&self) -> &'static str;

    /// The device, where it is not the processor.
    fn adapter(&self) -> Option<String> {
        None
    }

    /// What the tables say.
    fn metric(&self) -> Metric;

    /// Whether materials that do not need each other may be built at the same time, each on a
    /// thread of the current rayon pool.
    fn side_by_side(&self) -> bool {
        false
    }

    /// The memory that the material will take.
    fn needs(&self, material: Material) -> Needs;

    /// Whether these materials, built in this order, fit in what the backend has for each of them
    /// and its parts, beyond the sum of their [needs](Self::needs); asked before a build begins.
    ///
    /// # Errors
    ///
    /// [`SolveError::TooLarge`] for the first that does not.
    fn check(&self, _materials: &[Material]) -> Result<(), SolveError> {
        Ok(())
    }

    /// Builds a material whose [parts](Material::parts) are in the store.
    ///
    /// # Errors
    ///
    /// [`SolveError::NotSolved`] when a part is missing, [`SolveError::Interrupted`] when asked to
    /// stop; the store is as before then.
    fn build(&self, job: Job, control: &Control<'_>) -> Result<(), SolveError>;

    /// Takes a material into the store that was finished before.
    ///
    /// # Errors
    ///
    /// Those of the source.
    fn adopt(&self, material: Material, source: &dyn EntrySource) -> Result<(), SolveError>;

    /// [`adopt`](Self::adopt)s a material as a part of others: without what they do not need.
    ///
    /// # Errors
    ///
    /// Those of the source.
    fn adopt_part(&self, material: Material, source: &dyn EntrySource) -> Result<(), SolveError> {
        self.adopt(material, source)?;
        self.keep_values_only(material);
        Ok(())
    }

    /// Whether the material is finished in a form of the backend's own that outlives the process,
    /// so that [`recall`](Self::recall) takes it into the store.
    fn keeps(&self, _material: Material) -> bool {
        false
    }

    /// Takes a material into the store that the backend [keeps](Self::keeps); whether it did.
    ///
    /// # Errors
    ///
    /// When what is kept cannot be read.
    fn recall(&self, _material: Material) -> Result<bool, SolveError> {
        Ok(false)
    }

    /// Solves some levels of a material whose parts are in the store, for a later
    /// [`build`](Self::build) to take. Nothing enters the store.
    ///
    /// # Errors
    ///
    /// [`SolveError::Levels`] when there are no such levels, or the backend does not divide its
    /// work; [`SolveError::LevelNotSolved`] when the one before them is not there; and those of
    /// [`build`](Self::build).
    fn build_levels(&self, task: &LevelTask, _control: &Control<'_>) -> Result<(), SolveError> {
        let reason = format!("the {} backend solves it as a whole only", self.name());
        Err(SolveError::Levels { material: task.material, reason })
    }

    /// Hands out all values of a material in the store, in perfect-index order.
    ///
    /// # Errors
    ///
    /// [`SolveError::NotSolved`] when it is not there, and those of the sink.
    fn export(
        &self,
        material: Material,
        side: Color,
        sink: &mut Sink<'_>,
    ) -> Result<(), SolveError>;

    /// Hands out the bytes of a side's section of a table file: what [`export`](Self::export) says,
    /// in this encoding. A backend that has faster ways than entry by entry does it itself.
    ///
    /// # Errors
    ///
    /// [`SolveError::NotSolved`] when it is not there, and those of the sink.
    ///
    /// # Panics
    ///
    /// If a distance does not fit the encoding.
    fn export_section(
        &self,
        material: Material,
        side: Color,
        encoding: Encoding,
        sink: &mut ByteSink<'_>,
    ) -> Result<(), SolveError> {
        export_entries(self, material, side, encoding, sink)
    }

    /// Counts a material in the store.
    ///
    /// # Errors
    ///
    /// [`SolveError::NotSolved`] when it is not there.
    fn summary(&self, material: Material) -> Result<Summary, SolveError>;

    /// [`Flags`] of every position in perfect-index order, as they were at the end of the phase
    /// at which the last build of this material stopped.
    ///
    /// # Errors
    ///
    /// [`SolveError::NotSolved`] when it was not built.
    fn snapshot(&self, material: Material, side: Color) -> Result<Vec<Flags>, SolveError>;

    /// Of a material in the store, drops what no other material needs: distances, where parts are
    /// looked up by value only. Its summary is not asked for again, nor is it exported.
    fn keep_values_only(&self, _material: Material) {}

    /// Drops a material from the store, and what is kept of it for snapshots.
    fn release(&self, material: Material);
}

/// A section of a table file entry by entry: see [`Backend::export_section`].
pub(crate) fn export_entries(
    backend: &(impl Backend + ?Sized),
    material: Material,
    side: Color,
    encoding: Encoding,
    sink: &mut ByteSink<'_>,
) -> Result<(), SolveError> {
    let mut packer = CodePacker::new(encoding);
    backend.export(material, side, &mut |entries| {
        for entry in entries {
            let code = encoding.code(entry.outcome(encoding.metric().has_plies()));
            packer.push(code.unwrap_or_else(|| panic!("{entry:?} has no code in this table")));
        }
        if packer.bytes().len() >= SECTION_BUFFER {
            sink(packer.bytes())?;
            packer.clear();
        }
        Ok(())
    })?;
    packer.end_section();
    sink(packer.bytes())
}
