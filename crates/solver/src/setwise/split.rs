//! Divides the work on a material into tasks that fit into the memory of a machine.

use crownhead_index::Material;
use crownhead_index::product::ProductIndex;

use super::backend::Cpu;
use super::levels::Levels;
use super::needs::{COMPONENT_BYTES, needed_views};
use super::solve::batch_len;
use super::task::{LevelTask, Share};
use super::views::IN_MEMORY;
use crate::SolveError;

/// What a task takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskNeeds {
    /// Words solved, each of 32 placements of one piece, for both sides to move.
    pub words: u64,
    /// Memory of its own, in bytes: words solved and words read of the level before, components
    /// that are being solved, small rearranged parts.
    pub memory: u64,
    /// Bytes of files that it maps: its parts, and large rearranged parts.
    pub mapped: u64,
}

/// Bytes of a word: wins and losses of both sides to move.
const WORD_BYTES: u64 = 16;

/// What any process takes.
const PROCESS_BYTES: u64 = 32 << 20;

impl Cpu {
    /// Divides the work on a material so that no task takes more memory of its own than so many
    /// bytes, where that is possible: as many levels as fit, or a share of a level that does not
    /// fit. Each task runs on so many threads.
    ///
    /// A material that fits is one task of all levels: [`build`](crate::Backend::build) alone. What
    /// is mapped from files is not counted, since it can be used when it does not fit.
    ///
    /// # Errors
    ///
    /// [`SolveError::TooLarge`] when its words do not fit 64 bits.
    pub fn split(
        material: Material,
        memory: u64,
        threads: usize,
    ) -> Result<Vec<(LevelTask, TaskNeeds)>, SolveError> {
        let reason = || "its words do not fit 64 bits".to_owned();
        let index = ProductIndex::new(material.canonical())
            .ok_or_else(|| SolveError::TooLarge { material, reason: reason() })?;
        let room = Room::new(&index, threads);
        let levels = Levels::new(&index);
        let all = LevelTask::whole(material, 0..levels.lens.len() as u32);
        let whole = room.task(index.words(), 0);
        if whole.memory <= memory || index.component_words() == 1 {
            return Ok(vec![(all, whole)]);
        }
        let mut tasks: Vec<(LevelTask, TaskNeeds)> = Vec::new();
        for level in 0..levels.lens.len() as u32 {
            let (own, before) =
                (levels.words(level), level.checked_sub(1).map(|l| levels.words(l)));
            let before = before.unwrap_or(0);
            if let Some((task, needs)) = tasks.last_mut()
                && task.share == Share::WHOLE
            {
                let more = TaskNeeds {
                    words: needs.words + own,
                    memory: needs.memory.saturating_add(WORD_BYTES * own),
                    ..*needs
                };
                if more.memory <= memory {
                    task.levels.end = level + 1;
                    *needs = more;
                    continue;
                }
            }
            tasks.extend(room.shares(&levels, level, before, memory));
        }
        Ok(tasks)
    }
}

impl Levels {
    /// The words of a level.
    fn words(&self, level: u32) -> u64 {
        let components = self.lens.get(level as usize).map_or(0, |&(_, len)| len);
        components.saturating_mul(self.index.component_words())
    }
}

/// What tasks of one material take.
struct Room {
    index: ProductIndex,
    /// What a task takes besides its words.
    fixed: u64,
    mapped: u64,
    /// Components that one component's men lead to, at most.
    moves: u64,
}

impl Room {
    fn new(index: &ProductIndex, threads: usize) -> Self {
        let component = index.component_words();
        let flying = match component {
            1 => 1 << 22,
            len => COMPONENT_BYTES * len * batch_len(len as usize, threads) as u64,
        };
        let (views, mapped) = view_bytes(index);
        let fixed = PROCESS_BYTES.saturating_add(flying).saturating_add(views);
        let words = |part: Material| ProductIndex::new(part).map_or(u64::MAX / 64, |i| i.words());
        let parts = index.material().parts().map(|part| words(part).saturating_mul(WORD_BYTES));
        let mapped = parts.fold(mapped, u64::saturating_add);
        let [black, _, white, _] = index.counts();
        Self { index: *index, fixed, mapped, moves: u64::from(2 * (black + white)) }
    }

