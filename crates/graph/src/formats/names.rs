use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::hash::BuildHasher;

use hashbrown::hash_table::{Entry, HashTable};

use crate::{GameGraph, Player};

/// How a file spells its vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Names {
    /// Each vertex by its number.
    Numbers,
    /// Each vertex by the number at its place; the numbers rise.
    Sparse(Vec<u32>),
    /// Each vertex by the word at its place.
    Words(Vec<String>),
}

impl Names {
    /// The name of `vertex`.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn name(&self, vertex: u32) -> Cow<'_, str> {
        match self {
            Self::Numbers => vertex.to_string().into(),
            Self::Sparse(numbers) => numbers[vertex as usize].to_string().into(),
            Self::Words(words) => Cow::Borrowed(&words[vertex as usize]),
        }
    }

    /// The vertex of this name among the first `vertices`, if there is one.
    #[must_use]
    pub fn vertex(&self, name: &str, vertices: usize) -> Option<u32> {
        match self {
            Self::Words(words) => words.iter().position(|word| word == name).map(|v| v as u32),
            Self::Numbers => number(name.as_bytes()).filter(|&v| (v as usize) < vertices),
            Self::Sparse(numbers) => {
                let number = number(name.as_bytes())?;
                numbers.binary_search(&number).ok().map(|v| v as u32)
            }
        }
    }
}

/// The number that `word` spells in the only way it is written: no sign and no leading zero.
pub(crate) fn number(word: &[u8]) -> Option<u32> {
    if word.len() > 10 || word.is_empty() || word[0] == b'0' && word.len() > 1 {
        return None;
    }
    let value = word.iter().try_fold(0_u64, |value, &byte| {
        byte.is_ascii_digit().then(|| value * 10 + u64::from(byte - b'0'))
    })?;
    u32::try_from(value).ok()
}

/// A game graph as a file gives it: with the spelling of the vertices and, in a turn graph, with
/// who moves where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedGraph<'a> {
    /// The graph.
    pub graph: GameGraph<'a>,
    /// How the vertices are spelled.
    pub names: Names,
    /// The owner of each vertex, as far as stated; empty if the file states none.
    pub owners: Vec<Option<Player>>,
}

/// Numbers words in the order in which they first occur.
#[derive(Default)]
pub(crate) struct Interner {
    pub(crate) words: Vec<String>,
    table: HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
}

impl Interner {
    pub(crate) fn intern(&mut self, word: &str) -> u32 {
        let (words, hasher) = (&mut self.words, &self.hasher);
        let hash = hasher.hash_one(word);
        let entry = self.table.entry(
            hash,
            |&v| words[v as usize] == word,
            |&v| hasher.hash_one(words[v as usize].as_str()),
        );
        match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let vertex = words.len() as u32;
                entry.insert(vertex);
                words.push(word.to_string());
                vertex
            }
        }
    }
}
