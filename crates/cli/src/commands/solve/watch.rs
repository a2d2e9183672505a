//! What is shown while a build runs.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::Receiver;

use crownhead_index::Material;
use crownhead_solver::{Event, Finished, Pipeline};
use indicatif::ProgressBar;

use super::report;
use crate::output::Output;
use crate::progress;

/// An event of the pipeline, for the thread that prints.
pub(super) enum News {
    /// A line of advice.
    Say(String),
    /// The build begins: materials in the order in which they are printed, and their memory and
    /// disk in bytes.
    Begin { materials: Vec<Material>, memory: u64, disk: u64 },
    /// A material begins.
    Started(Material),
    /// So many more positions are done.
    Advanced(u64),
    /// A material is finished.
    Finished(Box<Finished>),
    /// There will be no more.
    End,
}

impl From<Event<'_>> for News {
    fn from(event: Event<'_>) -> Self {
        match event {
            Event::Waiting(directory) => {
                Self::Say(format!("waiting: another build is at work in {}", directory.display()))
            }
            Event::Rebuild(error) => Self::Say(format!("building again: {error}")),
            Event::Surveyed(survey) => Self::Begin {
                materials: survey.build.clone(),
                memory: survey.memory,
                disk: survey.disk,
            },
            Event::Started(material) => Self::Started(material),
            Event::Advanced(_, positions) => Self::Advanced(positions),
            Event::Finished(finished) => Self::Finished(Box::new(finished.clone())),
            _ => Self::Advanced(0),
        }
    }
}

/// Shows news: a bar on standard error, a line for each material on standard output.
pub(super) struct Watch<'a, 'b> {
    pipeline: &'a Pipeline<'b>,
    out: &'a mut Output,
    bar: ProgressBar,
    /// Materials that are not printed yet, the next one last.
    order: Vec<Material>,
    /// Finished before one that comes earlier in the order.
    early: BTreeMap<Material, Finished>,
}

impl<'a, 'b> Watch<'a, 'b> {
    pub(super) fn new(pipeline: &'a Pipeline<'b>, out: &'a mut Output) -> Self {
        let bar = ProgressBar::hidden();
        Self { pipeline, out, bar, order: Vec::new(), early: BTreeMap::new() }
    }

    /// Shows everything up to the end.
    ///
    /// Materials appear in solve order, so that the output is the same each time.
    pub(super) fn show(mut self, told: Receiver<News>) -> io::Result<()> {
        for news in told {
            match news {
                News::Say(line) => self.say(&line),
                News::Begin { materials, memory, disk } => self.begin(materials, memory, disk),
                News::Started(material) => self.bar.set_message(material.to_string()),
                News::Advanced(positions) => self.bar.inc(positions),
                News::Finished(finished) => self.finished(*finished)?,
                News::End => break,
            }
        }
        self.bar.finish_and_clear();
        Ok(())
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    fn begin(&mut self, materials: Vec<Material>, memory: u64, disk: u64) {
        self.order = materials;
        self.order.reverse();
        if self.order.is_empty() {
            return;
        }
        let line = report::needs(self.pipeline, &self.order, memory, disk);
        self.say(&line);
        let positions = self.order.iter().filter_map(Material::positions::<u64>).sum();
        self.bar = progress::bar(positions, "positions");
    }

    fn finished(&mut self, finished: Finished) -> io::Result<()> {
        self.early.insert(finished.summary.material, finished);
        while let Some(next) = self.order.last()
            && let Some(finished) = self.early.remove(next)
        {
            self.order.pop();
            self.out.json(&report::Record::new(self.pipeline, &finished))?;
            self.out.flush()?;
        }
        Ok(())
    }
}
