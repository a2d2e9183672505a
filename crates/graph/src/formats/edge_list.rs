//! The edge list: a line for each move.
//!
//! ```text
//! # a comment runs to the end of the line
//! a b             a move from a to b
//! label b loss    b is a loss for the side to move: win, loss or draw
//! owner a first   the first player moves at a: first or second
//! ```
//!
//! Names are any words without blanks and `#`.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::names::{Interner, NamedGraph, Names, number};
use crate::{GameGraph, GraphError, Player, Value};

/// What is wrong in an edge list, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeListError {
    /// The line, from 1; 0 for a fault of the whole file.
    pub line: usize,
    /// What is wrong there.
    pub fault: EdgeListFault,
}

/// What is wrong in a line of an edge list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EdgeListFault {
    /// The line has one word, or more than three.
    Words(usize),
    /// A line of three words starts with another than `label` or `owner`.
    Keyword(String),
    /// No value.
    Label(String),
    /// No player.
    Owner(String),
    /// The vertex has another label from a line before.
    OtherLabel(String),
    /// The vertex has another owner from a line before.
    OtherOwner(String),
    /// The line is not UTF-8.
    Encoding,
    /// The graph is too large.
    Graph(GraphError),
}

impl fmt::Display for EdgeListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        match &self.fault {
            EdgeListFault::Words(words) => write!(
                f,
                "{words} word{}, expected `FROM TO`, `label VERTEX win|draw|loss` or `owner VERTEX \
                 first|second`",
                if *words == 1 { "" } else { "s" }
            ),
            EdgeListFault::Keyword(word) => {
                write!(f, "`{word}` starts a line of three words, expected `label` or `owner`")
            }
            EdgeListFault::Label(word) => {
                write!(f, "`{word}` is no label, expected `win`, `draw` or `loss`")
            }
            EdgeListFault::Owner(word) => {
                write!(f, "`{word}` is no player, expected `first` or `second`")
            }
            EdgeListFault::OtherLabel(name) => write!(f, "`{name}` has another label already"),
            EdgeListFault::OtherOwner(name) => write!(f, "`{name}` has another owner already"),
            EdgeListFault::Encoding => write!(f, "not UTF-8"),
            EdgeListFault::Graph(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for EdgeListError {}

/// Reads an edge list.
///
/// If every name is a plain number, the vertices come in the order of the numbers, else in the
/// order in which they first occur. Beside the graph it takes 8 bytes an edge while it reads.
///
/// ```
/// use crownhead_graph::{Value, formats::parse_edge_list, retrograde};
///
/// let file = parse_edge_list(b"a b\nb a\nb c # a way out\nlabel c draw\n")?;
/// let solution = retrograde(&file.graph);
/// let b = file.names.vertex("b", 3).expect("b is there");
/// assert_eq!(solution.value(b), Value::Draw);
/// # Ok::<(), crownhead_graph::formats::EdgeListError>(())
/// ```
///
/// # Errors
///
/// The first faulty line.
pub fn parse_edge_list(text: &[u8]) -> Result<NamedGraph<'static>, EdgeListError> {
    let mut numbers = Numbers::new(text);
    match Lines::read(text, &mut numbers) {
        Ok(lines) => return numbers.finish(lines),
        Err(Halt::Fault(error)) => return Err(error),
        Err(Halt::OtherName) => {}
    }
    let mut words = Interner::default();
    match Lines::read(text, &mut words) {
        Ok(lines) => {
            let vertices = words.words.len();
            lines.finish(vertices, Names::Words(words.words))
        }
        Err(Halt::Fault(error)) => Err(error),
        Err(Halt::OtherName) => unreachable!("any word is a name"),
    }
}

/// Gives vertices their numbers.
trait Vertices {
    /// The vertex of this name, unless this kind of name is not provided for.
    fn vertex(&mut self, word: &str) -> Option<u32>;

