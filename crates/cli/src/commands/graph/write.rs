//! Graphs to files.

use std::io::Write;
use std::path::Path;

use anyhow::bail;
use crownhead_graph::formats::{NamedGraph, write_binary, write_dot, write_pgsolver, write_svg};
use crownhead_graph::{GameGraph, Solution};

use super::Args;
use crate::replace::write;
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

/// Text onto a stream of bytes. A failed write is `fmt::Error`, as that is all there is.
pub(crate) struct Text<'s>(pub(crate) &'s mut dyn Write);

impl std::fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write_all(text.as_bytes()).map_err(|_| std::fmt::Error)
    }
}
