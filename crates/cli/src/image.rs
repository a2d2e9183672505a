//! Compact images, given with `--image` instead of a directory of tables.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow};
use crownhead_index::materials_to;
use crownhead_pack::{Decoded, PackError, Watch};
use crownhead_rules::{Outcome, Position, Prober};
use crownhead_table::compact::{CompactTable, ImageHeader};
use crownhead_table::{MappedFile, Metric};

use crate::status::{Failure, Status};
use crate::{progress, system, text};

/// The option that names an image.
#[derive(clap::Args)]
pub(crate) struct ImageArg {
    /// Use this compact image instead of tables.
    #[arg(long, value_name = "FILE")]
    pub(crate) image: Option<PathBuf>,
}

/// An image that is sound by its checksums.
pub(crate) struct Image {
    pub(crate) table: CompactTable<MappedFile>,
    bytes: MappedFile,
    path: PathBuf,
}

impl Image {
    /// Opens an image: missing is status 3, damaged status 2.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let map = || File::open(path).and_then(|file| MappedFile::new(&file));
        let (mapped, bytes) = map().and_then(|first| Ok((first, map()?))).map_err(|error| {
            let missing = error.kind() == io::ErrorKind::NotFound;
            let status = if missing { Status::Missing } else { Status::BadInput };
            let error = anyhow!(error).context(format!("cannot read {}", path.display()));
            Failure::Error(status, error)
        })?;
        let table = CompactTable::open(mapped)
            .with_context(|| format!("image {}", path.display()))
            .map_err(Failure::bad_input)?;
        Ok(Self { table, bytes, path: path.to_owned() })
    }

    pub(crate) fn header(&self) -> &ImageHeader {
        self.table.header()
    }

    /// The bytes of the image.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.bytes()
    }

    fn positions(&self) -> u64 {
        let pieces = self.header().pieces.into();
        materials_to(pieces).filter_map(|material| material.positions::<u64>()).sum()
    }

    /// Whether all its positions fit into memory, which is status 3: a small file can say that it
    /// has many pieces.
    pub(crate) fn check_memory(&self) -> Result<(), Failure> {
        let bytes = Decoded::bytes_of(self.positions(), self.header().metric);
        match system::available_memory() {
            Some(free) if bytes > free => {
                let (needed, free, pieces) =
                    (text::bytes(bytes), text::bytes(free), self.header().pieces);
                let error = anyhow!("{pieces} pieces take {needed} of memory and {free} are free");
                let path = self.path.display().to_string();
                Err(Failure::Error(Status::Missing, error.context(path)))
            }
            _ => Ok(()),
        }
    }

    /// All its positions, in memory.
    pub(crate) fn decode(&self) -> Result<Decoded, Failure> {
        self.check_memory()?;
        let bar = progress::bar(self.positions(), "positions");
        bar.set_message("decoding");
        let stop = AtomicBool::new(false);
        let decoded = Decoded::new(self.bytes(), &Watch::new(&stop, &|done| bar.inc(done)));
        bar.finish_and_clear();
        decoded.map_err(|error| pack_failure(error, &self.path))
    }
}

/// An error of packing or unpacking as a failure of the command.
pub(crate) fn pack_failure(error: PackError, path: &Path) -> Failure {
    let status =
        if matches!(error, PackError::Tables(_)) { Status::Missing } else { Status::BadInput };
    Failure::Error(status, anyhow!(error).context(path.display().to_string()))
}

/// An image that answers for positions: read in place, or decoded where there are distances.
pub(crate) enum ImageProber {
    InPlace(Box<Image>),
    Decoded(Box<Decoded>),
}

impl ImageProber {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let image = Image::open(path)?;
        Ok(match image.header().metric {
            Metric::Wld => Self::InPlace(Box::new(image)),
            _ => Self::Decoded(Box::new(image.decode()?)),
        })
    }

    pub(crate) fn metric(&self) -> Metric {
        match self {
            Self::InPlace(image) => image.header().metric,
            Self::Decoded(decoded) => decoded.metric(),
        }
    }
}

impl Prober for ImageProber {
    type Error = anyhow::Error;

    fn max_pieces(&self) -> u32 {
        match self {
            Self::InPlace(image) => image.table.max_pieces(),
            Self::Decoded(decoded) => decoded.max_pieces(),
        }
    }

    fn probe(&self, position: &Position) -> Result<Outcome, anyhow::Error> {
        match self {
            Self::InPlace(image) => Ok(image.table.probe(position)?),
            Self::Decoded(decoded) => Ok(decoded.probe(position)?),
        }
    }
}
