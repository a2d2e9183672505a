//! The binary form: compressed sparse rows as they lie in memory, so that a memory map can be
//! solved without a copy.
//!
//! All numbers are little-endian. A header of 32 bytes: the eight bytes `CRWNGRPH`, the version
//! (1), the flags, the number of vertices, the number of edges, a zero, and the CRC-32 of
//! everything else, each of four bytes. Then the offsets (four bytes each, one more than vertices)
//! and the targets (four bytes an edge); if flagged, a byte for each vertex with its label (0 none,
//! 1 loss, 2 draw, 3 win), one with its owner (0 none, 1 first, 2 second), and the names: four
//! bytes each for numbers that rise, or the lengths of the words, four bytes each, and the words.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::names::{NamedGraph, Names};
use crate::{GameGraph, GraphError, Player, Rows, Value};

const MAGIC: &[u8; 8] = b"CRWNGRPH";
const VERSION: u32 = 1;
const HEADER: usize = 32;
const LABELS: u32 = 1;
const OWNERS: u32 = 2;
const SPARSE: u32 = 4;
const WORDS: u32 = 8;
/// What a side that cannot move gets, two bits: 0 loss, 1 draw, 2 win.
const STUCK_SHIFT: u32 = 8;
const KNOWN_FLAGS: u32 = LABELS | OWNERS | SPARSE | WORDS | 3 << STUCK_SHIFT;
const VALUES: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

/// Why bytes are not a binary graph.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BinaryError {
    /// The first eight bytes are others.
    Magic,
    /// Another version of the format.
    Version {
        /// The version found.
        found: u32,
    },
    /// Flags that this version does not have.
    Flags {
        /// The flags found.
        found: u32,
    },
    /// Fewer or more bytes than the header says.
    Length {
        /// What the header says; at least this many, if there are names of words.
        expected: u64,
        /// How many bytes there are.
        found: u64,
    },
    /// The checksum is of other bytes.
    Checksum,
    /// A byte that is no label or owner, at this place in the file.
    Byte {
        /// The place, from 0.
        at: u64,
    },
    /// The names are not UTF-8, or numbers that do not rise.
    Names,
    /// The rows are not those of a graph.
    Graph(GraphError),
}

impl fmt::Display for BinaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => write!(f, "not a binary graph: it does not start with `CRWNGRPH`"),
            Self::Version { found } => write!(f, "version {found}, this program reads {VERSION}"),
            Self::Flags { found } => write!(f, "unknown flags {found:#x}"),
            Self::Length { expected, found } => {
                write!(f, "{found} bytes where the header says {expected}")
            }
            Self::Checksum => write!(f, "the checksum does not fit the contents"),
            Self::Byte { at } => write!(f, "byte {at} is no label or owner"),
            Self::Names => write!(f, "the names are not UTF-8, or not rising numbers"),
            Self::Graph(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for BinaryError {}

/// Whether bytes start like a binary graph.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Writes a graph in pieces, in constant memory.
///
/// # Errors
///
/// What `write` returns.
pub fn write_binary<E>(
    file: &NamedGraph<'_>,
    mut write: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let graph = &file.graph;
    let mut flags = (graph.stuck() as u32) << STUCK_SHIFT;
    flags |= if graph.labels().is_empty() { 0 } else { LABELS };
    flags |= if file.owners.is_empty() { 0 } else { OWNERS };
    flags |= match file.names {
        Names::Numbers => 0,
        Names::Sparse(_) => SPARSE,
        Names::Words(_) => WORDS,
    };
    let mut header = Vec::from(MAGIC);
    let (vertices, edges) = (graph.vertices() as u32, graph.rows().edges() as u32);
    for word in [VERSION, flags, vertices, edges, 0] {
        header.extend(word.to_le_bytes());
    }
    let mut crc = crc32fast::Hasher::new();
    crc.update(&header);
    let Ok(()) = write_body(file, |bytes| {
        crc.update(bytes);
        Ok::<_, core::convert::Infallible>(())
    });
    header.extend(crc.finalize().to_le_bytes());
    write(&header)?;
    write_body(file, write)
}

fn write_body<E>(
    file: &NamedGraph<'_>,
    mut write: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let rows = file.graph.rows();
    write_words(rows.offsets().iter().copied(), &mut write)?;
    write_words(rows.targets().iter().copied(), &mut write)?;
    let label = |label: &Option<Value>| label.map_or(0, |value| value as u8 + 1);
    write(&file.graph.labels().iter().map(label).collect::<Vec<_>>())?;
    let owner = |owner: &Option<Player>| owner.map_or(0, |player| player as u8 + 1);
    write(&file.owners.iter().map(owner).collect::<Vec<_>>())?;
    match &file.names {
        Names::Numbers => Ok(()),
        Names::Sparse(numbers) => write_words(numbers.iter().copied(), &mut write),
        Names::Words(words) => {
            write_words(words.iter().map(|word| word.len() as u32), &mut write)?;
            words.iter().try_for_each(|word| write(word.as_bytes()))
        }
    }
}

fn write_words<E>(
    words: impl Iterator<Item = u32>,
    write: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut buffer = Vec::with_capacity(1 << 16);
    for word in words {
        buffer.extend(word.to_le_bytes());
        if buffer.len() == 1 << 16 {
            write(&buffer)?;
            buffer.clear();
        }
    }
    write(&buffer)
}

/// Reads a graph. On a little-endian machine the rows are not copied if `bytes` starts at a
/// multiple of four, as a memory map does.
///
/// # Errors
///
/// Anything that [`write_binary`] would not have written; no bytes make it panic.
pub fn read_binary(bytes: &[u8]) -> Result<NamedGraph<'_>, BinaryError> {
    if !is_binary(bytes) {
        return Err(BinaryError::Magic);
    }
    let found = bytes.len() as u64;
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(BinaryError::Length { expected: HEADER as u64, found });
    };
    let field = |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|j| header[8 + 4 * i + j]));
    let (version, flags, vertices, edges) = (field(0), field(1), field(2), field(3));
    if version != VERSION {
        return Err(BinaryError::Version { found: version });
    }
    let stuck = VALUES.get((flags >> STUCK_SHIFT & 3) as usize);
    let Some(&stuck) = stuck.filter(|_| flags & !KNOWN_FLAGS == 0) else {
        return Err(BinaryError::Flags { found: flags });
    };
    let mut crc = crc32fast::Hasher::new();
    crc.update(&header[..HEADER - 4]);
    crc.update(body);
    if crc.finalize() != field(5) || field(4) != 0 {
        return Err(BinaryError::Checksum);
    }
    let mut parts = Parts { body, at: HEADER as u64, found };
    let offsets = parts.words(u64::from(vertices) + 1)?;
    let targets = parts.words(u64::from(edges))?;
    let rows = Rows::from_parts(offsets, targets).map_err(BinaryError::Graph)?;
    let mut graph = GameGraph::new(rows).with_stuck(stuck);
    if flags & LABELS != 0 {
        let labels = parts.bytes_of(vertices, |byte| VALUES.get(usize::from(byte)).copied())?;
        graph = graph.with_labels(labels).map_err(BinaryError::Graph)?;
    }
    let owners = if flags & OWNERS != 0 {
        parts.bytes_of(vertices, |byte| Player::BOTH.get(usize::from(byte)).copied())?
    } else {
        Vec::new()
    };
    let names = match flags & (SPARSE | WORDS) {
        0 => Names::Numbers,
        SPARSE => parts.sparse(vertices)?,
        WORDS => parts.word_names(vertices)?,
        _ => return Err(BinaryError::Flags { found: flags }),
    };
    parts.end()?;
    Ok(NamedGraph { graph, names, owners })
}

