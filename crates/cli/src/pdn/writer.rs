use std::io::{self, Write};

use crownhead_rules::{Color, Position};

use super::game::{Game, Variation};

const COLUMNS: usize = 80;

/// Writes a game; a reader finds the same game again, and a blank line ends it. In comments, white
/// space becomes single spaces, and a closing brace, which would end them, a round one.
///
/// A start that is not the usual one is told by `SetUp` and `FEN`.
pub(crate) fn write(game: &Game, out: &mut impl Write) -> io::Result<()> {
    for (name, value) in &game.tags {
        tag(name, value, out)?;
    }
    if game.start != Position::START {
        tag("SetUp", "1", out)?;
        tag("FEN", &game.start.to_string(), out)?;
    }
    tag("Result", &game.score.to_string(), out)?;
    let mut words = Words::default();
    words.line(&game.main, &game.start, 0);
    words.add(game.score.to_string());
    writeln!(out, "\n{}\n", words.wrapped())
}

fn tag(name: &str, value: &str, out: &mut impl Write) -> io::Result<()> {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(out, "[{name} \"{value}\"]")
}

/// Move text as words, between which a line may end.
#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn add(&mut self, word: String) {
        self.0.push(word);
    }

    fn comment(&mut self, comment: &str) {
        // A comment cannot hold its own end.
        let clean = comment.replace('}', ")");
        let mut words: Vec<String> = clean.split_whitespace().map(str::to_owned).collect();
        match words.as_mut_slice() {
            [] => words.push("{}".to_owned()),
            [first, ..] => {
                first.insert(0, '{');
                if let Some(last) = words.last_mut() {
                    last.push('}');
                }
            }
        }
        self.0.extend(words);
    }

    /// A line that starts in this position, after this many plies of the game.
    fn line(&mut self, line: &Variation, start: &Position, plies_before: usize) {
        line.comments.iter().for_each(|comment| self.comment(comment));
        let mut position = *start;
        let mut numbered = false;
        for (i, ply) in line.plies.iter().enumerate() {
            // Black's move comes first in each number; in a game that White begins it is left out
            // of the first.
            let plies = plies_before + i;
            match position.side_to_move {
                Color::Black => self.add(format!("{}.", plies.div_ceil(2) + 1)),
                Color::White if !numbered => self.add(format!("{}...", plies / 2 + 1)),
                Color::White => {}
            }
            numbered = true;
            self.add(position.short_text(&ply.played).to_string());
            ply.marks.iter().for_each(|mark| self.add(format!("${mark}")));
            ply.comments.iter().for_each(|comment| self.comment(comment));
            for variation in &ply.variations {
                self.add("(".to_owned());
                self.line(variation, &position, plies_before + i);
                self.add(")".to_owned());
            }
            numbered &= ply.comments.is_empty() && ply.variations.is_empty();
            position = position.after(&ply.played);
        }
    }

    fn wrapped(&self) -> String {
        let mut text = String::new();
        let mut column = 0;
        for word in &self.0 {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > COLUMNS {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += length;
        }
        text
    }
}
