//! Files of solved levels: what processes that share the work on one material hand each other.
//!
//! A process writes the words of its own placements of the men, under a temporary name first, and
//! reads those of the level before that its men's moves lead to. No file is ever written by two, so
//! any file system that several machines see will do. Every component has a checksum, which is
//! compared when it is read.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use crownhead_index::Material;
use crownhead_index::product::{self, Component, Group, ProductIndex, level_lens};
use memmap2::Mmap;

use super::groups::Groups;
use super::solve::Layout;
use super::store::Words;
use super::task::{LevelTask, Share};
use crate::SolveError;

/// Changes when the meaning of the files does.
const VERSION: &str = "crownhead levels 1";

/// The text at the beginning, filled up with line ends.
const HEADING_BYTES: usize = 256;

/// The levels of one material.
pub(super) struct Levels {
    pub(super) index: ProductIndex,
    /// By level: how far its men have advanced, and how many components it has.
    pub(super) lens: Vec<(u32, u64)>,
}

impl Levels {
    pub(super) fn new(index: &ProductIndex) -> Self {
        let [black, _, white, _] = index.counts();
        Self { index: *index, lens: level_lens(black, white) }
    }

    fn material(&self) -> Material {
        self.index.material()
    }

    /// The components of a level, in ascending order.
    pub(super) fn components(&self, level: u32) -> Vec<Component> {
        let [black, white] = self.men();
        match self.lens.get(level as usize) {
            Some(&(advancement, _)) => product::level(black, white, advancement).components,
            None => Vec::new(),
        }
    }

    fn men(&self) -> [&'static product::GroupTable; 2] {
        let table =
            |group: Group| Groups::shared().table(group, self.index.counts()[group as usize]);
        [table(Group::BlackMen), table(Group::WhiteMen)]
    }

    /// Whether there is such a task.
    pub(super) fn check(&self, task: &LevelTask) -> Result<(), SolveError> {
        let (from, to, len) = (task.levels.start, task.levels.end, self.lens.len());
        let reason = if self.index.component_words() == 1 {
            "it has no levels that could be solved apart; solve it as a whole".to_owned()
        } else if from >= to || to as usize > len {
            format!("there are no levels {from}..{to}; it has 0..{len}")
        } else if task.share != Share::WHOLE && to - from > 1 {
            format!("levels {from}..{to} have no shares; only a single level has")
        } else {
            return Ok(());
        };
        Err(SolveError::Levels { material: self.material(), reason })
    }

    /// The task's own components by level.
    pub(super) fn own(&self, task: &LevelTask) -> Vec<Vec<Component>> {
        let own = |level| {
            let mut components = self.components(level);
            let share = task.share.range(components.len());
            components.truncate(share.end);
            components.drain(..share.start);
            components
        };
        task.levels.clone().map(own).collect()
    }

    /// What men's moves from these components lead to, in ascending order.
    fn after(&self, components: &[Component]) -> Vec<Component> {
        let [black, white] = self.men();
        let mut after = Vec::new();
        for &at in components {
            let blacks = black.steps(at.black).iter().map(|&black| Component { black, ..at });
            let whites = white.steps(at.white).iter().map(|&white| Component { white, ..at });
            after.extend(blacks.chain(whites).filter(|to| {
                // Two men on one square: no position.
                (black.set(to.black) & white.set(to.white)).is_empty()
            }));
        }
        after.sort_unstable();
        after.dedup();
        after
    }
}

/// The directory where a material's files of levels lie.
pub(super) struct LevelFiles<'a> {
    directory: &'a Path,
    levels: &'a Levels,
}

impl<'a> LevelFiles<'a> {
    pub(super) const fn new(directory: &'a Path, levels: &'a Levels) -> Self {
        Self { directory, levels }
    }

    /// Whether the task's file is there.
    pub(super) fn has(&self, task: &LevelTask) -> bool {
        LevelFile::open(self.directory, task, self.levels).is_ok()
    }

    /// Memory for a task's words: which components it holds, in ascending order, and their words,
    /// those of the level before filled in.
    pub(super) fn load(
        &self,
        own: &[Vec<Component>],
        task: &LevelTask,
    ) -> Result<(Vec<Component>, [Words; 2]), SolveError> {
        let before = match own.first() {
            Some(first) if task.levels.start > 0 => self.levels.after(first),
            _ => Vec::new(),
        };
        let mut all: Vec<Component> = own.iter().flatten().chain(&before).copied().collect();
        all.sort_unstable();
        let len = self.levels.index.component_words() as usize;
        let mut words = [(); 2].map(|()| Words::new(all.len() * len));
        if !before.is_empty() {
            let layout = Layout::Some { components: &all, len };
            self.fill(task.levels.start - 1, &before, &layout, &mut words)?;
        }
        Ok((all, words))
    }

