//! Helpers shared by the test files in `tests/`.

use std::path::{Path, PathBuf};

/// The workspace's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lie in the workspace")
}

/// The files that git would track (tracked, or new and not ignored), as paths from the root.
///
/// # Panics
///
/// If git is missing or this is no checkout.
pub fn repository_files() -> Vec<PathBuf> {
    let out = std::process::Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git runs");
    assert!(out.status.success(), "git ls-files: {}", String::from_utf8_lossy(&out.stderr));
    let mut files: Vec<PathBuf> = String::from_utf8(out.stdout)
        .expect("file names are UTF-8")
        .lines()
        .map(PathBuf::from)
        .filter(|file| root().join(file).is_file())
        .collect();
    files.sort();
    files.dedup();
    files
}
