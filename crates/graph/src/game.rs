use alloc::vec::Vec;
use core::hash::{BuildHasher, Hash};

use hashbrown::hash_table::{Entry, HashTable};

use crate::{Ending, GameGraph, GraphError, Player, Rows, Value};

/// A game given by its rules instead of a list of vertices.
///
/// The players move in turn: [`turn`](Self::turn) must change with every move.
pub trait Game {
    /// Everything that tells one position from another, the side to move included.
    type State: Clone + Eq + Hash;

    /// The value for the side to move where the game is over.
    fn terminal(&self, state: &Self::State) -> Option<Value>;

    /// Hands each position that can be moved to to `visit`; not asked where the game is over.
    fn successors(&self, state: &Self::State, visit: &mut dyn FnMut(Self::State));

    /// Who moves.
    fn turn(&self, state: &Self::State) -> Player;

    /// What the side to move gets where [`successors`](Self::successors) finds no move.
    fn stuck(&self) -> Value {
        Value::Loss
    }
}

impl<G: Game> Game for &G {
    type State = G::State;

    fn terminal(&self, state: &Self::State) -> Option<Value> {
        (**self).terminal(state)
    }

    fn successors(&self, state: &Self::State, visit: &mut dyn FnMut(Self::State)) {
        (**self).successors(state, visit);
    }

    fn turn(&self, state: &Self::State) -> Player {
        (**self).turn(state)
    }

    fn stuck(&self) -> Value {
        (**self).stuck()
    }
}

/// A game graph played by two named players: a vertex and who moves there.
///
/// This is the explicit conversion of a [`GameGraph`] for the searches, which ask whether a given
/// player wins: on a cycle of odd length either player may be to move at the same vertex.
#[derive(Clone, Copy, Debug)]
pub struct Played<'g>(pub &'g GameGraph<'g>);

impl Game for Played<'_> {
    type State = (u32, Player);

    fn terminal(&self, &(vertex, _): &Self::State) -> Option<Value> {
        self.0.terminal(vertex)
    }

    fn successors(&self, &(vertex, turn): &Self::State, visit: &mut dyn FnMut(Self::State)) {
        for &to in self.0.moves(vertex) {
            visit((to, turn.opponent()));
        }
    }

    fn turn(&self, &(_, turn): &Self::State) -> Player {
        turn
    }
}

/// Vertices with successors, owners and endings, as the searches see them.
///
/// The successors of a vertex are there after [`expand`](Self::expand) of it, and stay the same.
pub trait Arena {
    /// How many vertices are known; all numbers below are vertices.
    fn known(&self) -> usize;

    /// Makes the successors of `vertex` known and counts them; 0 where the game is over.
    fn expand(&mut self, vertex: u32) -> u32;

    /// The number of successors of a vertex that has been expanded.
    fn degree(&self, vertex: u32) -> u32;

    /// The successor number `i` of a vertex that has been expanded.
    fn successor(&self, vertex: u32, i: u32) -> u32;

    /// Who moves at `vertex`.
    fn turn(&self, vertex: u32) -> Player;

    /// How the game has ended at a vertex that has been expanded; none where it goes on.
    fn ending(&self, vertex: u32) -> Option<Ending>;
}

/// The part of a [`Game`] that has been met: its states are numbered in the order of meeting.
///
/// Each state is kept once and expanded once.
pub struct Explored<G: Game> {
    game: G,
    states: Vec<G::State>,
    table: HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
    /// The place of each expanded state's successors, as start and count.
    places: Vec<Option<(u32, u32)>>,
    targets: Vec<u32>,
}

