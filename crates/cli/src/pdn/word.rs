//! What a word of the move text is.

use super::game::GameScore;

/// A word, and how many bytes of it have been read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word<'a> {
    Score(GameScore),
    /// `12.`, `12...`: this many bytes.
    Number(usize),
    /// A move, with the mark behind it (0 for none): bytes of the move.
    Move(&'a [u8], u16),
}

/// Reads a word from its start. Only a whole word is a score: `1-1` is one, `1-18` a move.
pub(super) fn classify(word: &[u8]) -> Word<'_> {
    if let Some(score) = GameScore::read(word) {
        return Word::Score(score);
    }
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[digits..].iter().take_while(|byte| **byte == b'.').count();
    if dots > 0 {
        return Word::Number(digits + dots);
    }
    // A star, an exclamation or question mark behind a move says something of it.
    let end = word.iter().rposition(|byte| !matches!(byte, b'!' | b'?' | b'*' | b'+' | b'#'));
    let (text, mark) = word.split_at(end.map_or(0, |at| at + 1));
    let mark = match mark {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        b"?!" => 6,
        // The only move.
        b"*" => 7,
        _ => 0,
    };
    Word::Move(text, mark)
}
