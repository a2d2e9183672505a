use std::io::Read;

use crownhead_rules::{Move, MoveText, MoveTextError, Position};

use super::bytes::{Bytes, Place, text};
use super::error::{PdnError, PdnErrorKind};
use super::game::{Game, GameScore, Ply, Variation};
use super::word::{Word, classify};

/// Bytes of a comment or tag.
const MOST_TEXT: usize = 16 << 20;
const MOST_WORD: usize = 256;
const MOST_DEPTH: usize = 100;

/// Games of a PDN file, one after the other, however long the file is.
///
/// After an error the reader goes on with the next game that starts with a tag.
pub(crate) struct Reader<R> {
    bytes: Bytes<R>,
    /// After an error: skip to the next game first.
    lost: bool,
    ended: bool,
}

/// What comes next in the move text.
enum Item {
    End,
    Tag,
    Comment(String),
    Open(Place),
    Close(Place),
    Mark(u16),
    Word(Vec<u8>, Place),
}

impl<R: Read> Reader<R> {
    /// Reads from a file or standard input; buffers by itself.
    pub(crate) fn new(source: R) -> Self {
        Self { bytes: Bytes::new(source), lost: false, ended: false }
    }

    fn game(&mut self) -> Result<Option<Game>, PdnError> {
        self.bytes.skip_byte_order_mark()?;
        if self.lost {
            self.skip_game()?;
            self.lost = false;
        }
        let mut game = Game::new(Position::START);
        let mut lines = Lines::new();
        let mut any = false;
        loop {
            let item = self.item()?;
            let started = any && lines.has_moves();
            match item {
                Item::End if any => break,
                Item::End => return Ok(None),
                Item::Tag if started => break,
                Item::Tag => {
                    self.tag(&mut game)?;
                    lines.restart(game.start);
                }
                Item::Comment(comment) => lines.comment(comment),
                Item::Open(place) => lines.open(place)?,
                Item::Close(place) => lines.close(place)?,
                Item::Mark(mark) => lines.mark(mark),
                Item::Word(word, place) => {
                    if let Some(score) = lines.word(&word, place)? {
                        game.score = score;
                        break;
                    }
                }
            }
            any = true;
        }
        game.main = lines.finish()?;
        Ok(Some(game))
    }

    /// Looks at what comes; a tag is left for [`tag`](Self::tag) to read.
    fn item(&mut self) -> Result<Item, PdnError> {
        loop {
            self.bytes.skip_spaces()?;
            let place = self.bytes.place();
            let Some(byte) = self.bytes.peek()? else { return Ok(Item::End) };
            match byte {
                b'[' => return Ok(Item::Tag),
                b'{' => return Ok(Item::Comment(self.comment(place)?)),
                b';' => {
                    self.bytes.next()?;
                    let rest = self.bytes.take_while(MOST_TEXT, |byte| byte != b'\n')?;
                    return Ok(Item::Comment(text(rest).trim().to_owned()));
                }
                // An escaped line: for programs, not for readers.
                b'%' if self.bytes.starts_line() => {
                    self.bytes.take_while(MOST_TEXT, |byte| byte != b'\n')?;
                }
                b'(' => {
                    self.bytes.next()?;
                    return Ok(Item::Open(place));
                }
                b')' => {
                    self.bytes.next()?;
                    return Ok(Item::Close(place));
                }
                b'$' => {
                    self.bytes.next()?;
                    return Ok(Item::Mark(self.number(place)?));
                }
                // A mark that stands alone.
                b'!' | b'?' => {
                    let word =
                        self.bytes.take_while(MOST_WORD, |byte| matches!(byte, b'!' | b'?'))?;
                    if let Word::Move(_, mark) = classify(&word) {
                        return Ok(Item::Mark(mark));
                    }
                }
                b'}' | b']' | b'"' => {
                    return Err(unexpected(place, byte, "a move, tag or comment"));
                }
                _ => {
                    let ends =
                        |byte: u8| byte.is_ascii_whitespace() || b"{}()[];$\"\0".contains(&byte);
                    let word = self.bytes.take_while(MOST_WORD, |byte| !ends(byte))?;
                    return Ok(Item::Word(word, place));
                }
            }
        }
    }

    fn comment(&mut self, start: Place) -> Result<String, PdnError> {
        self.bytes.next()?;
        let inside = self.bytes.take_while(MOST_TEXT, |byte| byte != b'}')?;
        match self.bytes.next()? {
            Some(_) => Ok(text(inside).split_whitespace().collect::<Vec<_>>().join(" ")),
            None => Err(start.error(PdnErrorKind::Unfinished("a comment"))),
        }
    }

