//! Runs the binary as a user would.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run has printed and ended with.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit status.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

/// The binary, with these arguments and no table directory from outside.
pub(crate) fn crownhead(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    command.args(args).env_remove("CROWNHEAD_TABLES").env_remove("CROWNHEAD_INVOKED_AS");
    command
}

/// Runs to the end with this standard input.
pub(crate) fn run_with_input(args: &[&str], input: &[u8]) -> Ran {
    let mut child = crownhead(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran {
        status: output.status.code().expect("no signal"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs to the end.
pub(crate) fn run(args: &[&str]) -> Ran {
    run_with_input(args, b"")
}

impl Ran {
    /// Every line of standard output, which must all be JSON objects.
    pub(crate) fn json(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        let lines: Vec<Value> = self.out.lines().map(parse).collect();
        assert!(lines.iter().all(Value::is_object));
        lines
    }
}

/// The names of an object's fields, in order.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A path as an argument.
pub(crate) fn arg(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Every file but the locks, with its bytes.
pub(crate) fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    paths
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path))
        .filter(|(name, _)| !name.starts_with('.'))
        .map(|(name, path)| (name, fs::read(path).unwrap()))
        .collect()
}
