//! WinTree: depth-first search for a winning strategy, after F. Romano, "How to program a
//! never-losing chess engine", sections 3 and 4.
//!
//! It needs only the part of the game that it visits, but it may visit a vertex once for each
//! simple path that leads there. [`Local`](crate::Local) answers the same question in linear time.

mod blockers;
mod reordered;
mod search;

use alloc::vec::Vec;

pub use reordered::Reordered;

use crate::{Arena, Player};
use search::Search;

/// Which form of the procedure runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Section 3: the successors in their order.
    #[default]
    Plain,
    /// Section 4.1: what is black first, then the others. The listing printed there forgets
    /// vertices that become black during its second loop; here that loop looks at all of them.
    Ordered,
    /// Ordered, and a white vertex is visited again only if one of the gray vertices that its
    /// last visit ran into is no longer gray (the remark after theorem 4.8, by lemma 4.7).
    GrayReached,
}

impl Variant {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Ordered, Self::GrayReached];
}

/// The colour of a visited vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Visited without a result: the vertex may be visited again.
    White,
    /// Being visited.
    Gray,
    /// Decided for good.
    Black,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The player wins from the root.
    Wins {
        /// An upper bound of the depth to winning, in plies.
        bound: u32,
    },
    /// The player does not win from the root: at best it draws.
    DoesNotWin,
    /// The budget of visits was spent first. What is black holds all the same.
    BudgetSpent,
}

/// What a search found: colour, win and d of every vertex that it visited.
#[derive(Clone, Debug)]
pub struct WinTree {
    player: Player,
    root: u32,
    verdict: Verdict,
    marks: Vec<Mark>,
    bounds: Vec<u32>,
    visits: u64,
    peak_bytes: usize,
}

/// Colour and win of a vertex in one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark {
    colour: Option<Colour>,
    won: Option<bool>,
}

/// d of a vertex that is not won.
const INFINITE: u32 = u32::MAX;

/// Searches whether `player` wins from `root`, visiting at most `budget` vertices (a vertex counts
/// each time it is visited).
///
/// ```
/// use crownhead_graph::{Ending, Player::*, Rows, TurnGraph, Variant, Verdict, wintree};
///
/// // The attacker moves from 0 to a sink that it wins, or to a vertex that leads back.
/// let rows = Rows::from_edges(3, [(0, 1), (0, 2), (1, 0), (2, 2)].into_iter())?;
/// let ending = [None, None, Some(Ending::Won(Attacker))];
/// let graph = TurnGraph::new(rows, vec![Attacker, Defender, Defender], ending.to_vec())?;
/// let search = wintree(&mut &graph, Attacker, 0, Variant::Plain, u64::MAX);
/// assert_eq!(search.verdict(), Verdict::Wins { bound: 1 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If `root` is not a vertex.
pub fn wintree<A: Arena>(
    arena: &mut A,
    player: Player,
    root: u32,
    variant: Variant,
    budget: u64,
) -> WinTree {
    Search::new(arena, player, variant, budget).run(root)
}

impl WinTree {
    /// How the search ended.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Who was to win.
    #[must_use]
    pub fn player(&self) -> Player {
        self.player
    }

    /// Where the search started.
    #[must_use]
    pub fn root(&self) -> u32 {
        self.root
    }

    fn mark(&self, vertex: u32) -> Mark {
        self.marks.get(vertex as usize).copied().unwrap_or_default()
    }

    /// The colour of `vertex`; none if it was not visited.
    #[must_use]
    pub fn colour(&self, vertex: u32) -> Option<Colour> {
        self.mark(vertex).colour
    }

    /// Whether the player wins at `vertex`; none (NIL in the paper) if that is open.
    #[must_use]
    pub fn won(&self, vertex: u32) -> Option<bool> {
        // A gray vertex is there only when the budget was spent: its value is not final.
        let mark = self.mark(vertex);
        if mark.colour == Some(Colour::Black) { mark.won } else { None }
    }

    /// d of the paper: an upper bound of the depth to winning, in plies; none if infinite.
    #[must_use]
    pub fn bound(&self, vertex: u32) -> Option<u32> {
        (self.won(vertex) == Some(true)).then(|| self.bounds[vertex as usize])
    }

    /// The vertices that were visited, in rising order.
    pub fn visited(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(&self.marks).filter(|(_, mark)| mark.colour.is_some()).map(|(v, _)| v)
    }

    /// How many visits were made, a vertex counted each time.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The most bytes that the search held at once, beside the game itself.
    #[must_use]
    pub fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }
}
