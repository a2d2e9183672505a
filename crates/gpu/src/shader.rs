//! Puts shaders together from the files under `shaders/`.
//!
//! A line `//!include shared/NAME.wgsl` stands for that file. A line `//!for arena: TEXT` or
//! `//!for scratch: TEXT` stands for the text once for each chunk, with its number in the place of
//! `{i}` and four times its number plus k in the place of `{4i+k}`: how many chunks there are is
//! known at run time only.

use std::borrow::Cow;

use crate::kernel::Kernel;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../shaders/", $name)))),*]
    };
}

/// Every shader file by its path under `shaders/`.
const FILES: &[(&str, &str)] = files![
    "audit.wgsl",
    "canary.wgsl",
    "classify.wgsl",
    "copy.wgsl",
    "fill.wgsl",
    "finish.wgsl",
    "graph_commit.wgsl",
    "graph_decide.wgsl",
    "men.wgsl",
    "solve.wgsl",
    "sweep.wgsl",
    "verify.wgsl",
    "shared/arena.wgsl",
    "shared/board.wgsl",
    "shared/captures.wgsl",
    "shared/counters.wgsl",
    "shared/dispatched.wgsl",
    "shared/graph.wgsl",
    "shared/lookup.wgsl",
    "shared/pack.wgsl",
    "shared/params.wgsl",
    "shared/scratch.wgsl",
    "shared/scratch_chunks.wgsl",
    "shared/slices.wgsl",
    "shared/step.wgsl",
    "shared/sum.wgsl",
    "shared/sum_subgroup.wgsl",
    "shared/word.wgsl",
];

/// What differs between the texts of one shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// Chunks of the arena.
    pub chunks: u32,
    /// Chunks of each list in scratch.
    pub scratch: u32,
    /// Whether subgroup operations are used.
    pub subgroups: bool,
}

impl Form {
    /// One chunk of each, and no subgroups.
    pub const PLAIN: Self = Self { chunks: 1, scratch: 1, subgroups: false };
}

/// The shader files, as they are or with changes for negative controls.
#[derive(Clone, Debug)]
pub struct Shaders {
    files: Vec<(&'static str, Cow<'static, str>)>,
}

impl Default for Shaders {
    fn default() -> Self {
        let own = |&(name, text): &(&'static str, &'static str)| (name, Cow::Borrowed(text));
        Self { files: FILES.iter().map(own).collect() }
    }
}

impl Shaders {
    /// The shaders with one piece of one file replaced: for tests that must fail.
    ///
    /// # Panics
    ///
    /// When there is no such file, or the piece does not occur in it exactly once.
    #[must_use]
    pub fn mutated(mut self, file: &str, from: &str, to: &str) -> Self {
        let (_, text) = self
            .files
            .iter_mut()
            .find(|(name, _)| *name == file)
            .unwrap_or_else(|| panic!("no shader file {file}"));
        assert_eq!(text.matches(from).count(), 1, "{from:?} must occur once in {file}");
        *text = Cow::Owned(text.replace(from, to));
        self
    }

    /// The shaders with one file emptied: for tests that must fail.
    ///
    /// # Panics
    ///
    /// When there is no such file.
    #[must_use]
    pub fn without(mut self, file: &str) -> Self {
        let (_, text) = self
            .files
            .iter_mut()
            .find(|(name, _)| *name == file)
            .unwrap_or_else(|| panic!("no shader file {file}"));
        *text = Cow::Borrowed("");
        self
    }

    /// Names of all files under `shaders/`.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.files.iter().map(|(name, _)| *name)
    }

    fn file(&self, name: &str) -> &str {
        let found = self.files.iter().find(|(file, _)| *file == name);
        &found.unwrap_or_else(|| panic!("no shader file {name}")).1
    }

    /// The whole text of a file, with its includes.
    ///
    /// # Panics
    ///
    /// When a file includes one that is not there.
    pub fn compose(&self, name: &str, form: Form) -> String {
        let mut text = String::new();
        self.append(&mut text, name, form);
        text
    }

    fn append(&self, text: &mut String, name: &str, form: Form) {
        let name = match name {
            "shared/sum.wgsl" if form.subgroups => "shared/sum_subgroup.wgsl",
            "shared/scratch.wgsl" if form.scratch > 1 => "shared/scratch_chunks.wgsl",
            other => other,
        };
        for line in self.file(name).lines() {
            let Some(directive) = line.trim_start().strip_prefix("//!") else {
                text.push_str(line);
                text.push('\n');
                continue;
            };
            if let Some(file) = directive.strip_prefix("include ") {
                self.append(text, file, form);
            } else if let Some(line) = directive.strip_prefix("for arena: ") {
                repeat(text, line, form.chunks);
            } else if let Some(line) = directive.strip_prefix("for scratch: ") {
                repeat(text, line, form.scratch);
            } else {
                panic!("no shader directive {directive:?} in {name}");
            }
        }
    }

    /// The whole text of a kernel's shader.
    pub fn kernel(&self, kernel: Kernel, form: Form) -> String {
        self.compose(&format!("{}.wgsl", kernel.shader()), form)
    }
}

/// Adds a line once for each chunk.
fn repeat(text: &mut String, line: &str, chunks: u32) {
    for i in 0..chunks {
        let mut line = line.replace("{i}", &i.to_string());
        for k in 0..4 {
            line = line.replace(&format!("{{4i+{k}}}"), &(4 * i + k).to_string());
        }
        text.push_str(&line);
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_and_chunks_are_put_in() {
        let form = Form { chunks: 3, scratch: 2, subgroups: false };
        let text = Shaders::default().kernel(Kernel::Classify, form);
        assert!(!text.contains("//!"), "every directive is resolved");
        assert!(text.contains("var<storage, read> chunk2"));
        assert!(text.contains("case 2u: { return chunk2[offset]; }"));
        assert!(text.contains("@binding(7) var<storage, read_write> lossable1"));
        let text =
            Shaders::default().kernel(Kernel::Finish, Form { subgroups: true, ..Form::PLAIN });
        assert!(text.contains("subgroupAdd") && text.contains("var<storage, read_write> chunk0"));
        assert!(text.contains("fn wins_at(at: u32) -> u32 { return wins[at]; }"));
    }

    #[test]
    fn every_file_under_shaders_is_listed() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
        let mut found = Vec::new();
        for folder in ["", "shared/"] {
            for entry in std::fs::read_dir(root.join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                if name.ends_with(".wgsl") {
                    found.push(format!("{folder}{name}"));
                }
            }
        }
        let mut listed: Vec<_> = Shaders::default().names().collect();
        listed.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, listed);
    }
}
