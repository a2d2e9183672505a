//! Materials solved level by level by processes that share nothing but a directory: the same bits.

use std::fs;
use std::path::Path;

use crownhead_index::{Material, materials_to};
use crownhead_rules::Color;
use crownhead_solver::{
    Backend, Control, Cpu, Entry, Job, LevelTask, Metric, Share, SolveError, Summary,
};

/// A backend with nothing in its store, as another process would have.
fn process(directory: &Path) -> Cpu {
    Cpu::new(Metric::Wld).with_working_files(directory.to_owned())
}

fn recall_parts(cpu: &Cpu, material: Material) {
    for part in material.parts() {
        assert!(cpu.recall(part).unwrap(), "{part} is kept");
    }
}

fn values(cpu: &Cpu, material: Material) -> Vec<Entry> {
    let mut all = Vec::new();
    for &side in Summary::sides_of(material) {
        let mut take = |entries: &[Entry]| {
            all.extend_from_slice(entries);
            Ok(())
        };
        cpu.export(material, side, &mut take).unwrap();
    }
    all
}

/// All tasks of a material, each in a process of its own, then the whole from what they left.
fn by_tasks(material: Material, tasks: &[LevelTask], directory: &Path) -> Vec<Entry> {
    for task in tasks {
        let cpu = process(directory);
        recall_parts(&cpu, material);
        cpu.build_levels(task, &Control::default()).unwrap();
    }
    let cpu = process(directory);
    // Joins the levels: no part is needed for that.
    cpu.build(Job::finish(material), &Control::default()).unwrap();
    values(&cpu, material)
}

/// The tasks where each fits hardly more than one component.
fn smallest_tasks(material: Material) -> Vec<LevelTask> {
    let tasks = Cpu::split(material, 1, 1).unwrap();
    tasks.into_iter().map(|(task, _)| task).collect()
}

/// No level in a task of its own, each level in three shares, or as `split` divides them.
fn divisions(material: Material) -> Vec<Vec<LevelTask>> {
    let smallest = smallest_tasks(material);
    let levels = smallest.last().map_or(0, |task| task.levels.end);
    let pairs = (0..levels).step_by(2);
    let pairs = pairs.map(|level| LevelTask::whole(material, level..(level + 2).min(levels)));
    let thirds = (0..levels).flat_map(|level| {
        let level = LevelTask::whole(material, level..level + 1);
        (1..=3).map(move |number| level.clone().shared(Share::new(number, 3).unwrap()))
    });
    vec![pairs.collect(), thirds.collect()]
}

fn divides(material: Material) -> bool {
    smallest_tasks(material).len() > 1
}

#[test]
fn tasks_in_any_division_give_the_same_values() {
    let directory = tempfile::tempdir().unwrap();
    let mut divided = 0;
    for material in materials_to(4) {
        let straight = {
            let cpu = process(directory.path());
            recall_parts(&cpu, material);
            cpu.build(Job::finish(material), &Control::default()).unwrap();
            values(&cpu, material)
        };
        if !divides(material) {
            continue;
        }
        divided += 1;
        for tasks in divisions(material) {
            let other = tempfile::tempdir().unwrap();
            for part in material.parts() {
                for ending in ["words", "progress"] {
                    let name = format!("{part}.{ending}");
                    fs::copy(directory.path().join(&name), other.path().join(&name)).unwrap();
                }
            }
            assert!(by_tasks(material, &tasks, other.path()) == straight, "{material}: {tasks:?}");
        }
    }
    assert!(divided >= 5, "only {divided} materials to 4 pieces have kings beside men");
}

/// A directory with all parts of a material, and the tasks that it divides into.
fn prepared(material: Material) -> (tempfile::TempDir, Vec<LevelTask>) {
    let directory = tempfile::tempdir().unwrap();
    let cpu = process(directory.path());
    for part in materials_to(material.pieces()).take_while(|&part| part != material) {
        cpu.build(Job::finish(part), &Control::default()).unwrap();
    }
    (directory, divisions(material).remove(1))
}

