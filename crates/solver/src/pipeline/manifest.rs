//! The list of finished tables beside them: `manifest.tsv`.

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use crownhead_rules::Color;
use crownhead_table::Header;

use super::lock::{Claim, Lock};
use crate::{SolveError, Stage, Stages};

/// The manifest's name in the directory of the tables.
pub const MANIFEST: &str = "manifest.tsv";

const LOCK: &str = ".manifest.lock";
const COLUMNS: &str = "file\tbytes\tpositions\tside\twins\tlosses\tdraws\tcrc32";

/// The manifest's lines about one table: one for each side to move.
///
/// It says nothing that depends on when or how the table was built.
pub fn manifest_lines(header: &Header) -> String {
    let mut lines = String::new();
    for &side in header.stored_sides() {
        let counted = &header.sides[side as usize];
        let name = match side {
            Color::Black => "black",
            Color::White => "white",
        };
        let _ = writeln!(
            lines,
            "{}.{}\t{}\t{}\t{name}\t{}\t{}\t{}\t{:08x}",
            header.material,
            header.encoding.metric(),
            header.file_bytes().unwrap_or(0),
            header.positions,
            counted.wins,
            counted.losses,
            counted.draws,
            counted.crc
        );
    }
    lines
}

/// Reads a manifest: the lines about each file, by its name. Empty where there is no manifest.
///
/// # Errors
///
/// When the file is there and cannot be read as text.
pub fn read_manifest(directory: &Path) -> Result<BTreeMap<String, String>, SolveError> {
    let path = directory.join(MANIFEST);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(source) => return Err(SolveError::Io { path, action: "cannot read", source }),
    };
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for line in text.lines().filter(|line| *line != COLUMNS && !line.is_empty()) {
        let name = line.split('\t').next().unwrap_or(line);
        let lines = files.entry(name.to_owned()).or_default();
        lines.push_str(line);
        lines.push('\n');
    }
    Ok(files)
}

/// Enters finished tables in the manifest, whole or not at all.
pub(super) fn enter(
    directory: &Path,
    headers: &[Header],
    stages: Stages<'_>,
) -> Result<(), SolveError> {
    stages.reach(Stage::Manifest);
    let path = directory.join(MANIFEST);
    // Builds of single materials may end at the same moment.
    let _lock = Lock::take(directory, LOCK, Claim::Whole, || {})?;
    let mut files = read_manifest(directory)?;
    let before = files.clone();
    for header in headers {
        let name = format!("{}.{}", header.material, header.encoding.metric());
        files.insert(name, manifest_lines(header));
    }
    if files == before && path.exists() {
        return Ok(());
    }
    let text: String = files.into_values().collect();
    let temporary = directory.join(format!("{MANIFEST}.tmp"));
    let write = || {
        let mut file = File::create(&temporary)?;
        stages.reach(Stage::Manifest);
        writeln!(file, "{COLUMNS}")?;
        stages.reach(Stage::Manifest);
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        stages.reach(Stage::Manifest);
        fs::rename(&temporary, &path)?;
        stages.reach(Stage::Manifest);
        Ok(())
    };
    write().map_err(|source| {
        // On a full disk it takes room for nothing.
        let _ = fs::remove_file(&temporary);
        SolveError::Io { path: path.clone(), action: "cannot write", source }
    })
}