    fn number(&mut self, start: Place) -> Result<u16, PdnError> {
        let digits = self.bytes.take_while(MOST_WORD, |byte| byte.is_ascii_digit())?;
        let expected = "a number up to 65535 after $";
        let found = text(digits);
        found.parse().map_err(|_| start.error(PdnErrorKind::Unexpected { found, expected }))
    }

    /// `[Name "value"]`.
    fn tag(&mut self, game: &mut Game) -> Result<(), PdnError> {
        let start = self.bytes.place();
        self.bytes.next()?;
        self.bytes.skip_spaces()?;
        let name = self
            .bytes
            .take_while(MOST_WORD, |byte| byte.is_ascii_alphanumeric() || byte == b'_')?;
        if name.is_empty() {
            return Err(self.unexpected("a tag such as [Event \"name\"]")?);
        }
        self.bytes.skip_spaces()?;
        let place = self.bytes.place().further(1);
        let value = self.quoted(start)?;
        self.bytes.skip_spaces()?;
        if self.bytes.peek()? != Some(b']') {
            return Err(self.unexpected("] at the end of the tag")?);
        }
        self.bytes.next()?;
        self.keep_tag(game, text(name), value, place)
    }

    fn quoted(&mut self, start: Place) -> Result<String, PdnError> {
        if self.bytes.peek()? != Some(b'"') {
            return Err(self.unexpected("\" before the tag's value")?);
        }
        self.bytes.next()?;
        let mut value = Vec::new();
        loop {
            match self.bytes.next()? {
                Some(b'"') => return Ok(text(value)),
                Some(b'\\') if matches!(self.bytes.peek()?, Some(b'"' | b'\\')) => {
                    value.extend(self.bytes.next()?);
                }
                Some(byte) if value.len() < MOST_TEXT => value.push(byte),
                Some(_) => return Err(start.error(PdnErrorKind::TooLong(MOST_TEXT))),
                None => return Err(start.error(PdnErrorKind::Unfinished("a tag"))),
            }
        }
    }

    fn keep_tag(
        &mut self,
        game: &mut Game,
        name: String,
        value: String,
        place: Place,
    ) -> Result<(), PdnError> {
        if name.eq_ignore_ascii_case("FEN") {
            // Some programs write the tag for every game.
            if value.trim().is_empty() {
                return Ok(());
            }
            let wrong = |error: crownhead_rules::FenError| {
                place.error(PdnErrorKind::Fen(error.to_string()))
            };
            game.start = value.parse().map_err(wrong)?;
        } else if name.eq_ignore_ascii_case("GameType") && !is_english(&value) {
            return Err(place.error(PdnErrorKind::GameType(value)));
        } else if name.eq_ignore_ascii_case("Result") {
            game.score = GameScore::read(value.trim().as_bytes()).unwrap_or(game.score);
        } else if !name.eq_ignore_ascii_case("SetUp") {
            game.tags.push((name, value));
        }
        Ok(())
    }

    /// An error about the next byte.
    fn unexpected(&mut self, expected: &'static str) -> Result<PdnError, PdnError> {
        let place = self.bytes.place();
        Ok(match self.bytes.peek()? {
            Some(byte) => unexpected(place, byte, expected),
            None => place.error(PdnErrorKind::Unfinished("a tag")),
        })
    }

    /// Goes on to the first tag that follows a line which is none.
    fn skip_game(&mut self) -> Result<(), PdnError> {
        let mut after_text = false;
        loop {
            let line = self.bytes.starts_line();
            match self.bytes.peek()? {
                None => return Ok(()),
                Some(b'[') if line && after_text => return Ok(()),
                Some(first) if line => after_text = first != b'[',
                Some(_) => {}
            }
            self.bytes.next()?;
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Game, PdnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.game().transpose();
        match &read {
            Some(Err(error)) => {
                self.lost = true;
                self.ended = matches!(error.kind, PdnErrorKind::Io(_));
            }
            Some(Ok(_)) => {}
            None => self.ended = true,
        }
        read
    }
}

fn is_english(game_type: &str) -> bool {
    let number = game_type.split(',').next().unwrap_or_default().trim();
    number == "21" || number.is_empty()
}

fn unexpected(place: Place, byte: u8, expected: &'static str) -> PdnError {
    place.error(PdnErrorKind::Unexpected { found: char::from(byte).to_string(), expected })
}

/// The main line and the variations that are open.
struct Lines {
    open: Vec<Open>,
}

/// A line that is being read.
struct Open {
    line: Variation,
    /// After its moves so far, and before the last of them.
    position: Position,
    before: Position,
    start: Option<Place>,
}

impl Open {
    fn new(position: Position, start: Option<Place>) -> Self {
        Self { line: Variation::default(), position, before: position, start }
    }
}

impl Lines {
    fn new() -> Self {
        Self { open: vec![Open::new(Position::START, None)] }
    }

