//! Game graphs from files: edge lists, PGSolver files and binary rows.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Context;
use crownhead_graph::formats::{
    NamedGraph, is_binary, parse_edge_list, parse_pgsolver, read_binary,
};

/// The bytes of a file, mapped where that can be done.
pub(super) enum Bytes {
    Mapped(memmap2::Mmap),
    Read(Vec<u8>),
}

impl Bytes {
    /// The file at `path`; `-` is standard input.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let mut bytes = Vec::new();
        if path == Path::new("-") {
            std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
            return Ok(Self::Read(bytes));
        }
        let name = || format!("cannot read '{}'", path.display());
        let mut file = File::open(path).with_context(name)?;
        if file.metadata().is_ok_and(|data| data.is_file() && data.len() > 0) {
            // SAFETY: the map is only read. If another program cut the file short meanwhile, the
            // system would end this process; no memory of its own can be changed that way.
            let map = unsafe { memmap2::Mmap::map(&file) };
            return Ok(Self::Mapped(map.with_context(name)?));
        }
        file.read_to_end(&mut bytes).with_context(name)?;
        Ok(Self::Read(bytes))
    }

    /// The graph in the bytes, whose format is known by how they start. The rows of a binary file
    /// stay where they are.
    pub(super) fn graph(&self, path: &Path) -> anyhow::Result<NamedGraph<'_>> {
        let bytes: &[u8] = match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        };
        let name = || format!("'{}'", path.display());
        if is_binary(bytes) {
            read_binary(bytes).with_context(name)
        } else if is_pgsolver(bytes) {
            let text = std::str::from_utf8(bytes).with_context(name)?;
            parse_pgsolver(text).with_context(name)
        } else {
            parse_edge_list(bytes).with_context(name)
        }
    }
}

/// No line of an edge list has a semicolon after `parity NUMBER`, nor starts a file with a line
/// that ends in one and has at least four words.
fn is_pgsolver(bytes: &[u8]) -> bool {
    let first = bytes.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let Some(Ok(first)) = first.map(std::str::from_utf8) else { return false };
    let words: Vec<&str> = first.split_ascii_whitespace().collect();
    let ends = first.trim_end().ends_with(';') && !first.trim_start().starts_with('#');
    ends && (words[0] == "parity" || words.len() >= 4)
}
