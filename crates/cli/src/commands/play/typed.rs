//! What the player types.

use std::path::PathBuf;

use crownhead_rules::{Move, Position};

/// A line that makes sense.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Typed {
    Move(Move),
    Moves,
    Undo,
    Hint,
    Flip,
    Value,
    Board,
    Go,
    Save(PathBuf),
    Help,
    Quit,
}

pub(super) const HELP: &str = "\
Type a move (11-15, 22x15, 22x15x8) or:
  moves   the legal moves            undo        take your last move back
  hint    what I would play          go          let me move for you
  value   what the tables know       flip        turn the board
  board   draw the board again       save FILE   write the game as PDN
  help    this text                  quit        leave";

/// Understands a line, or says what would be understood.
pub(super) fn understand(line: &str, position: &Position) -> Result<Typed, String> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Ok(match word.to_ascii_lowercase().as_str() {
        "moves" | "m" | "?" => Typed::Moves,
        "undo" | "u" => Typed::Undo,
        "hint" => Typed::Hint,
        "flip" => Typed::Flip,
        "value" => Typed::Value,
        "board" => Typed::Board,
        "go" => Typed::Go,
        "help" | "h" => Typed::Help,
        "quit" | "q" | "exit" => Typed::Quit,
        "save" if rest.trim().is_empty() => {
            return Err("save needs the name of a file".to_owned());
        }
        "save" => Typed::Save(rest.trim().into()),
        "" => return Err("type a move, or help".to_owned()),
        _ if line.starts_with(|c: char| c.is_ascii_digit()) => {
            // Spaces may separate squares too.
            let joined = line.split_whitespace().collect::<Vec<_>>().join("-");
            let tidy = joined
                .replace("-x-", "x")
                .replace("---", "-")
                .replace("-x", "x")
                .replace("x-", "x");
            Typed::Move(position.parse_move(&tidy).map_err(|error| error.to_string())?)
        }
        other => {
            return Err(format!(
                "'{}' is no move or command; help lists them",
                other.escape_debug()
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_taken_in_any_spelling() {
        let position: Position = "W:W26,K32:B22,15,7".parse().unwrap();
        for text in ["26x17", "26X17", "26-17", "26 17", "26 x 17", "26 - 17", " 026x17 "] {
            let typed = understand(text.trim(), &position);
            let Ok(Typed::Move(m)) = typed else { panic!("{text}: {typed:?}") };
            assert_eq!(m.to_string(), "26x17", "{text}");
        }
    }

    #[test]
    fn wrong_lines_say_what_would_be_right() {
        let position = Position::START;
        for (line, reason) in [
            ("11-14", "legal moves: "),
            ("11", "expected '-' or 'x'"),
            ("castle", "help lists them"),
            ("save", "name of a file"),
            ("", "type a move"),
            ("99-1", "out of range"),
        ] {
            let error = understand(line, &position).unwrap_err();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
