//! The board as `play` draws it.

use std::fmt::Write;

use crownhead_rules::{Color, Move, PieceKind, Position, Square};

/// Whether the terminal shows more than ASCII, as its locale says.
pub(super) fn speaks_utf8() -> bool {
    let set = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// Draws the board with the number of each square, seen from `below`'s side; the squares of the
/// last move are in brackets.
///
/// Men are `b` and `w`, kings `B` and `W`; with `utf8`, discs and crowns.
pub(super) fn draw(position: &Position, below: Color, last: Option<&Move>, utf8: bool) -> String {
    let mut text = String::new();
    for row in 0..8 {
        for column in 0..8 {
            let (row, column) = match below {
                Color::White => (row, column),
                Color::Black => (7 - row, 7 - column),
            };
            let Some(square) = Square::at(row, column) else {
                text.push_str("     ");
                continue;
            };
            let mark = mark(position, square, utf8);
            let marked = last.is_some_and(|m| m.from() == square || m.to() == square);
            let (open, close) = if marked { ('[', ']') } else { (' ', ' ') };
            // Writing to a string does not fail.
            let _ = write!(text, "{:>2}{open}{mark}{close}", square.number());
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

fn mark(position: &Position, square: Square, utf8: bool) -> char {
    let Some(piece) = position.piece_at(square) else { return if utf8 { '·' } else { '.' } };
    match (piece.color, piece.kind, utf8) {
        (Color::Black, PieceKind::Man, false) => 'b',
        (Color::Black, PieceKind::King, false) => 'B',
        (Color::White, PieceKind::Man, false) => 'w',
        (Color::White, PieceKind::King, false) => 'W',
        (Color::Black, PieceKind::Man, true) => '●',
        (Color::Black, PieceKind::King, true) => '♚',
        (Color::White, PieceKind::Man, true) => '○',
        (Color::White, PieceKind::King, true) => '♔',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_and_the_last_move_can_be_told_without_colour() {
        let before: Position = "W:W11,6,K20:B3,K25".parse().unwrap();
        let last = before.parse_move("6-1").unwrap();
        let after = before.after(&last);
        let drawn = draw(&after, Color::White, Some(&last), false);
        let top: Vec<&str> = drawn.lines().take(2).collect();
        assert_eq!(
            top,
            ["      1[W]      2 .       3 b       4 .", " 5 .       6[.]      7 .       8 ."]
        );
        assert!(drawn.contains("20 W") && drawn.contains("25 B") && drawn.contains("11 w"));
        assert!(drawn.is_ascii());
        let flipped = draw(&after, Color::Black, Some(&last), true);
        assert!(flipped.lines().next().unwrap().contains("32"));
        assert!(flipped.contains("1[♔]") && flipped.contains("3 ●"));
    }
}
