//! Positions, moves and arguments as the Hub protocol writes them.

use std::iter::Peekable;
use std::str::Chars;

use crownhead_rules::{Bitboard, Color, Move, Piece, PieceKind, Position, Square};

/// `name=value` pairs, values in quotes where they hold spaces. A word without `=` has no value.
pub(super) fn arguments(text: &str) -> Vec<(String, String)> {
    let mut rest = text.chars().peekable();
    let mut found = Vec::new();
    loop {
        while rest.next_if(|c| c.is_whitespace()).is_some() {}
        if rest.peek().is_none() {
            return found;
        }
        let name = take_word(&mut rest, |c| c == '=' || c.is_whitespace());
        let value = if rest.next_if_eq(&'=').is_none() {
            String::new()
        } else if rest.next_if_eq(&'"').is_some() {
            let value = take_word(&mut rest, |c| c == '"');
            rest.next();
            value
        } else {
            take_word(&mut rest, char::is_whitespace)
        };
        found.push((name, value));
    }
}

fn take_word(rest: &mut Peekable<Chars<'_>>, ends: impl Fn(char) -> bool) -> String {
    std::iter::from_fn(|| rest.next_if(|c| !ends(*c))).collect()
}

/// Reads `B` or `W` for the side to move and a letter for each square from 1: `w` and `b` men,
/// `W` and `B` kings, `e` empty.
pub(super) fn read_position(text: &str) -> Result<Position, String> {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() != 33 {
        return Err(format!("a position has 33 letters, this one {}", letters.len()));
    }
    let side = match letters[0] {
        'B' => Color::Black,
        'W' => Color::White,
        other => return Err(format!("letter 1 is {}, not B or W", other.escape_debug())),
    };
    let mut position = Position::empty(side);
    for (square, (i, letter)) in Square::all().zip(letters.iter().enumerate().skip(1)) {
        let (color, kind) = match letter {
            'b' => (Color::Black, PieceKind::Man),
            'B' => (Color::Black, PieceKind::King),
            'w' => (Color::White, PieceKind::Man),
            'W' => (Color::White, PieceKind::King),
            'e' => continue,
            other => {
                let other = other.escape_debug();
                return Err(format!("letter {} is {other}, not b, B, w, W or e", i + 1));
            }
        };
        *position.pieces_mut(Piece { color, kind }) |= Bitboard::of(square);
    }
    if !position.is_legal() {
        return Err("a man stands on the row where it is crowned".to_owned());
    }
    Ok(position)
}

/// `11-15`, or the first and the last square and the captured ones in ascending order:
/// `9x11x14x15`.
pub(super) fn move_text(m: &Move) -> String {
    if !m.is_capture() {
        return format!("{}-{}", m.from(), m.to());
    }
    let captured: String = m.captured().into_iter().map(|square| format!("x{square}")).collect();
    format!("{}x{}{captured}", m.from(), m.to())
}

/// Reads a move as [`move_text`] writes it, the captured squares in any order, or in any other
/// spelling that is clear.
pub(super) fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    if let Some(m) = by_captured(position, text) {
        return Ok(m);
    }
    position.parse_move(text).map_err(|error| error.to_string())
}

fn by_captured(position: &Position, text: &str) -> Option<Move> {
    let squares: Option<Vec<Square>> = text
        .split('x')
        .map(|number| number.trim().parse().ok().and_then(Square::from_number))
        .collect();
    let squares = squares?;
    let [from, to, captured @ ..] = squares.as_slice() else { return None };
    let captured: Bitboard = captured.iter().copied().collect();
    let fits = |m: &Move| m.from() == *from && m.to() == *to && m.captured() == captured;
    position.moves().ok()?.into_iter().find(|m| m.is_capture() && fits(m))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_may_be_quoted() {
        let found = arguments("name=variant value=\"a b\"  infinite moves=\"\" x=\"open");
        let found: Vec<(&str, &str)> =
            found.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let expected =
            [("name", "variant"), ("value", "a b"), ("infinite", ""), ("moves", ""), ("x", "open")];
        assert_eq!(found, expected);
    }

    #[test]
    fn positions_are_read_and_wrong_ones_named() {
        let start = format!("B{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12));
        assert_eq!(read_position(&start), Ok(Position::START));
        let turned = read_position("WeeeeWeeeeBeeeBeeeeeeweeeeeeeeeee").unwrap();
        assert_eq!(turned.mirror().to_string(), "B:WK19,K23:B12,K28");
        for (text, reason) in [
            ("", "33 letters"),
            ("Xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "letter 1 is X"),
            ("Beeeeeeeeeeeeeeeeeeeeeeeeeeeeeeez", "letter 33 is z"),
            ("Beeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeb", "crowned"),
        ] {
            assert!(read_position(text).unwrap_err().contains(reason), "{text}");
        }
    }

    #[test]
    fn captures_are_told_by_what_they_take() {
        let position: Position = "B:W23,22,15,14:B11,10".parse().unwrap();
        for m in &position.moves().unwrap() {
            assert_eq!(read_move(&position, &move_text(m)).as_ref(), Ok(m));
        }
        let m = read_move(&position, "10x26x23x15").unwrap();
        assert_eq!((m.to_string().as_str(), move_text(&m).as_str()), ("10x19x26", "10x26x15x23"));
        assert_eq!(read_move(&position, "10x17x26").unwrap().to_string(), "10x17x26");
        assert!(read_move(&position, "10x26").unwrap_err().contains("ambiguous"));
        assert!(read_move(&position, "1é-5").is_err());
    }
}
