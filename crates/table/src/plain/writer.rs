use core::fmt;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::{format, process};

use crownhead_index::Material;
use crownhead_rules::{Color, Outcome};

use super::header::{HEADER_BYTES, index_of, wide};
use super::tally::Tally;
use super::{CodePacker, Encoding, Header, HeaderError};
use crate::crc::SectionCrc;
use crate::directory::table_path;

/// Bytes packed before they are written.
const PACKED_BYTES: usize = 1 << 14;

/// Writes one plain table: the sections in order, Black to move then White, then the header.
///
/// The bytes go to a temporary name in the same directory; [`finish`](Self::finish) syncs them,
/// then renames. So a file under a table's name is always whole, and a build that is killed leaves
/// what was finished. Dropped before, the temporary file is removed.
///
/// The same outcomes give the same bytes, whoever writes them and in whatever pieces.
#[derive(Debug)]
pub struct PlainWriter {
    path: PathBuf,
    temporary: Temporary,
    file: BufWriter<File>,
    header: Header,
    section: Section,
    largest: u16,
    codes: CodePacker,
    /// How many positions of the section have come as outcomes.
    pushed: u64,
}

/// The section that is being written.
struct Section {
    side: Color,
    bytes: u64,
    crc: SectionCrc,
    tally: Tally,
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section").field("side", &self.side).field("bytes", &self.bytes).finish()
    }
}

impl Section {
    fn new(side: Color, encoding: Encoding) -> Self {
        Self { side, bytes: 0, crc: SectionCrc::default(), tally: Tally::new(encoding) }
    }
}

/// A temporary file that is removed unless it was renamed.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // Nothing more can be done about a file that cannot be removed.
        let _ = fs::remove_file(&self.0);
    }
}

/// Why a table could not be written; nothing is left under its name.
#[derive(Debug)]
pub struct WriteError {
    /// The table's file.
    pub path: PathBuf,
    /// What happened.
    pub kind: WriteErrorKind,
}

/// What stopped the writing of a table.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The file system refused.
    Io(io::Error),
    /// The material can have no table.
    Material(HeaderError),
    /// There are more bytes than the positions take, or fewer.
    Length {
        /// The side to move whose section it is.
        side: Color,
        /// The bytes that all its positions take.
        expected: u64,
        /// The bytes that came.
        found: u64,
    },
    /// A number stands for no outcome.
    Code(Color),
    /// An outcome has no number in this encoding.
    Outcome(Outcome),
    /// Fewer bits a position would hold all distances: the table would not be the one that every
    /// other builder writes.
    TooWide,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.kind {
            WriteErrorKind::Io(error) => write!(f, "cannot be written: {error}"),
            WriteErrorKind::Material(error) => write!(f, "{error}"),
            WriteErrorKind::Length { side, expected, found } => {
                write!(f, "{found} bytes for {side:?} to move instead of {expected}")
            }
            WriteErrorKind::Code(side) => {
                write!(f, "a number for {side:?} to move stands for no outcome")
            }
            WriteErrorKind::Outcome(outcome) => {
                write!(f, "{outcome:?} does not fit the bits of a position")
            }
            WriteErrorKind::TooWide => f.write_str("wider than its longest distance needs"),
        }
    }
}