    fn restart(&mut self, start: Position) {
        let comments = std::mem::take(&mut self.open[0].line.comments);
        self.open = vec![Open::new(start, None)];
        self.open[0].line.comments = comments;
    }

    fn has_moves(&self) -> bool {
        self.open.len() > 1 || !self.open[0].line.plies.is_empty()
    }

    /// The innermost line; the main line is never closed.
    fn last(&mut self) -> &mut Open {
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    fn comment(&mut self, comment: String) {
        let line = &mut self.last().line;
        line.plies.last_mut().map_or(&mut line.comments, |ply| &mut ply.comments).push(comment);
    }

    /// A mark of the move before it, in brackets or not: `11-15(!)`.
    fn mark(&mut self, mark: u16) {
        let last = self.open.iter_mut().rev().find_map(|open| open.line.plies.last_mut());
        if let Some(ply) = last
            && mark != 0
        {
            ply.marks.push(mark);
        }
    }

    fn open(&mut self, place: Place) -> Result<(), PdnError> {
        if self.open.len() > MOST_DEPTH {
            return Err(place.error(PdnErrorKind::TooDeep(MOST_DEPTH)));
        }
        if self.last().line.plies.is_empty() {
            let expected = "a move before its variation";
            return Err(unexpected(place, b'(', expected));
        }
        let before = self.last().before;
        self.open.push(Open::new(before, Some(place)));
        Ok(())
    }

    fn close(&mut self, place: Place) -> Result<(), PdnError> {
        if self.open.len() == 1 {
            return Err(unexpected(place, b')', "( before it"));
        }
        // Brackets about a mark alone are no variation.
        if let Some(closed) = self.open.pop()
            && !closed.line.is_empty()
            && let Some(ply) = self.last().line.plies.last_mut()
        {
            ply.variations.push(closed.line);
        }
        Ok(())
    }

    /// Moves and numbers of a word; the score if it is one that ends the game.
    fn word(&mut self, mut word: &[u8], mut place: Place) -> Result<Option<GameScore>, PdnError> {
        while !word.is_empty() {
            match classify(word) {
                Word::Score(score) if self.open.len() == 1 => return Ok(Some(score)),
                // What a variation comes to.
                Word::Score(score) => {
                    self.comment(score.to_string());
                    return Ok(None);
                }
                Word::Number(length) => {
                    word = &word[length..];
                    place = place.further(length);
                }
                Word::Move(text, mark) => {
                    self.play(text, place)?;
                    self.mark(mark);
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    fn play(&mut self, text: &[u8], place: Place) -> Result<(), PdnError> {
        let line = self.last();
        let played = find_move(&line.position, text, place)?;
        line.before = line.position;
        line.position = line.position.after(&played);
        line.line.plies.push(Ply::new(played));
        Ok(())
    }

    fn finish(mut self) -> Result<Variation, PdnError> {
        match self.last().start {
            Some(place) => Err(place.error(PdnErrorKind::Unfinished("a variation"))),
            None => Ok(self.open.swap_remove(0).line),
        }
    }
}

fn find_move(position: &Position, text: &[u8], place: Place) -> Result<Move, PdnError> {
    // A colon is the other sign for a capture.
    let tidy: Vec<u8> = text.iter().map(|&byte| if byte == b':' { b'x' } else { byte }).collect();
    let found = MoveText::from_bytes(&tidy).map_err(MoveTextError::from);
    found.and_then(|text| position.find_move(&text)).map_err(|error| match error {
        MoveTextError::Syntax(wrong) => {
            let shown = String::from_utf8_lossy(text).into_owned();
            // The place in the file says more than the one in the word.
            let message = wrong.to_string();
            let reason = message.split_once(": ").map_or(message.as_str(), |(_, reason)| reason);
            let kind = PdnErrorKind::Move(format!("'{}': {reason}", shown.escape_debug()));
            place.further(wrong.column - 1).error(kind)
        }
        error => place.error(PdnErrorKind::Move(error.to_string())),
    })
}
