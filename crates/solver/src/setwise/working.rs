//! Working files: solved words that outlive the process.
//!
//! A material has a file of its four planes, mapped into memory, and a small text that says how
//! much of it is final. A build that was stopped goes on after the last level that is; one that
//! was finished is taken as it is. The system writes pages out when memory runs short, so that a
//! build can use more words than fit into memory.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crownhead_index::product::ProductIndex;
use memmap2::MmapOptions;

use super::plane::Plane;
use super::store::Words;
use crate::SolveError;

/// Changes when the meaning of the words does.
const VERSION: &str = "crownhead words 1";

/// How much of a material is final.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// So many levels from the first.
    Levels(usize),
    /// Everything.
    Finished,
}

/// The files of one material.
#[derive(Debug)]
pub(super) struct Working {
    words: PathBuf,
    progress: PathBuf,
}

impl Working {
    /// The files of a material in this directory.
    pub(super) fn new(directory: &Path, index: &ProductIndex) -> Self {
        let path = |ending: &str| directory.join(format!("{}.{ending}", index.material()));
        Self { words: path("words"), progress: path("progress") }
    }

    /// Makes the directory if it is not there.
    pub(super) fn make_directory(&self) -> Result<(), SolveError> {
        let directory = self.directory();
        fs::create_dir_all(directory).map_err(failed(directory, "cannot make the directory"))
    }

    pub(super) fn directory(&self) -> &Path {
        self.words.parent().unwrap_or(Path::new(""))
    }

    /// The words of a material that is finished, if it is; nothing is written to the file.
    pub(super) fn recall(&self, index: &ProductIndex) -> Result<Option<[Words; 2]>, SolveError> {
        let plane = 4 * index.words();
        if !self.is_finished(index) {
            return Ok(None);
        }
        let file = fs::File::open(&self.words).map_err(failed(&self.words, "cannot read"))?;
        let mut planes = [0, 1, 2, 3].map(|nth| {
            let mut options = MmapOptions::new();
            options.offset(nth * plane).len(plane as usize).no_reserve_swap();
            // SAFETY: finished words are not written again; any bits are valid words, and nothing
            // here reads outside a plane whatever they are.
            unsafe { options.map_copy(&file) }.map(Plane::File)
        });
        Ok(Some(self.sides(&mut planes)?))
    }

    /// Keeps the words of a finished material that was solved elsewhere.
    pub(super) fn keep(
        &self,
        index: &ProductIndex,
        words: &[Arc<Words>; 2],
    ) -> Result<(), SolveError> {
        self.make_directory()?;
        // Others may do the same at the same time: each renames a file of its own.
        let new = self.words.with_extension(format!("words.{}.tmp", std::process::id()));
        let planes = words.iter().flat_map(|words| [&words.wins, &words.losses]);
        let write = || {
            let mut file = fs::File::create(&new)?;
            planes.map(|plane| bytemuck::cast_slice(plane)).try_for_each(|b| file.write_all(b))?;
            file.sync_all()?;
            fs::rename(&new, &self.words)
        };
        write().map_err(failed(&self.words, "cannot write"))?;
        self.write_progress(index, Progress::Finished)
    }

    /// Whether the material's words are there and final.
    pub(super) fn is_finished(&self, index: &ProductIndex) -> bool {
        let whole = fs::metadata(&self.words).is_ok_and(|file| file.len() == 16 * index.words());
        whole && self.read_progress(index) == Some(Progress::Finished)
    }

    fn sides(&self, planes: &mut [io::Result<Plane>; 4]) -> Result<[Words; 2], SolveError> {
        let mut next = |nth: usize| {
            core::mem::replace(&mut planes[nth], Ok(Plane::default()))
                .map_err(failed(&self.words, "cannot map"))
        };
        Ok([
            Words { wins: next(0)?, losses: next(1)?, ..Words::default() },
            Words { wins: next(2)?, losses: next(3)?, ..Words::default() },
        ])
    }

    /// Maps the words, and says how much of them is final. New words are all invalid bits.
    pub(super) fn open(&self, index: &ProductIndex) -> Result<([Words; 2], Progress), SolveError> {
        let plane = 4 * index.words();
        let failed = || failed(&self.words, "cannot map");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&self.words).map_err(failed())?;
        let progress = match self.read_progress(index) {
            Some(progress) if file.metadata().map_err(failed())?.len() == 4 * plane => progress,
            _ => {
                // What is there is of no use: the text goes before the words do.
                self.forget()?;
                file.set_len(0).and_then(|()| file.set_len(4 * plane)).map_err(failed())?;
                Progress::Levels(0)
            }
        };
        let mut planes = [0, 1, 2, 3].map(|nth| {
            let mut options = MmapOptions::new();
            options.offset(nth * plane).len(plane as usize);
            // SAFETY: another process that solves in this directory writes the same words; any
            // bits are valid words, and nothing here reads outside a plane whatever they are.
            unsafe { options.map_mut(&file) }.map(Plane::File)
        });
        let mut sides = self.sides(&mut planes)?;
        if progress == Progress::Levels(0) {
            sides.iter_mut().for_each(|words| words.wins.fill(!0));
        }
        Ok((sides, progress))
    }

    /// Notes what is final, once it is in the file.
    pub(super) fn note(
        &self,
        index: &ProductIndex,
        words: &[Words; 2],
        progress: Progress,
    ) -> Result<(), SolveError> {
        for plane in words.iter().flat_map(|words| [&words.wins, &words.losses]) {
            plane.flush().map_err(failed(&self.words, "cannot write"))?;
        }
        self.write_progress(index, progress)
    }

    fn write_progress(&self, index: &ProductIndex, progress: Progress) -> Result<(), SolveError> {
        let text = match progress {
            Progress::Levels(levels) => format!("{}levels {levels}\n", Self::heading(index)),
            Progress::Finished => format!("{}finished\n", Self::heading(index)),
        };
        let new = self.progress.with_extension(format!("progress.{}.tmp", std::process::id()));
        fs::write(&new, text)
            .and_then(|()| fs::rename(&new, &self.progress))
            .map_err(failed(&self.progress, "cannot write"))
    }

    /// What must be the same for words to be of use: whoever solves by another rule or on a
    /// processor with another order of bytes uses another directory.
    fn heading(index: &ProductIndex) -> String {
        let order = if cfg!(target_endian = "little") { "little" } else { "big" };
        format!("{VERSION}\nwords {}\n{order} endian\n", index.words())
    }

    fn read_progress(&self, index: &ProductIndex) -> Option<Progress> {
        let text = fs::read_to_string(&self.progress).ok()?;
        let rest = text.strip_prefix(&Self::heading(index))?.trim_end();
        match rest.strip_prefix("levels ") {
            Some(levels) => levels.parse().ok().map(Progress::Levels),
            None => (rest == "finished").then_some(Progress::Finished),
        }
    }

    fn forget(&self) -> Result<(), SolveError> {
        match fs::remove_file(&self.progress) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(failed(&self.progress, "cannot remove")(error))
            }
            _ => Ok(()),
        }
    }
}

fn failed(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> SolveError {
    let path = path.to_owned();
    move |source| SolveError::Io { path, action, source }
}