impl<G: Game> Explored<G> {
    /// Nothing of `game` yet.
    #[must_use]
    pub fn new(game: G) -> Self {
        Self {
            game,
            states: Vec::new(),
            table: HashTable::new(),
            hasher: hashbrown::DefaultHashBuilder::default(),
            places: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// The number of `state`, a new one if it has not been met.
    ///
    /// # Panics
    ///
    /// If 2^32-1 states have been met.
    pub fn vertex(&mut self, state: G::State) -> u32 {
        let (states, hasher) = (&mut self.states, &self.hasher);
        let hash = hasher.hash_one(&state);
        let entry = self.table.entry(
            hash,
            |&v| states[v as usize] == state,
            |&v| hasher.hash_one(&states[v as usize]),
        );
        match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let vertex = u32::try_from(states.len()).expect("states are numbered by u32");
                assert!(vertex != u32::MAX, "states are numbered by u32");
                entry.insert(vertex);
                states.push(state);
                self.places.push(None);
                vertex
            }
        }
    }

    /// The number of `state` if it has been met.
    #[must_use]
    pub fn find(&self, state: &G::State) -> Option<u32> {
        let hash = self.hasher.hash_one(state);
        self.table.find(hash, |&v| self.states[v as usize] == *state).copied()
    }

    /// The state of `vertex`.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn state(&self, vertex: u32) -> &G::State {
        &self.states[vertex as usize]
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Bytes taken by what has been met, without what states own outside themselves.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<G::State>()
            + self.table.allocation_size()
            + self.places.capacity() * size_of::<Option<(u32, u32)>>()
            + 4 * self.targets.capacity()
    }

    /// Expands everything that can be reached from the states met, and makes a graph of it: vertex
    /// `v` is [`state(v)`](Self::state), labelled where the game is over.
    ///
    /// # Errors
    ///
    /// More than 2^32-1 edges.
    pub fn into_graph(mut self) -> Result<(GameGraph<'static>, Vec<G::State>), GraphError> {
        let mut next = 0;
        while next < self.states.len() {
            self.expand(next as u32);
            next += 1;
        }
        let edges =
            (0..self.states.len() as u32).flat_map(|v| self.row(v).iter().map(move |&w| (v, w)));
        let rows = Rows::from_edges(self.states.len(), edges)?;
        let labels = self.states.iter().map(|state| self.game.terminal(state)).collect();
        let graph = GameGraph::new(rows).with_stuck(self.game.stuck()).with_labels(labels)?;
        Ok((graph, self.states))
    }

    fn row(&self, vertex: u32) -> &[u32] {
        let (start, count) = self.places[vertex as usize].unwrap_or((0, 0));
        &self.targets[start as usize..][..count as usize]
    }
}

impl<G: Game> Arena for Explored<G> {
    fn known(&self) -> usize {
        self.states.len()
    }

    fn expand(&mut self, vertex: u32) -> u32 {
        if let Some((_, count)) = self.places[vertex as usize] {
            return count;
        }
        let start = u32::try_from(self.targets.len()).expect("moves are numbered by u32");
        let state = self.states[vertex as usize].clone();
        if self.game.terminal(&state).is_none() {
            let mut found = Vec::new();
            self.game.successors(&state, &mut |state| found.push(state));
            for state in found {
                let to = self.vertex(state);
                self.targets.push(to);
            }
        }
        let count = u32::try_from(self.targets.len()).expect("moves are numbered by u32") - start;
        self.places[vertex as usize] = Some((start, count));
        count
    }

    fn degree(&self, vertex: u32) -> u32 {
        self.row(vertex).len() as u32
    }

    fn successor(&self, vertex: u32, i: u32) -> u32 {
        self.row(vertex)[i as usize]
    }

    fn turn(&self, vertex: u32) -> Player {
        self.game.turn(&self.states[vertex as usize])
    }

    fn ending(&self, vertex: u32) -> Option<Ending> {
        let value = if let Some((_, 0)) = self.places[vertex as usize] {
            let state = &self.states[vertex as usize];
            Some(self.game.terminal(state).unwrap_or_else(|| self.game.stuck()))
        } else {
            None
        };
        value.map(|value| Ending::from_value(value, self.turn(vertex)))
    }
}