    /// Reads these components of a level to where they belong.
    fn fill(
        &self,
        level: u32,
        components: &[Component],
        layout: &Layout<'_>,
        words: &mut [Words; 2],
    ) -> Result<(), SolveError> {
        let all = self.levels.components(level);
        let files = self.holding(level)?;
        for component in components {
            let at = all.binary_search(component).expect("men step to the level before");
            let (file, first) = files
                .iter()
                .find_map(|(file, range)| range.contains(&at).then(|| (file, at - range.start)))
                .ok_or_else(|| self.missing(level))?;
            let to = layout.first(*component).expect("what is read has a place");
            file.read(level, first, to, words)?;
        }
        Ok(())
    }

    /// The files that hold a level, with the components that each holds of it.
    fn holding(&self, level: u32) -> Result<Vec<(LevelFile, core::ops::Range<usize>)>, SolveError> {
        let len = self.levels.lens.get(level as usize).map_or(0, |&(_, len)| len as usize);
        let tasks = self.tasks()?;
        let mut found = Vec::new();
        for task in tasks.into_iter().filter(|task| task.levels.contains(&level)) {
            let range = task.share.range(len);
            found.push((LevelFile::open(self.directory, &task, self.levels)?, range));
        }
        Ok(found)
    }

    /// The tasks of this material whose files are there, in order.
    fn tasks(&self) -> Result<Vec<LevelTask>, SolveError> {
        let entries = match fs::read_dir(self.directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed(self.directory, "cannot list"))?,
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut tasks: Vec<LevelTask> =
            names.filter_map(|name| parse_name(&name, self.levels.material())).collect();
        tasks.retain(|task| self.levels.check(task).is_ok());
        tasks.sort_by_key(|task| (task.levels.start, task.levels.end, task.share));
        Ok(tasks)
    }

    /// Puts all levels from the first that are there into the material's words; how many.
    pub(super) fn join(&self, words: &mut [Words; 2]) -> Result<usize, SolveError> {
        let layout = Layout::All(&self.levels.index);
        for level in 0..self.levels.lens.len() as u32 {
            let files = self.holding(level)?;
            let components = self.levels.components(level);
            let there = |at: usize| files.iter().any(|(_, range)| range.contains(&at));
            if !(0..components.len()).all(there) {
                return Ok(level as usize);
            }
            drop(files);
            self.fill(level, &components, &layout, words)?;
        }
        Ok(self.levels.lens.len())
    }

    /// Writes the words of the task's own components.
    pub(super) fn write(
        &self,
        task: &LevelTask,
        own: &[Vec<Component>],
        layout: &Layout<'_>,
        words: &[Words; 2],
    ) -> Result<(), SolveError> {
        let path = self.directory.join(task.to_string());
        let temporary = self.directory.join(format!("{task}.{}.tmp", std::process::id()));
        let write = || {
            let mut out = BufWriter::with_capacity(1 << 20, File::create(&temporary)?);
            let count = own.iter().map(Vec::len).sum::<usize>();
            let mut sums = Vec::with_capacity(4 * count);
            out.write_all(&heading(task, &self.levels.index))?;
            out.write_all(&vec![0; 4 * count])?;
            let len = self.levels.index.component_words() as usize;
            for component in own.iter().flatten() {
                let first = layout.first(*component).expect("own components have a place");
                let mut sum = Hasher::new();
                for side in words {
                    for plane in [&side.wins, &side.losses] {
                        let bytes = bytemuck::cast_slice(&plane[first..first + len]);
                        sum.update(bytes);
                        out.write_all(bytes)?;
                    }
                }
                sums.extend_from_slice(&sum.finalize().to_le_bytes());
            }
            let mut file = out.into_inner()?;
            file.seek(SeekFrom::Start(HEADING_BYTES as u64))?;
            file.write_all(&sums)?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            // The name too shall outlive a power cut, where directories can be synced.
            File::open(self.directory).and_then(|directory| directory.sync_all()).or(Ok(()))
        };
        write().map_err(failed(&path, "cannot write"))
    }

    fn missing(&self, level: u32) -> SolveError {
        SolveError::LevelNotSolved { material: self.levels.material(), level }
    }
}

