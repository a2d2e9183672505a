use crate::{Arena, GameGraph, Player, Solution, WinTree};

/// A strategy that never loses from a root that is not lost.
///
/// It rests on what is known: on a search for the *opponent's* win (theorem 4.8), or on values.
#[derive(Clone, Debug)]
pub struct NeverLose<K> {
    knowledge: K,
}

impl NeverLose<WinTree> {
    /// The strategy against the player that `search` has searched a win for.
    ///
    /// It holds from the root of the search on, along every line of play: where the search has
    /// proved that the opponent does not win (FALSE), it moves to a vertex with the same proof;
    /// where it has left that open (NIL), every vertex of the line from the root is open, and by
    /// theorem 4.8 the opponent does not win from another open one. Starting elsewhere, an open
    /// vertex proves nothing. None if the opponent wins or the search did not finish.
    #[must_use]
    pub fn against(search: WinTree) -> Option<Self> {
        let safe = search.verdict() == crate::Verdict::DoesNotWin;
        safe.then_some(Self { knowledge: search })
    }

    /// Who never loses.
    #[must_use]
    pub fn player(&self) -> Player {
        self.knowledge.player().opponent()
    }

    /// The move at `vertex`, which must lie on a line from the root on which the player has made
    /// all its moves by this strategy; none where the game is over.
    pub fn choose<A: Arena>(&self, arena: &mut A, vertex: u32) -> Option<u32> {
        let search = &self.knowledge;
        let degree = arena.expand(vertex);
        let moves = || (0..degree).map(|i| arena.successor(vertex, i));
        moves()
            .find(|&w| search.won(w) == Some(false))
            .or_else(|| moves().find(|&w| search.colour(w).is_some() && search.won(w).is_none()))
    }
}

impl NeverLose<Solution> {
    /// The strategy that keeps values, from any vertex and for either side: it also wins what is
    /// won, in the fewest plies.
    #[must_use]
    pub fn by_values(solution: Solution) -> Self {
        Self { knowledge: solution }
    }

    /// The move at `vertex`; none where the game is over.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex, or the values are of another graph.
    #[must_use]
    pub fn choose_move(&self, graph: &GameGraph<'_>, vertex: u32) -> Option<u32> {
        self.knowledge.best_move(graph, vertex)
    }
}