fn build_levels(directory: &Path, task: &LevelTask) -> Result<(), SolveError> {
    let cpu = process(directory);
    recall_parts(&cpu, task.material);
    cpu.build_levels(task, &Control::default())
}

#[test]
fn levels_that_are_missing_or_damaged_are_refused_and_built_again() {
    let material: Material = "KKvKM".parse::<Material>().unwrap().canonical();
    let (directory, tasks) = prepared(material);
    let directory = directory.path();
    let (early, late) = (&tasks[..3], &tasks[3]);
    let missing = build_levels(directory, late).unwrap_err().to_string();
    assert!(missing.contains("its level 0 is not there"), "{missing}");
    early.iter().for_each(|task| build_levels(directory, task).unwrap());
    let file = directory.join(early[1].to_string());
    let whole = fs::read(&file).unwrap();
    // Every part of the file: heading, checksums, words; and a file cut short.
    let last = whole.len() - 1;
    for at in [0, 30, 255, 256, 259, whole.len() / 2, last] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&file, &bytes).unwrap();
        let error = build_levels(directory, late).map(|()| at).unwrap_err().to_string();
        assert!(error.contains(&early[1].to_string()) && error.contains("again"), "{error}");
    }
    fs::write(&file, &whole[..last]).unwrap();
    build_levels(directory, late).unwrap_err();
    // As the error says.
    fs::remove_file(&file).unwrap();
    build_levels(directory, &early[1]).unwrap();
    assert!(fs::read(&file).unwrap() == whole);
    build_levels(directory, late).unwrap();
}

#[test]
fn a_build_goes_on_from_the_levels_that_are_there() {
    let material: Material = "KKvKM".parse::<Material>().unwrap().canonical();
    let (directory, tasks) = prepared(material);
    tasks[..6].iter().for_each(|task| build_levels(directory.path(), task).unwrap());
    let straight = process(tempfile::tempdir().unwrap().path());
    let cpu = process(directory.path());
    for part in material.parts() {
        straight.adopt(part, &Kept(&cpu, part)).unwrap();
    }
    straight.build(Job::finish(material), &Control::default()).unwrap();
    recall_parts(&cpu, material);
    let done = std::sync::atomic::AtomicU64::new(0);
    let advance = |more| {
        done.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
    };
    let never = std::sync::atomic::AtomicBool::new(false);
    cpu.build(Job::finish(material), &Control::new(&never, &advance)).unwrap();
    assert!(done.into_inner() < material.positions::<u64>().unwrap(), "two levels were there");
    assert!(values(&cpu, material) == values(&straight, material));
}

/// A material of a backend's working files as a source for another.
struct Kept<'a>(&'a Cpu, Material);

impl crownhead_solver::EntrySource for Kept<'_> {
    fn read(&self, side: Color, first: u64, entries: &mut [Entry]) -> Result<(), SolveError> {
        self.0.recall(self.1)?;
        let mut all = Vec::new();
        self.0.export(self.1, side, &mut |some| {
            all.extend_from_slice(some);
            Ok(())
        })?;
        let first = first as usize;
        entries.copy_from_slice(&all[first..first + entries.len()]);
        Ok(())
    }
}

#[test]
fn tasks_that_do_not_exist_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |task: LevelTask, cpu: &Cpu, what: &str| {
        let error = cpu.build_levels(&task, &Control::default()).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    };
    let material: Material = "KKMvKM".parse().unwrap();
    let cpu = process(directory.path());
    refused(LevelTask::whole(material, 3..3), &cpu, "no levels 3..3");
    refused(LevelTask::whole(material, 3..99), &cpu, "no levels 3..99; it has 0..");
    let two = LevelTask::whole(material, 3..5).shared("1/2".parse().unwrap());
    refused(two, &cpu, "only a single level has");
    refused(LevelTask::whole("KMMvM".parse().unwrap(), 0..1), &cpu, "as a whole");
    refused(LevelTask::whole(material, 0..1), &Cpu::new(Metric::Wld), "directory");
    refused(LevelTask::whole(material, 0..1), &cpu, "needs");
}