    fn task(&self, own: u64, before: u64) -> TaskNeeds {
        let words = own.saturating_add(before);
        let memory = self.fixed.saturating_add(words.saturating_mul(WORD_BYTES));
        TaskNeeds { words: own, memory, mapped: self.mapped }
    }

    /// A level in as few shares as fit, or nearly as small ones as there can be.
    fn shares(
        &self,
        levels: &Levels,
        level: u32,
        before: u64,
        memory: u64,
    ) -> Vec<(LevelTask, TaskNeeds)> {
        let components = levels.lens[level as usize].1;
        let len = self.index.component_words();
        let needs = |of: u64| {
            let own = components.div_ceil(of) * len;
            self.task(own, before.min(own.saturating_mul(self.moves)))
        };
        let most = components.clamp(1, u64::from(u32::MAX));
        // Where what is fixed does not fit, small shares do not help.
        let least = needs(most).memory;
        let memory = if least <= memory { memory } else { least.saturating_add(memory / 4) };
        let (mut fits, mut fails) = (most, 0);
        while fits - fails > 1 {
            let of = fails + (fits - fails) / 2;
            *if needs(of).memory <= memory { &mut fits } else { &mut fails } = of;
        }
        let of = fits as u32;
        let task = LevelTask::whole(self.index.material(), level..level + 1);
        let shares = (1..=of).filter_map(|number| Share::new(number, of));
        shares
            .map(|share| {
                let own = share.range(components as usize).len() as u64 * len;
                (task.clone().shared(share), self.task(own, before.min(own * self.moves)))
            })
            .collect()
    }
}

/// Bytes of views that are made of parts: in memory, and in files.
fn view_bytes(index: &ProductIndex) -> (u64, u64) {
    let (mut in_memory, mut in_files) = (0_u64, 0_u64);
    for words in needed_views(index) {
        let plane = 4 * words;
        let place = if plane > IN_MEMORY { &mut in_files } else { &mut in_memory };
        *place = place.saturating_add(2 * plane);
    }
    (in_memory, in_files)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every placement of the men is in one task, and tasks that can fit do.
    #[test]
    fn tasks_cover_the_material_and_fit() {
        for name in ["KKMvKM", "KKMMvKKMM", "KMMvKMM", "KKKKvKKKK", "MMMvMMM"] {
            let material: Material = name.parse().unwrap();
            let index = ProductIndex::new(material).unwrap();
            let levels = Levels::new(&index);
            let room = Room::new(&index, 2);
            for memory in [1, room.fixed + (1 << 20), room.fixed + (1 << 28), u64::MAX] {
                // One component and all that its men lead to.
                let least = room.task((1 + room.moves) * index.component_words(), 0).memory;
                let tasks = Cpu::split(material, memory, 2).unwrap();
                let divides = index.component_words() > 1;
                let whole = levels.lens.iter().map(|level| level.1 * index.component_words());
                let whole = if divides { whole.sum() } else { index.words() };
                let words: u64 = tasks.iter().map(|(_, needs)| needs.words).sum();
                if tasks.len() > 1 {
                    assert_eq!(words, whole, "{name} in {memory}");
                }
                let mut next = (0, 1);
                for (task, needs) in &tasks {
                    let (number, of) = (task.share.number(), task.share.of());
                    assert_eq!((task.levels.start, number), next, "{task}");
                    next = if number == of { (task.levels.end, 1) } else { (next.0, number + 1) };
                    let near = least + memory / 4;
                    assert!(needs.memory <= memory.max(near) || !divides, "{task} in {memory}");
                    levels.check(task).map_or_else(|_| assert!(!divides), |()| assert!(divides));
                }
                assert_eq!(next, (levels.lens.len() as u32, 1), "{name} in {memory}");
            }
        }
    }
}
