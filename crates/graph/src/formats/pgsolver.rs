//! PGSolver's text format for parity games.
//!
//! A game with draws has three outcomes and a parity game two, so the graph is doubled: vertex
//! `2v` is the game at `v` with player 0 to move, `2v+1` with player 1 to move. Player 0 wins from
//! a vertex of the parity game exactly if it can force a win of the game; play that goes on for
//! ever has priority 1 for ever, which player 1 wins. So `v` is a win if player 0 wins `2v`, a loss
//! if player 0 wins `2v+1`, else a draw.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::names::{NamedGraph, Names};
use crate::{GameGraph, GraphError, Value};

/// Writes a graph as a doubled parity game.
///
/// Where the game is over, both vertices get a self-loop, and the one whose mover has lost to, or
/// has won as, player 0 gets priority 2. A quotation mark in a name is written as an apostrophe:
/// the format cannot hold it.
///
/// # Errors
///
/// What `out` returns.
pub fn write_pgsolver(
    graph: &GameGraph<'_>,
    names: &Names,
    out: &mut impl fmt::Write,
) -> fmt::Result {
    let vertices = graph.vertices() as u64;
    writeln!(out, "parity {};", (2 * vertices).saturating_sub(1))?;
    for v in 0..vertices as u32 {
        let even = 2 * u64::from(v);
        for (id, player) in [(even, 0), (even + 1, 1)] {
            match graph.terminal(v) {
                Some(value) => {
                    let won_by_0 = if player == 0 { Value::Win } else { Value::Loss };
                    let priority = if value == won_by_0 { 2 } else { 1 };
                    write!(out, "{id} {priority} {player} {id}")?;
                }
                None => {
                    write!(out, "{id} 1 {player}")?;
                    for (i, &w) in graph.moves(v).iter().enumerate() {
                        let comma = if i == 0 { ' ' } else { ',' };
                        write!(out, "{comma}{}", 2 * u64::from(w) + 1 - player)?;
                    }
                }
            }
            if let Names::Numbers = names {
                writeln!(out, ";")?;
            } else {
                writeln!(out, " \"{}\";", names.name(v).replace('"', "'"))?;
            }
        }
    }
    Ok(())
}

/// What is wrong in a PGSolver file, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgsolverError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: PgsolverFault,
}

/// What is wrong in a PGSolver file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PgsolverFault {
    /// Something else should stand here.
    Expected {
        /// What should.
        what: &'static str,
        /// What does; empty at the end of the file.
        found: String,
    },
    /// The vertex was given before.
    Twice(u32),
    /// A vertex that is moved to, or the partner of one that is there, is missing.
    Missing(u32),
    /// The vertex is not as in a doubled game.
    NotDoubled {
        /// The vertex.
        vertex: u32,
        /// What it would need.
        needs: &'static str,
    },
    /// The graph is too large.
    Graph(GraphError),
}

impl fmt::Display for PgsolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.fault {
            PgsolverFault::Expected { what, found } if found.is_empty() => {
                write!(f, "the file ends, expected {what}")
            }
            PgsolverFault::Expected { what, found } => {
                write!(f, "`{found}` found, expected {what}")
            }
            PgsolverFault::Twice(vertex) => write!(f, "vertex {vertex} is there already"),
            PgsolverFault::Missing(vertex) => write!(f, "vertex {vertex} is not in the file"),
            PgsolverFault::NotDoubled { vertex, needs } => write!(
                f,
                "vertex {vertex} is not one of a doubled game, which needs {needs} (only parity \
                 games that stand for a win/draw/loss graph can be read)"
            ),
            PgsolverFault::Graph(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for PgsolverError {}

/// Reads a doubled parity game back as a graph.
///
/// A vertex where the game is over is read as one without moves if that is a loss, else as a
/// labelled one.
///
/// # Errors
///
/// Text that is no PGSolver file, or a parity game that [`write_pgsolver`] would not have written.
pub fn parse_pgsolver(text: &str) -> Result<NamedGraph<'static>, PgsolverError> {
    let mut tokens = Tokens { text, line: 1 };
    if tokens.peek_word() == "parity" {
        tokens.word();
        tokens.number("the highest vertex")?;
        tokens.expect(";", "`;`")?;
    }
    let mut nodes: Vec<Option<Node>> = Vec::new();
    while !tokens.peek_word().is_empty() {
        let (id, node) = tokens.node()?;
        let line = node.line;
        if nodes.len() <= id as usize {
            // Numbers are to be dense; a huge one must not take memory before that is known.
            if id as usize > text.len() {
                return Err(PgsolverError { line, fault: PgsolverFault::Missing(id ^ 1) });
            }
            nodes.resize(id as usize + 1, None);
        }
        if nodes[id as usize].replace(node).is_some() {
            return Err(PgsolverError { line, fault: PgsolverFault::Twice(id) });
        }
    }
    undouble(&nodes, tokens.line)
}

#[derive(Clone)]
struct Node {
    line: usize,
    priority: u32,
    owner: u32,
    targets: Vec<u32>,
    name: Option<String>,
}

/// Joins each pair of vertices.
fn undouble(nodes: &[Option<Node>], last: usize) -> Result<NamedGraph<'static>, PgsolverError> {
    let missing =
        |id: usize, line| PgsolverError { line, fault: PgsolverFault::Missing(id as u32) };
    let mut edges = Vec::new();
    let mut labels = vec![None; nodes.len().div_ceil(2)];
    let mut words = Vec::new();
    for v in 0..labels.len() as u32 {
        let [even, odd] = [2 * v as usize, 2 * v as usize + 1];
        let pair = [even, odd].map(|id| nodes.get(id).and_then(Option::as_ref));
        let [Some(first), Some(second)] = pair else {
            let there = pair.iter().flatten().next().map_or(last, |node| node.line);
            return Err(missing(if pair[0].is_none() { even } else { odd }, there));
        };
        for node in [first, second] {
            if let Some(&target) =
                node.targets.iter().find(|&&t| nodes.get(t as usize).is_none_or(Option::is_none))
            {
                return Err(missing(target as usize, node.line));
            }
        }
        match over(v, first, second)? {
            Some(Value::Loss) => {}
            Some(value) => labels[v as usize] = Some(value),
            None => edges.extend(first.targets.iter().map(|&target| (v, target / 2))),
        }
        if let Some(name) = &first.name {
            words.push(name.clone());
        }
    }
    let whole = |error| PgsolverError { line: last, fault: PgsolverFault::Graph(error) };
    let graph = GameGraph::from_edges(labels.len(), edges.iter().copied()).map_err(whole)?;
    // Names that leave out a vertex, or name two alike, cannot be looked up.
    let mut distinct = words.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let named = !words.is_empty() && distinct.len() == labels.len();
    let names = if named { Names::Words(words) } else { Names::Numbers };
    let graph = graph.with_labels(labels).map_err(whole)?;
    Ok(NamedGraph { graph, names, owners: Vec::new() })
}

