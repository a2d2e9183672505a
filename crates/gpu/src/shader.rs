//! Puts shaders together from the files under `shaders/`.
//!
//! A line `//!include shared/NAME.wgsl` stands for that file. `//!chunks`, `//!read` and `//!write`
//! stand for the bindings of the arena's chunks and the arms that choose among them, since their
//! number is known at run time only.

use std::borrow::Cow;
use std::fmt::Write;

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
    "shared/graph.wgsl",
    "shared/lookup.wgsl",
    "shared/pack.wgsl",
    "shared/params.wgsl",
    "shared/scratch.wgsl",
    "shared/step.wgsl",
    "shared/sum.wgsl",
    "shared/sum_subgroup.wgsl",
    "shared/word.wgsl",
];

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

    /// Names of all files under `shaders/`.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.files.iter().map(|(name, _)| *name)
    }

    fn file(&self, name: &str) -> &str {
        let found = self.files.iter().find(|(file, _)| *file == name);
        &found.unwrap_or_else(|| panic!("no shader file {name}")).1
    }

    /// The whole text of a file, with its includes and `chunks` bindings in group 2.
    ///
    /// # Panics
    ///
    /// When a file includes one that is not there.
    pub fn compose(&self, name: &str, chunks: u32, subgroups: bool) -> String {
        let mut text = String::new();
        self.append(&mut text, name, chunks, subgroups);
        text
    }

    fn append(&self, text: &mut String, name: &str, chunks: u32, subgroups: bool) {
        let name = match name {
            "shared/sum.wgsl" if subgroups => "shared/sum_subgroup.wgsl",
            other => other,
        };
        let access = if name == "shared/pack.wgsl" { "read_write" } else { "read" };
        for line in self.file(name).lines() {
            match line.trim_start().strip_prefix("//!") {
                None => {
                    text.push_str(line);
                    text.push('\n');
                }
                Some(directive) => match directive.split_once(' ') {
                    Some(("include", file)) => self.append(text, file, chunks, subgroups),
                    _ => chunk_lines(text, directive, access, chunks),
                },
            }
        }
    }

    /// The whole text of a kernel's shader.
    pub fn kernel(&self, kernel: Kernel, chunks: u32, subgroups: bool) -> String {
        self.compose(&format!("{}.wgsl", kernel.shader()), chunks, subgroups)
    }
}

fn chunk_lines(text: &mut String, directive: &str, access: &str, chunks: u32) {
    for i in 0..chunks {
        let line = match directive {
            "chunks" => format!(
                "@group(2) @binding({i}) var<storage, {access}> chunk{i}: array<vec2<u32>>;"
            ),
            "read" => format!("    case {i}u: {{ return chunk{i}[offset]; }}"),
            "write" => format!("    case {i}u: {{ chunk{i}[offset] = entry; }}"),
            other => panic!("no shader directive {other:?}"),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_and_chunks_are_put_in() {
        let text = Shaders::default().kernel(Kernel::Classify, 3, false);
        assert!(!text.contains("//!"), "every directive is resolved");
        assert!(text.contains("var<storage, read> chunk2"));
        assert!(text.contains("case 2u: { return chunk2[offset]; }"));
        let text = Shaders::default().kernel(Kernel::Finish, 1, true);
        assert!(text.contains("subgroupAdd") && text.contains("var<storage, read_write> chunk0"));
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
