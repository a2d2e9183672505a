use alloc::vec::Vec;
use core::fmt;

use crate::{Arena, Ending, Game, GameGraph, GraphError, Player, Rows, Value};

/// A game graph after definition 2.6 of Romano's paper: every vertex has an owner who moves there,
/// every move changes the turn, and the game ends at a sink, a vertex whose only edge is a
/// self-loop, which has a winner or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnGraph<'a> {
    rows: Rows<'a>,
    owners: Vec<Player>,
    /// One for each vertex; none where the game goes on.
    endings: Vec<Option<Ending>>,
}

/// Where and how a graph breaks definition 2.6.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnGraphError {
    /// Not as many owners or endings as vertices.
    Graph(GraphError),
    /// A vertex without edges: a sink has a self-loop.
    NoEdge {
        /// The vertex.
        vertex: u32,
    },
    /// A vertex has a self-loop and other edges.
    SelfLoop {
        /// The vertex.
        vertex: u32,
    },
    /// Both ends of an edge have the same owner.
    SameTurn {
        /// Where the edge starts.
        from: u32,
        /// Where it ends.
        to: u32,
        /// The owner of both.
        owner: Player,
    },
    /// It is not said how the game ended at this sink.
    NoEnding {
        /// The sink.
        vertex: u32,
    },
    /// An ending is given for a vertex that is no sink.
    NotSink {
        /// The vertex.
        vertex: u32,
    },
    /// Nobody owns this vertex.
    NoOwner {
        /// The vertex.
        vertex: u32,
    },
    /// The initial vertex is a sink.
    InitialSink {
        /// The vertex.
        vertex: u32,
    },
    /// The initial vertex is not in the graph.
    NoInitial {
        /// What was given.
        vertex: u32,
    },
}

impl TurnGraphError {
    /// The message, with vertices spelled by `name`.
    #[must_use]
    pub fn spelled(&self, name: &dyn Fn(u32) -> alloc::string::String) -> alloc::string::String {
        use alloc::format;
        match *self {
            Self::Graph(ref error) => format!("{error}"),
            Self::NoEdge { vertex } => {
                format!("vertex {} has no edge: a sink has a self-loop", name(vertex))
            }
            Self::SelfLoop { vertex } => {
                let v = name(vertex);
                format!(
                    "the edge {v} → {v} is a self-loop, which only a sink has, as its only edge"
                )
            }
            Self::SameTurn { from, to, owner } => format!(
                "the edge {} → {} joins two vertices of the {owner} player: a move must change \
                 the turn",
                name(from),
                name(to)
            ),
            Self::NoEnding { vertex } => {
                format!("vertex {} is a sink and needs a winner or a draw", name(vertex))
            }
            Self::NotSink { vertex } => {
                format!("vertex {} has an ending, but its only edge is no self-loop", name(vertex))
            }
            Self::NoOwner { vertex } => {
                format!("vertex {} has no owner: `first` or `second` is needed", name(vertex))
            }
            Self::InitialSink { vertex } => {
                format!("the initial vertex {} is a sink", name(vertex))
            }
            Self::NoInitial { vertex } => {
                format!("the initial vertex {} is not in the graph", name(vertex))
            }
        }
    }
}

impl fmt::Display for TurnGraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelled(&|vertex| alloc::string::ToString::to_string(&vertex)))
    }
}

impl core::error::Error for TurnGraphError {}

impl<'a> TurnGraph<'a> {
    /// Takes the edges, the owner of each vertex, and the ending of each sink.
    ///
    /// # Errors
    ///
    /// The first vertex or edge that breaks definition 2.6.
    pub fn new(
        rows: Rows<'a>,
        owners: Vec<Player>,
        endings: Vec<Option<Ending>>,
    ) -> Result<Self, TurnGraphError> {
        let vertices = rows.vertices();
        for (what, given) in [("owners", owners.len()), ("endings", endings.len())] {
            if given != vertices {
                let error = GraphError::WrongLength { what, given, vertices };
                return Err(TurnGraphError::Graph(error));
            }
        }
        for vertex in 0..vertices as u32 {
            let row = rows.row(vertex);
            // Adj is a set: parallel self-loops are one.
            let sink = !row.is_empty() && row.iter().all(|&to| to == vertex);
            match (row, endings[vertex as usize]) {
                ([], _) => return Err(TurnGraphError::NoEdge { vertex }),
                (_, None) if sink => return Err(TurnGraphError::NoEnding { vertex }),
                (_, Some(_)) if !sink => return Err(TurnGraphError::NotSink { vertex }),
                _ if sink => continue,
                _ => {}
            }
            let owner = owners[vertex as usize];
            for &to in row {
                if to == vertex {
                    return Err(TurnGraphError::SelfLoop { vertex });
                }
                if owners[to as usize] == owner {
                    return Err(TurnGraphError::SameTurn { from: vertex, to, owner });
                }
            }
        }
        Ok(Self { rows, owners, endings })
    }

