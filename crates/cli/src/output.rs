//! Standard output: human text, or JSON Lines with `--json` and nothing else.

use std::fmt;
use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

/// Standard output in one of its two forms.
///
/// A command calls [`human`](Self::human) and [`json`](Self::json) freely: each does nothing in
/// the other form. Buffered; flushed at the end, or by [`flush`](Self::flush) where somebody
/// waits for an answer.
pub(crate) struct Output {
    json: bool,
    stream: BufWriter<StdoutLock<'static>>,
}

impl Output {
    /// Standard output in the chosen form.
    pub(crate) fn new(json: bool) -> Self {
        Self { json, stream: BufWriter::new(io::stdout().lock()) }
    }

    /// Whether the form is JSON Lines.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// One line of human text; nothing with `--json`.
    pub(crate) fn human(&mut self, line: impl fmt::Display) -> io::Result<()> {
        if self.json { Ok(()) } else { writeln!(self.stream, "{line}") }
    }

    /// One JSON object on a line; nothing without `--json`.
    pub(crate) fn json(&mut self, record: &impl Serialize) -> io::Result<()> {
        if !self.json {
            return Ok(());
        }
        serde_json::to_writer(&mut self.stream, record)?;
        self.stream.write_all(b"\n")
    }

    /// Text in a form of its own (a completion script, a graph), with or without `--json`.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Hands over what is buffered.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
