mod ball;
mod dependencies;

use alloc::vec::Vec;

use crate::{Arena, Explored, Game, Player, Value};
use dependencies::Dependencies;

/// Answers questions about single positions of a game, exploring only what an answer needs, in
/// time linear in what it explores.
///
/// Whether a player wins is found by dependency lists, as in Liu and Smolka's local fixed point
/// ("Simple linear-time algorithms for minimal fixed points", ICALP 1998): each position waits for
/// the ones that could decide it, and is told when they are decided. A position where the opponent
/// moves waits for one successor at a time. How deep a win is takes a second walk, breadth first,
/// over the positions no farther than the win is deep.
///
/// ```
/// use crownhead_graph::{GameGraph, Local, Played, Player, Value};
///
/// // An endless line of twos, with a way to lose for whoever stands at 1.
/// let graph = GameGraph::from_edges(4, [(0, 1), (1, 0), (0, 2), (1, 3)].into_iter())?;
/// let mut local = Local::new(Played(&graph));
/// assert_eq!(local.value((0, Player::Attacker)), (Value::Win, Some(1)));
/// # Ok::<(), crownhead_graph::GraphError>(())
/// ```
pub struct Local<G: Game> {
    arena: Explored<G>,
    settled: Vec<(u32, Value, Option<u32>)>,
}

/// Whether a player wins from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// It wins.
    Wins {
        /// An upper bound of the depth, in plies.
        bound: u32,
    },
    /// It does not win.
    DoesNotWin,
}

impl<G: Game> Local<G> {
    /// Questions about positions of `game`.
    #[must_use]
    pub fn new(game: G) -> Self {
        Self { arena: Explored::new(game), settled: Vec::new() }
    }

    /// What has been explored, for all questions together: each position was expanded once.
    #[must_use]
    pub fn explored(&self) -> &Explored<G> {
        &self.arena
    }

    /// Whether `player` wins from `root`.
    pub fn decide(&mut self, root: G::State, player: Player) -> Decision {
        let root = self.arena.vertex(root);
        Dependencies::new(&mut self.arena, player).decide(root)
    }

    /// In how many plies `player` wins from `root`, if it does.
    pub fn depth(&mut self, root: G::State, player: Player) -> Option<u32> {
        let root = self.arena.vertex(root);
        self.settled.clear();
        match Dependencies::new(&mut self.arena, player).decide(root) {
            Decision::Wins { .. } => Some(self.win_depth(root, player)),
            Decision::DoesNotWin => None,
        }
    }

    /// The value of `root` for the side to move, and the plies unless it is a draw.
    pub fn value(&mut self, root: G::State) -> (Value, Option<u32>) {
        let root = self.arena.vertex(root);
        self.settled.clear();
        let mover = self.arena.turn(root);
        let mut undecided = Vec::new();
        for (player, value) in [(mover, Value::Win), (mover.opponent(), Value::Loss)] {
            let mut dependencies = Dependencies::new(&mut self.arena, player);
            if let Decision::Wins { .. } = dependencies.decide(root) {
                return (value, Some(self.win_depth(root, player)));
            }
            undecided.push(dependencies.undecided());
        }
        // Neither player wins where both searches came to their end without a win.
        let [first, second] = &undecided[..] else { unreachable!("two players were asked for") };
        let drawn = first.iter().filter(|v| second.binary_search(v).is_ok());
        self.settled.extend(drawn.map(|&v| (v, Value::Draw, None)));
        (Value::Draw, None)
    }

    /// The positions whose value the last [`value`](Self::value) or [`depth`](Self::depth) settled
    /// for good, the root among them unless `depth` found no win: the number in
    /// [`explored`](Self::explored), the value for the side to move, and the plies.
    #[must_use]
    pub fn settled(&self) -> &[(u32, Value, Option<u32>)] {
        &self.settled
    }

    fn win_depth(&mut self, root: u32, player: Player) -> u32 {
        let ball = ball::solve(&mut self.arena, root, player);
        self.settled = ball.settled;
        ball.depth
    }
}
