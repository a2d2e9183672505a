//! Graphs to files.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, bail};
use crownhead_graph::formats::{NamedGraph, write_binary, write_dot, write_pgsolver, write_svg};
use crownhead_graph::{GameGraph, Solution};

use super::Args;
use crate::status::Failure;

/// More vertices than this are no picture.
const MOST_DRAWN: usize = 500;

/// The format of an output file.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Binary,
    Pgsolver,
    Dot,
}

impl Form {
    /// By the ending of the name.
    pub(super) fn of(path: &Path) -> anyhow::Result<Self> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csr") => Ok(Self::Binary),
            Some("pg" | "gm") => Ok(Self::Pgsolver),
            Some("dot" | "gv") => Ok(Self::Dot),
            _ => bail!(
                "--out '{}': the name must end in .csr (binary rows), .pg or .gm (PGSolver), .dot \
                 or .gv (DOT)",
                path.display()
            ),
        }
    }
}

/// Writes what `--out` and `--svg` ask for.
pub(super) fn files(
    args: &Args,
    form: Option<Form>,
    file: &NamedGraph<'_>,
    game: &GameGraph<'_>,
    solution: &Solution,
) -> Result<(), Failure> {
    if let (Some(path), Some(form)) = (&args.out, form) {
        write(path, |stream| match form {
            Form::Binary => Ok(write_binary(file, |bytes| stream.write_all(bytes))?),
            Form::Pgsolver => Ok(write_pgsolver(game, &file.names, &mut Text(stream))?),
            Form::Dot => Ok(write_dot(game, &file.names, Some(solution), &mut Text(stream))?),
        })
        .map_err(Failure::bad_input)?;
    }
    if let Some(path) = &args.svg {
        let vertices = game.vertices();
        if vertices > MOST_DRAWN {
            return Err(Failure::bad_input(anyhow::anyhow!(
                "--svg draws graphs of at most {MOST_DRAWN} vertices; this one has {vertices}"
            )));
        }
        write(path, |stream| Ok(write_svg(game, &file.names, solution, &mut Text(stream))?))
            .map_err(Failure::bad_input)?;
    }
    Ok(())
}

/// Writes a file through a buffer, under a temporary name until it is whole: a full disk costs no
/// file that was there, and the graph that is read may be the one that is written.
pub(crate) fn write(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let name = || format!("cannot write '{}'", path.display());
    // What a link names is written, not the link.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&place).is_ok_and(|there| !there.is_file()) {
        // A pipe or a terminal.
        return File::create(&place)
            .map_err(anyhow::Error::from)
            .and_then(|file| fill(file, content).map(drop))
            .with_context(name);
    }
    let mut temporary = place.clone().into_os_string();
    temporary.push(".tmp");
    let written = File::create(&temporary)
        .map_err(anyhow::Error::from)
        .and_then(|file| fill(file, content))
        .and_then(|file| Ok(file.sync_all()?))
        .and_then(|()| Ok(fs::rename(&temporary, &place)?));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.with_context(name)
}

fn fill(
    file: File,
    content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<File> {
    let mut stream = BufWriter::new(file);
    content(&mut stream)?;
    Ok(stream.into_inner().map_err(|error| error.into_error())?)
}

/// Text onto a stream of bytes. A failed write is `fmt::Error`, as that is all there is.
pub(crate) struct Text<'s>(pub(crate) &'s mut dyn Write);

impl std::fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write_all(text.as_bytes()).map_err(|_| std::fmt::Error)
    }
}
