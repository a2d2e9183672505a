use std::io::{self, Read};

use super::error::{PdnError, PdnErrorKind};

/// Bytes of a file one by one, with their place.
pub(super) struct Bytes<R> {
    source: R,
    buffer: Vec<u8>,
    at: usize,
    line: u64,
    column: u64,
}

/// A place in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    line: u64,
    column: u64,
}

impl Place {
    pub(super) fn error(self, kind: PdnErrorKind) -> PdnError {
        PdnError { line: self.line, column: self.column, kind }
    }

    /// This many characters further on the line.
    pub(super) fn further(self, characters: usize) -> Self {
        Self { column: self.column + characters as u64, ..self }
    }
}

impl<R: Read> Bytes<R> {
    const BUFFER: usize = 64 * 1024;

    pub(super) fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), at: 0, line: 1, column: 1 }
    }

    /// The place of the next byte.
    pub(super) fn place(&self) -> Place {
        Place { line: self.line, column: self.column }
    }

    /// Whether the next byte is the first of its line.
    pub(super) fn starts_line(&self) -> bool {
        self.column == 1
    }

    /// The next byte, without going past it; `None` at the end.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, PdnError> {
        if self.at == self.buffer.len() {
            self.fill()?;
        }
        Ok(self.buffer.get(self.at).copied())
    }

    #[cold]
    fn fill(&mut self) -> Result<(), PdnError> {
        self.buffer.resize(Self::BUFFER, 0);
        self.at = 0;
        loop {
            match self.source.read(&mut self.buffer) {
                Ok(read) => {
                    self.buffer.truncate(read);
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.buffer.clear();
                    return Err(self.place().error(PdnErrorKind::Io(error)));
                }
            }
        }
    }

    /// Takes the next byte.
    pub(super) fn next(&mut self) -> Result<Option<u8>, PdnError> {
        let byte = self.peek()?;
        match byte {
            Some(b'\n') => (self.line, self.column) = (self.line + 1, 1),
            // The later bytes of a UTF-8 character are no characters of their own.
            Some(0x80..=0xbf) => {}
            Some(_) => self.column += 1,
            None => {}
        }
        self.at += usize::from(byte.is_some());
        Ok(byte)
    }

    /// Takes bytes for which `more` says so, at most this many.
    pub(super) fn take_while(
        &mut self,
        most: usize,
        more: impl Fn(u8) -> bool,
    ) -> Result<Vec<u8>, PdnError> {
        let start = self.place();
        let mut taken = Vec::new();
        while let Some(byte) = self.peek()?.filter(|byte| more(*byte)) {
            if taken.len() == most {
                return Err(start.error(PdnErrorKind::TooLong(most)));
            }
            taken.push(byte);
            self.next()?;
        }
        Ok(taken)
    }

    /// Some editors put a byte order mark in front of UTF-8.
    pub(super) fn skip_byte_order_mark(&mut self) -> Result<(), PdnError> {
        const MARK: [u8; 3] = [0xef, 0xbb, 0xbf];
        if (self.line, self.column) == (1, 1) && self.peek()? == Some(MARK[0]) {
            let rest = &self.buffer[self.at..];
            self.at += if rest.starts_with(&MARK) { MARK.len() } else { 0 };
        }
        Ok(())
    }

    pub(super) fn skip_spaces(&mut self) -> Result<(), PdnError> {
        while self.peek()?.is_some_and(|byte| byte.is_ascii_whitespace() || byte == 0) {
            self.next()?;
        }
        Ok(())
    }
}

/// Text as UTF-8, or else as Latin-1, in which old files are written.
pub(super) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}