    /// Reads the line at `at` if it is a plain one of two numbers; and where the next one starts.
    fn plain_line(&mut self, _text: &[u8], _at: usize) -> Option<((u32, u32), usize)> {
        None
    }
}

impl Vertices for Interner {
    fn vertex(&mut self, word: &str) -> Option<u32> {
        Some(self.intern(word))
    }
}

/// Vertices named by plain numbers: which there are.
struct Numbers {
    seen: Vec<u64>,
}

impl Numbers {
    /// A vertex takes two bytes of text at least, so that a bit for each byte takes in every file
    /// that leaves out few numbers. Files with larger ones are read as words.
    fn new(text: &[u8]) -> Self {
        Self { seen: vec![0; (text.len() / 64).max(1024)] }
    }

    #[inline]
    fn see(&mut self, number: u32) -> bool {
        match self.seen.get_mut(number as usize / 64) {
            Some(bits) => {
                *bits |= 1 << (number % 64);
                true
            }
            None => false,
        }
    }

    /// The vertices are numbered in the order of their names; edges and lines follow.
    fn finish(self, mut lines: Lines) -> Result<NamedGraph<'static>, EdgeListError> {
        let vertices: usize = self.seen.iter().map(|bits| bits.count_ones() as usize).sum();
        let dense = (0..vertices.div_ceil(64)).all(|i| {
            let expected = u64::MAX >> (64 - (vertices - i * 64).min(64));
            self.seen[i] == expected
        });
        if dense {
            return lines.finish(vertices, Names::Numbers);
        }
        let mut before = Vec::with_capacity(self.seen.len());
        let mut names = Vec::with_capacity(vertices);
        for (i, &bits) in self.seen.iter().enumerate() {
            before.push(names.len() as u32);
            let mut rest = bits;
            while rest != 0 {
                names.push(i as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        lines.rename(|number| {
            let (i, below) = (number as usize / 64, (1_u64 << (number % 64)) - 1);
            before[i] + (self.seen[i] & below).count_ones()
        });
        lines.finish(vertices, Names::Sparse(names))
    }
}

impl Vertices for Numbers {
    fn vertex(&mut self, word: &str) -> Option<u32> {
        number(word.as_bytes()).filter(|&number| self.see(number))
    }

    #[inline]
    fn plain_line(&mut self, text: &[u8], at: usize) -> Option<((u32, u32), usize)> {
        let (from, after) = plain_number(text, at)?;
        if text.get(after) != Some(&b' ') {
            return None;
        }
        let (to, after) = plain_number(text, after + 1)?;
        if text.get(after).is_some_and(|&byte| byte != b'\n') {
            return None;
        }
        (self.see(from) && self.see(to)).then_some(((from, to), after + 1))
    }
}

/// A number of at most nine digits without a leading zero at `at`, and where it ends.
#[inline]
fn plain_number(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let mut value = 0_u32;
    let mut end = at;
    while let Some(digit) = text.get(end).map(|byte| byte.wrapping_sub(b'0')).filter(|&d| d < 10) {
        if end - at == 9 {
            return None;
        }
        value = value * 10 + u32::from(digit);
        end += 1;
    }
    (end > at && (text[at] != b'0' || end - at == 1)).then_some((value, end))
}

/// Why reading stopped.
enum Halt {
    /// A name that is no small plain number: all names are to be read as words.
    OtherName,
    Fault(EdgeListError),
}

/// What the lines say.
struct Lines {
    edges: Vec<(u32, u32)>,
    labels: Vec<Stated<Value>>,
    owners: Vec<Stated<Player>>,
}

/// What one line says about a vertex.
struct Stated<T> {
    vertex: u32,
    what: T,
    line: usize,
}

impl Lines {
    fn read<V: Vertices>(text: &[u8], vertices: &mut V) -> Result<Self, Halt> {
        // Most lines have 14 bytes or so; if they are shorter, the vector grows.
        let edges = Vec::with_capacity(text.len() / 14);
        let mut lines = Self { edges, labels: Vec::new(), owners: Vec::new() };
        let (mut at, mut line) = (0, 1);
        while at < text.len() {
            if let Some((edge, next)) = vertices.plain_line(text, at) {
                lines.edges.push(edge);
                at = next;
            } else {
                let rest = &text[at..];
                let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                lines.read_line(&rest[..end], line, vertices)?;
                at += end + 1;
            }
            line += 1;
        }
        Ok(lines)
    }

    fn read_line<V: Vertices>(
        &mut self,
        line: &[u8],
        number: usize,
        vertices: &mut V,
    ) -> Result<(), Halt> {
        let fault = |fault| Halt::Fault(EdgeListError { line: number, fault });
        let line = core::str::from_utf8(line).map_err(|_| fault(EdgeListFault::Encoding))?;
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let mut words = line.split_ascii_whitespace();
        let first = [(); 4].map(|()| words.next());
        let mut vertex = |word| vertices.vertex(word).ok_or(Halt::OtherName);
        match first {
            [None, ..] => {}
            [Some(from), Some(to), None, _] => self.edges.push((vertex(from)?, vertex(to)?)),
            [Some("label"), Some(name), Some(word), None] => {
                let value = [Value::Win, Value::Draw, Value::Loss]
                    .into_iter()
                    .find(|value| value.word() == word)
                    .ok_or_else(|| fault(EdgeListFault::Label(word.to_string())))?;
                self.labels.push(Stated { vertex: vertex(name)?, what: value, line: number });
            }
            [Some("owner"), Some(name), Some(word), None] => {
                let player = Player::BOTH
                    .into_iter()
                    .find(|player| player.word() == word)
                    .ok_or_else(|| fault(EdgeListFault::Owner(word.to_string())))?;
                self.owners.push(Stated { vertex: vertex(name)?, what: player, line: number });
            }
            [Some(word), Some(_), Some(_), None] => {
                return Err(fault(EdgeListFault::Keyword(word.to_string())));
            }
            _ => {
                let count = line.split_ascii_whitespace().count();
                return Err(fault(EdgeListFault::Words(count)));
            }
        }
        Ok(())
    }

    fn rename(&mut self, name: impl Fn(u32) -> u32) {
        for (from, to) in &mut self.edges {
            (*from, *to) = (name(*from), name(*to));
        }
        for label in &mut self.labels {
            label.vertex = name(label.vertex);
        }
        for owner in &mut self.owners {
            owner.vertex = name(owner.vertex);
        }
    }

    fn finish(self, vertices: usize, names: Names) -> Result<NamedGraph<'static>, EdgeListError> {
        let labels = table(&self.labels, vertices, |vertex| {
            EdgeListFault::OtherLabel(names.name(vertex).into_owned())
        })?;
        let owners = table(&self.owners, vertices, |vertex| {
            EdgeListFault::OtherOwner(names.name(vertex).into_owned())
        })?;
        let whole = |error| EdgeListError { line: 0, fault: EdgeListFault::Graph(error) };
        let mut graph =
            GameGraph::from_edges(vertices, self.edges.iter().copied()).map_err(whole)?;
        if !labels.is_empty() {
            graph = graph.with_labels(labels).map_err(whole)?;
        }
        Ok(NamedGraph { graph, names, owners })
    }
}

/// One entry for each vertex, or none at all when nothing is stated.
fn table<T: Copy + PartialEq>(
    stated: &[Stated<T>],
    vertices: usize,
    other: impl Fn(u32) -> EdgeListFault,
) -> Result<Vec<Option<T>>, EdgeListError> {
    if stated.is_empty() {
        return Ok(Vec::new());
    }
    let mut table = vec![None; vertices];
    for &Stated { vertex, what, line } in stated {
        let entry = &mut table[vertex as usize];
        if entry.is_some_and(|before| before != what) {
            return Err(EdgeListError { line, fault: other(vertex) });
        }
        *entry = Some(what);
    }
    Ok(table)
}
