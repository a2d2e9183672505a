//! The files under `tests/data`; lines that start with `#` are comments.

use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct LegalMoves {
    pub(crate) fen: String,
    pub(crate) moves: Vec<String>,
    pub(crate) routes: usize,
    pub(crate) distinct: usize,
    pub(crate) note: String,
}

#[derive(Deserialize)]
pub(crate) struct FenCase {
    pub(crate) input: String,
    pub(crate) right: String,
    pub(crate) fen: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Report {
    pub(crate) id: u32,
    pub(crate) input: String,
    pub(crate) legal_moves: Option<Vec<String>>,
}

pub(crate) fn legal_moves() -> Vec<LegalMoves> {
    json_lines(include_str!("../data/legal_moves.jsonl"))
}

pub(crate) fn fen_cases() -> Vec<FenCase> {
    json_lines(include_str!("../data/fen_cases.jsonl"))
}

pub(crate) fn reports() -> Vec<Report> {
    json_lines(include_str!("../data/reports.jsonl"))
}

/// Plies and published counts of routes from the start.
pub(crate) fn perft() -> Vec<(u32, u64)> {
    let number = |text: &str| text.parse::<u64>().expect("a number");
    lines(include_str!("../data/perft.tsv"))
        .skip(1)
        .map(|line| line.split_once('\t').expect("two columns"))
        .map(|(plies, count)| (number(plies) as u32, number(count)))
        .collect()
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
}

fn json_lines<T: for<'a> Deserialize<'a>>(text: &str) -> Vec<T> {
    lines(text).map(|line| serde_json::from_str(line).expect(line)).collect()
}