    /// The same graph if `initial` may be the initial vertex of a game.
    ///
    /// # Errors
    ///
    /// A sink, or no vertex at all.
    pub fn with_initial(self, initial: u32) -> Result<Self, TurnGraphError> {
        match self.endings.get(initial as usize) {
            None => Err(TurnGraphError::NoInitial { vertex: initial }),
            Some(Some(_)) => Err(TurnGraphError::InitialSink { vertex: initial }),
            Some(None) => Ok(self),
        }
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.rows.vertices()
    }

    /// The edges, those of sinks to themselves included.
    #[must_use]
    pub fn rows(&self) -> &Rows<'a> {
        &self.rows
    }

    /// Who moves at `vertex`.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex.
    #[must_use]
    pub fn owner(&self, vertex: u32) -> Player {
        self.owners[vertex as usize]
    }

    /// How the game has ended at `vertex`, if that is a sink.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex.
    #[must_use]
    pub fn sink(&self, vertex: u32) -> Option<Ending> {
        self.endings[vertex as usize]
    }

    /// The vertices that can be moved to: none at a sink.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex.
    #[must_use]
    #[inline]
    pub fn moves(&self, vertex: u32) -> &[u32] {
        if self.endings[vertex as usize].is_some() { &[] } else { self.rows.row(vertex) }
    }
}

impl TurnGraph<'static> {
    /// Converts a [`GameGraph`] whose vertices have owners: where the game is over, a sink with a
    /// self-loop is made, whose winner follows from the value for its owner.
    ///
    /// A self-loop at any other vertex does not change the turn and is refused, except that a
    /// vertex with nothing but self-loops and no label is taken as a sink without a winner: nobody
    /// ever leaves it.
    ///
    /// # Errors
    ///
    /// The first vertex or edge that breaks definition 2.6.
    pub fn from_game(
        graph: &GameGraph<'_>,
        owners: &[Option<Player>],
    ) -> Result<Self, TurnGraphError> {
        let vertices = graph.vertices();
        if owners.len() != vertices {
            let (what, given) = ("owners", owners.len());
            return Err(TurnGraphError::Graph(GraphError::WrongLength { what, given, vertices }));
        }
        let owners: Vec<_> = (0_u32..)
            .zip(owners)
            .map(|(vertex, &owner)| owner.ok_or(TurnGraphError::NoOwner { vertex }))
            .collect::<Result<_, _>>()?;
        let ending = |v: u32| {
            let value = graph
                .terminal(v)
                .or_else(|| graph.moves(v).iter().all(|&to| to == v).then_some(Value::Draw))?;
            Some(Ending::from_value(value, owners[v as usize]))
        };
        let endings: Vec<_> = (0..vertices as u32).map(ending).collect();
        let edges = (0..vertices as u32).flat_map(|v| {
            let ended = endings[v as usize].is_some();
            let moves = if ended { &[][..] } else { graph.moves(v) };
            moves.iter().map(move |&to| (v, to)).chain(ended.then_some((v, v)))
        });
        let rows = Rows::from_edges(vertices, edges).map_err(TurnGraphError::Graph)?;
        Self::new(rows, owners, endings)
    }
}

impl TurnGraph<'_> {
    /// Converts to a [`GameGraph`]: sinks lose their self-loops and are labelled with what the
    /// ending is worth to their owner.
    ///
    /// # Errors
    ///
    /// None in practice: the rows only shrink.
    pub fn to_game(&self) -> Result<GameGraph<'static>, GraphError> {
        let vertices = self.vertices() as u32;
        let edges = (0..vertices).flat_map(|v| self.moves(v).iter().map(move |&to| (v, to)));
        let rows = Rows::from_edges(vertices as usize, edges)?;
        let label = |v: u32| self.sink(v).map(|ending| ending.value_for(self.owner(v)));
        GameGraph::new(rows).with_labels((0..vertices).map(label).collect())
    }
}

impl Arena for &TurnGraph<'_> {
    fn known(&self) -> usize {
        self.vertices()
    }

    fn expand(&mut self, vertex: u32) -> u32 {
        self.moves(vertex).len() as u32
    }

    fn degree(&self, vertex: u32) -> u32 {
        self.moves(vertex).len() as u32
    }

    #[inline]
    fn successor(&self, vertex: u32, i: u32) -> u32 {
        self.rows.row(vertex)[i as usize]
    }

    #[inline]
    fn turn(&self, vertex: u32) -> Player {
        self.owner(vertex)
    }

    #[inline]
    fn ending(&self, vertex: u32) -> Option<Ending> {
        self.sink(vertex)
    }
}

/// For the searches that number only what they meet.
impl Game for TurnGraph<'_> {
    type State = u32;

    fn terminal(&self, &vertex: &u32) -> Option<Value> {
        self.sink(vertex).map(|ending| ending.value_for(self.owner(vertex)))
    }

    fn successors(&self, &vertex: &u32, visit: &mut dyn FnMut(u32)) {
        self.moves(vertex).iter().copied().for_each(visit);
    }

    fn turn(&self, &vertex: &u32) -> Player {
        self.owner(vertex)
    }
}