impl core::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            WriteErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl PlainWriter {
    /// Begins the table of a canonical material in this directory, which is made if it is not
    /// there.
    ///
    /// The encoding must be the [narrowest](Encoding::narrowest) that holds all distances.
    ///
    /// # Errors
    ///
    /// When the directory or the file cannot be made, or the material can have no table.
    pub fn create(
        directory: &Path,
        material: Material,
        encoding: Encoding,
    ) -> Result<Self, WriteError> {
        let path = table_path(directory, material, encoding.metric());
        let fail = |kind| WriteError { path: path.clone(), kind };
        let index = index_of(material).map_err(|error| fail(WriteErrorKind::Material(error)))?;
        let header =
            Header { material, encoding, positions: wide(index.len()), sides: Default::default() };
        if header.file_bytes().is_none() {
            return Err(fail(WriteErrorKind::Material(HeaderError::TooLarge(material))));
        }
        let io = |error| fail(WriteErrorKind::Io(error));
        fs::create_dir_all(directory).map_err(io)?;
        let temporary = temporary_path(&path);
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&temporary);
        let mut file = BufWriter::with_capacity(1 << 18, file.map_err(io)?);
        let temporary = Temporary(temporary);
        file.write_all(&[0; HEADER_BYTES]).map_err(io)?;
        let section = Section::new(Color::Black, encoding);
        Ok(Self {
            path,
            temporary,
            file,
            header,
            section,
            largest: 0,
            codes: CodePacker::new(encoding),
            pushed: 0,
        })
    }

    /// How outcomes are written.
    pub const fn encoding(&self) -> Encoding {
        self.header.encoding
    }

    fn error(&self, kind: WriteErrorKind) -> WriteError {
        WriteError { path: self.path.clone(), kind }
    }

    /// Writes the next outcomes, in perfect-index order.
    ///
    /// # Errors
    ///
    /// When an outcome has no code in this encoding, and as for [`write`](Self::write).
    pub fn write_outcomes(
        &mut self,
        outcomes: impl IntoIterator<Item = Outcome>,
    ) -> Result<(), WriteError> {
        for outcome in outcomes {
            let code = self.encoding().code(outcome);
            let code = code.ok_or_else(|| self.error(WriteErrorKind::Outcome(outcome)))?;
            self.codes.push(code);
            self.pushed += 1;
            if self.pushed == self.header.positions {
                self.codes.end_section();
                self.pushed = 0;
            }
            if self.codes.bytes().len() >= PACKED_BYTES {
                self.write_codes()?;
            }
        }
        self.write_codes()
    }

    fn write_codes(&mut self) -> Result<(), WriteError> {
        let none = CodePacker::new(self.encoding());
        let mut codes = core::mem::replace(&mut self.codes, none);
        let written = self.write(codes.bytes());
        codes.clear();
        self.codes = codes;
        written
    }

    /// Writes the next bytes of the sections: codes of 2 bits, the first lowest in its byte, of 1
    /// byte, or of 2 bytes, little-endian.
    ///
    /// A section ends when all positions are there; the unused bits of its last byte are 0. The
    /// next byte begins the other side's.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, there is no section left, or a code is none.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), WriteError> {
        let expected = self.header.section_bytes().unwrap_or(0);
        while !bytes.is_empty() {
            let room = expected - self.section.bytes;
            if room == 0 {
                let side = self.section.side;
                let found = expected + bytes.len() as u64;
                return Err(self.error(WriteErrorKind::Length { side, expected, found }));
            }
            let (now, later) =
                bytes.split_at(bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX)));
            self.file.write_all(now).map_err(|error| self.error(WriteErrorKind::Io(error)))?;
            self.section.crc.update(now);
            self.section.tally.add(now);
            self.section.bytes += now.len() as u64;
            bytes = later;
            if self.section.bytes == expected {
                self.end_section()?;
            }
        }
        Ok(())
    }

    /// Enters the section in the header and begins the next, if there is one.
    fn end_section(&mut self) -> Result<(), WriteError> {
        let side = self.section.side;
        let mut summary = self
            .section
            .tally
            .summary(self.header.positions)
            .ok_or_else(|| self.error(WriteErrorKind::Code(side)))?;
        summary.crc = self.section.crc.clone().finalize();
        self.header.sides[side as usize] = summary;
        self.largest = self.largest.max(self.section.tally.largest());
        if self.header.stored_sides().contains(&Color::White) && side == Color::Black {
            self.section = Section::new(Color::White, self.encoding());
        }
        Ok(())
    }

    /// Ends the table: writes the header, syncs the file and gives it its name.
    ///
    /// # Errors
    ///
    /// When a section is not complete, a narrower encoding would have done, or the file cannot be
    /// written, synced or renamed.
    pub fn finish(self) -> Result<Header, WriteError> {
        self.seal()?.publish()
    }

    /// The first half of [`finish`](Self::finish): the table is whole and synced, under its
    /// temporary name.
    ///
    /// # Errors
    ///
    /// As for [`finish`](Self::finish), but for the renaming.
    pub fn seal(mut self) -> Result<SealedTable, WriteError> {
        let expected = self.header.section_bytes().unwrap_or(0);
        let last = self.header.stored_sides().last();
        if last != Some(&self.section.side) || self.section.bytes != expected {
            let (side, found) = (self.section.side, self.section.bytes);
            return Err(self.error(WriteErrorKind::Length { side, expected, found }));
        }
        if self.encoding().bits() == 16 && self.largest <= 0xff {
            return Err(self.error(WriteErrorKind::TooWide));
        }
        self.complete().map_err(|error| self.error(WriteErrorKind::Io(error)))?;
        Ok(SealedTable { path: self.path, temporary: self.temporary, header: self.header })
    }

    fn complete(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&self.header.to_bytes())?;
        self.file.flush()?;
        self.file.get_ref().sync_all()
    }
}

/// A whole table that does not have its name yet; dropped, it is removed.
#[derive(Debug)]
pub struct SealedTable {
    path: PathBuf,
    temporary: Temporary,
    header: Header,
}

impl SealedTable {
    /// Gives the table its name, in the place of one that had it before.
    ///
    /// # Errors
    ///
    /// When the file cannot be renamed, or the directory not synced.
    pub fn publish(self) -> Result<Header, WriteError> {
        fs::rename(&self.temporary.0, &self.path)
            .and_then(|()| sync_directory(self.path.parent()))
            .map_err(|error| WriteError {
                path: self.path.clone(),
                kind: WriteErrorKind::Io(error),
            })?;
        Ok(self.header)
    }
}

/// Makes a rename last: on Unix, the directory's entries are synced on their own.
pub(crate) fn sync_directory(directory: Option<&Path>) -> io::Result<()> {
    match directory {
        Some(directory) if cfg!(unix) => {
            let here = directory.as_os_str().is_empty();
            File::open(if here { Path::new(".") } else { directory })?.sync_all()
        }
        _ => Ok(()),
    }
}

/// A name beside the table's that no other process uses.
pub(crate) fn temporary_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", process::id()));
    path.with_file_name(name)
}
