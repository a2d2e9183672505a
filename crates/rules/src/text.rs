/// Reads bytes from the left and knows where it is.
///
/// Works on bytes, so that firmware can read a line without checking that it is UTF-8.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(crate) fn peek_upper(&self) -> Option<u8> {
        self.peek().map(|byte| byte.to_ascii_uppercase())
    }

    pub(crate) fn advance(&mut self) {
        self.at += 1;
    }

    /// Takes the byte if it is next.
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.advance();
        }
        found
    }

    /// Takes the word if it is next, in upper or lower case.
    pub(crate) fn eat_word(&mut self, word: &[u8]) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let found = rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        if found {
            self.at += word.len();
        }
        found
    }

    pub(crate) fn skip_spaces(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.advance();
        }
    }

    /// Takes a decimal number; one too large for `u32` becomes `u32::MAX`.
    pub(crate) fn number(&mut self) -> Option<u32> {
        let mut number = None::<u32>;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            let value = u32::from(digit - b'0');
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(value));
            self.advance();
        }
        number
    }

    /// The place of the next byte, in characters, the first being 1.
    pub(crate) fn column(&self) -> usize {
        let starts_character = |byte: &&u8| **byte & 0b1100_0000 != 0b1000_0000;
        let before = self.text.get(..self.at).unwrap_or(self.text);
        before.iter().filter(starts_character).count() + 1
    }
}
