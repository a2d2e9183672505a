//! Files in place of others.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;

/// Writes a file through a buffer, under a temporary name until it is whole and on the disk: a full
/// disk costs no file that was there, and a file that is read may be the one that is written.
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