/// The value of `v` where the game is over; none where the pair has moves.
fn over(v: u32, first: &Node, second: &Node) -> Result<Option<Value>, PgsolverError> {
    let (even, odd) = (2 * v, 2 * v + 1);
    let not = |node: &Node, vertex, needs| {
        let fault = PgsolverFault::NotDoubled { vertex, needs };
        Err(PgsolverError { line: node.line, fault })
    };
    if first.owner != 0 {
        return not(first, even, "player 0 at even vertices");
    }
    if second.owner != 1 {
        return not(second, odd, "player 1 at odd vertices");
    }
    if first.targets == [even] && second.targets == [odd] {
        return match (first.priority, second.priority) {
            (1, 2) => Ok(Some(Value::Loss)),
            (2, 1) => Ok(Some(Value::Win)),
            (1, 1) => Ok(Some(Value::Draw)),
            _ => not(first, even, "priorities 1 and 1, 1 and 2, or 2 and 1 where the game is over"),
        };
    }
    if first.priority != 1 {
        return not(first, even, "priority 1 where there are moves");
    }
    if second.priority != 1 {
        return not(second, odd, "priority 1 where there are moves");
    }
    let mirrored = first.targets.len() == second.targets.len()
        && first.targets.iter().zip(&second.targets).all(|(a, b)| a % 2 == 1 && *b == a - 1);
    if mirrored { Ok(None) } else { not(second, odd, "the moves of its partner, mirrored") }
}

struct Tokens<'t> {
    text: &'t str,
    line: usize,
}

impl<'t> Tokens<'t> {
    fn skip_blanks(&mut self) {
        let rest = self.text.trim_start();
        let skipped = &self.text[..self.text.len() - rest.len()];
        self.line += skipped.bytes().filter(|&byte| byte == b'\n').count();
        self.text = rest;
    }

    /// The next word or sign without taking it; empty at the end.
    fn peek_word(&mut self) -> &'t str {
        self.skip_blanks();
        let is_end = |c: char| c.is_whitespace() || matches!(c, ';' | ',' | '"');
        let end = match self.text.find(is_end) {
            Some(0) => 1,
            Some(end) => end,
            None => self.text.len(),
        };
        &self.text[..end]
    }

    fn word(&mut self) -> &'t str {
        let word = self.peek_word();
        self.text = &self.text[word.len()..];
        word
    }

    fn unexpected<T>(&self, what: &'static str, found: &str) -> Result<T, PgsolverError> {
        let fault = PgsolverFault::Expected { what, found: found.to_string() };
        Err(PgsolverError { line: self.line, fault })
    }

    fn expect(&mut self, sign: &str, what: &'static str) -> Result<(), PgsolverError> {
        let found = self.word();
        if found == sign { Ok(()) } else { self.unexpected(what, found) }
    }

    fn number(&mut self, what: &'static str) -> Result<u32, PgsolverError> {
        let word = self.word();
        // `parse` alone would take a sign.
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        match word.parse().ok().filter(|_| digits) {
            Some(number) => Ok(number),
            None => self.unexpected(what, word),
        }
    }

    fn node(&mut self) -> Result<(u32, Node), PgsolverError> {
        let id = self.number("the number of a vertex")?;
        let line = self.line;
        let priority = self.number("a priority")?;
        let owner = self.number("an owner, 0 or 1")?;
        let mut targets = vec![self.number("the number of a successor")?];
        let mut name = None;
        loop {
            match self.word() {
                "," => targets.push(self.number("the number of a successor")?),
                ";" => break,
                "\"" if name.is_none() => match self.text.split_once('"') {
                    Some((inside, rest)) => {
                        self.line += inside.bytes().filter(|&byte| byte == b'\n').count();
                        self.text = rest;
                        name = Some(inside.to_string());
                    }
                    None => return self.unexpected("a closing quotation mark", ""),
                },
                other => return self.unexpected("`,`, a name in quotation marks or `;`", other),
            }
        }
        Ok((id, Node { line, priority, owner, targets, name }))
    }
}