/// One file of solved levels.
struct LevelFile {
    path: PathBuf,
    map: Mmap,
    material: Material,
    words: usize,
    /// By level, from this one on: how many components come before.
    first_level: u32,
    before: Vec<usize>,
    count: usize,
}

impl LevelFile {
    fn open(directory: &Path, task: &LevelTask, levels: &Levels) -> Result<Self, SolveError> {
        let path = directory.join(task.to_string());
        let file = File::open(&path).map_err(failed(&path, "cannot read"))?;
        // SAFETY: files under this name are renamed into their place when they are whole and not
        // written again; whatever the bytes are, their checksums are compared before use.
        let map = unsafe { Mmap::map(&file) }.map_err(failed(&path, "cannot map"))?;
        let mut before = Vec::new();
        let mut count = 0;
        for level in task.levels.clone() {
            before.push(count);
            let len = levels.lens.get(level as usize).map_or(0, |&(_, len)| len as usize);
            count += task.share.range(len).len();
        }
        let words = levels.index.component_words() as usize;
        let bytes = HEADING_BYTES + count * (4 + 16 * words);
        let file = Self {
            path,
            map,
            material: task.material,
            words,
            first_level: task.levels.start,
            before,
            count,
        };
        if file.map.len() != bytes || file.map[..HEADING_BYTES] != heading(task, &levels.index) {
            return Err(file.damaged("its size or its heading is not that of these levels"));
        }
        Ok(file)
    }

    /// Copies the `nth` component that this file has of a level to this place.
    fn read(
        &self,
        level: u32,
        nth: usize,
        to: usize,
        words: &mut [Words; 2],
    ) -> Result<(), SolveError> {
        let nth = self.before[(level - self.first_level) as usize] + nth;
        let plane = 4 * self.words;
        let first = HEADING_BYTES + 4 * self.count + nth * 4 * plane;
        let bytes = &self.map[first..first + 4 * plane];
        let sum =
            self.map[HEADING_BYTES + 4 * nth..].first_chunk().copied().map(u32::from_le_bytes);
        let mut found = Hasher::new();
        found.update(bytes);
        if sum != Some(found.finalize()) {
            return Err(self.damaged("the checksum of a component is wrong"));
        }
        let mut planes = bytes.chunks_exact(plane);
        for side in words {
            for target in [&mut side.wins, &mut side.losses] {
                if let Some(source) = planes.next() {
                    let target = &mut target[to..to + self.words];
                    bytemuck::cast_slice_mut(target).copy_from_slice(source);
                }
            }
        }
        Ok(())
    }

    fn damaged(&self, what: &str) -> SolveError {
        let reason =
            format!("{}: {what}; delete it and solve its levels again", self.path.display());
        SolveError::Levels { material: self.material, reason }
    }
}

/// What must be the same for a file to be of use.
fn heading(task: &LevelTask, index: &ProductIndex) -> [u8; HEADING_BYTES] {
    let order = if cfg!(target_endian = "little") { "little" } else { "big" };
    let text = format!("{VERSION}\n{task}\nwords {}\n{order} endian\n", index.component_words());
    let mut heading = [b'\n'; HEADING_BYTES];
    heading[..text.len()].copy_from_slice(text.as_bytes());
    heading
}

/// The task whose file has this name, if it is one of this material.
fn parse_name(name: &str, material: Material) -> Option<LevelTask> {
    let rest = name.strip_prefix(&material.to_string())?.strip_prefix(".levels-")?;
    let (levels, share) = match rest.split_once(".share-") {
        None => (rest, Share::WHOLE),
        Some((levels, share)) => {
            let (number, of) = share.split_once("-of-")?;
            (levels, Share::new(number.parse().ok()?, of.parse().ok()?)?)
        }
    };
    let (from, to) = levels.split_once('-')?;
    let task = LevelTask { material, levels: from.parse().ok()?..to.parse().ok()?, share };
    // Written as it would be written here.
    (task.to_string() == name).then_some(task)
}

fn failed(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> SolveError {
    let path = path.to_owned();
    move |source| SolveError::Io { path, action, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tasks_are_read_back_and_others_are_not() {
        let material: Material = "KKMvKM".parse().unwrap();
        let task = LevelTask::whole(material, 3..4);
        for task in [task.clone(), task.shared(Share::new(2, 5).unwrap())] {
            assert_eq!(parse_name(&task.to_string(), material), Some(task));
        }
        for name in ["KKMvKM.levels-3-4.17.tmp", "KKMvKM.levels-03-4", "KKMvK.levels-3-4", "x"] {
            assert_eq!(parse_name(name, material), None, "{name}");
        }
    }
}