/// What has not been read yet.
struct Parts<'a> {
    body: &'a [u8],
    at: u64,
    found: u64,
}

impl<'a> Parts<'a> {
    fn take(&mut self, length: u64) -> Result<&'a [u8], BinaryError> {
        let expected = self.at + length;
        let split = usize::try_from(length).ok().and_then(|n| self.body.split_at_checked(n));
        let Some((part, rest)) = split else {
            return Err(BinaryError::Length { expected, found: self.found });
        };
        (self.body, self.at) = (rest, expected);
        Ok(part)
    }

    fn end(&self) -> Result<(), BinaryError> {
        let (expected, found) = (self.at, self.found);
        if self.body.is_empty() { Ok(()) } else { Err(BinaryError::Length { expected, found }) }
    }

    fn words(&mut self, count: u64) -> Result<Cow<'a, [u32]>, BinaryError> {
        let bytes = self.take(4 * count)?;
        if cfg!(target_endian = "little")
            && let Ok(words) = bytemuck::try_cast_slice(bytes)
        {
            return Ok(Cow::Borrowed(words));
        }
        let words = bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word));
        Ok(Cow::Owned(words.collect()))
    }

    fn bytes_of<T>(
        &mut self,
        count: u32,
        read: impl Fn(u8) -> Option<T>,
    ) -> Result<Vec<Option<T>>, BinaryError> {
        let start = self.at;
        let bytes = self.take(u64::from(count))?;
        (start..)
            .zip(bytes)
            .map(|(at, &byte)| match byte.checked_sub(1) {
                None => Ok(None),
                Some(byte) => read(byte).map(Some).ok_or(BinaryError::Byte { at }),
            })
            .collect()
    }

    fn sparse(&mut self, vertices: u32) -> Result<Names, BinaryError> {
        let numbers = self.words(u64::from(vertices))?.into_owned();
        let rising = numbers.windows(2).all(|pair| pair[0] < pair[1]);
        if rising { Ok(Names::Sparse(numbers)) } else { Err(BinaryError::Names) }
    }

    fn word_names(&mut self, vertices: u32) -> Result<Names, BinaryError> {
        let lengths = self.words(u64::from(vertices))?;
        let name = |&length| {
            let word = core::str::from_utf8(self.take(u64::from(length))?);
            word.map(String::from).map_err(|_| BinaryError::Names)
        };
        lengths.iter().map(name).collect::<Result<_, _>>().map(Names::Words)
    }
}
