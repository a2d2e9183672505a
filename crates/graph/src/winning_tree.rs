use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use hashbrown::HashMap;

use crate::{Arena, Ending, Player, Solution, TurnGraph, Value, WinTree};

/// A winning strategy as a tree (definitions 4.1 to 4.4): one child where the winner moves, one for
/// each move where the loser does, and won sinks as leaves.
///
/// Equal subtrees are kept once. The tree that this stands for may have exponentially more nodes:
/// [`size`](Self::size) counts those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinningTree {
    nodes: Vec<TreeNode>,
}

/// The root of a subtree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The vertex of the game.
    pub vertex: u32,
    /// The roots of its subtrees, as places in the list of nodes before this one.
    pub children: Vec<u32>,
}

/// Where and how a tree breaks definition 4.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeError {
    /// There is no node.
    Empty,
    /// A child does not come before its parent.
    Order {
        /// The place of the parent.
        node: u32,
    },
    /// A node is of no vertex of the graph.
    Vertex {
        /// The place of the node.
        node: u32,
    },
    /// A sink that the player has not won, or one with children.
    Sink {
        /// The place of the node.
        node: u32,
    },
    /// Where the player moves, there must be one child.
    OneChild {
        /// The place of the node.
        node: u32,
    },
    /// Where the opponent moves, there must be one child for each vertex that it can move to.
    AllChildren {
        /// The place of the node.
        node: u32,
    },
    /// A child that cannot be moved to.
    NoMove {
        /// The place of the parent.
        node: u32,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the tree has no node"),
            Self::Order { node } => write!(f, "node {node} comes before one of its children"),
            Self::Vertex { node } => write!(f, "node {node} is of no vertex of the graph"),
            Self::Sink { node } => write!(f, "node {node} is at a sink and is no won leaf"),
            Self::OneChild { node } => {
                write!(f, "the player moves at node {node}, which must have one child")
            }
            Self::AllChildren { node } => write!(
                f,
                "the opponent moves at node {node}, which must have one child for each move"
            ),
            Self::NoMove { node } => write!(f, "node {node} has a child that is no move"),
        }
    }
}

impl core::error::Error for TreeError {}

impl WinningTree {
    /// A tree from its nodes, children before parents and the root last. Nothing is checked here.
    #[must_use]
    pub fn from_nodes(nodes: Vec<TreeNode>) -> Self {
        Self { nodes }
    }

    /// The quickest winning strategy of `player` from `root`, if it wins there.
    ///
    /// `solution` is that of [`TurnGraph::to_game`], whose depth is the depth to winning of
    /// definition 2.8; the height of the tree is the depth of the root.
    ///
    /// # Panics
    ///
    /// If `root` is not a vertex, or the solution is of another graph.
    #[must_use]
    pub fn from_solution(
        graph: &TurnGraph<'_>,
        solution: &Solution,
        player: Player,
        root: u32,
    ) -> Option<Self> {
        let depth = |v: u32| {
            let won = if graph.owner(v) == player { Value::Win } else { Value::Loss };
            if solution.value(v) == won { solution.plies(v) } else { None }
        };
        depth(root)?;
        Some(Self::grow(root, |v| {
            let moves = graph.moves(v).iter().copied();
            select(graph.owner(v) == player, moves, depth)
        }))
    }

    /// The winning strategy of the searched player from `root` that a search has found, if it has.
    pub fn from_search<A: Arena>(arena: &mut A, search: &WinTree, root: u32) -> Option<Self> {
        search.bound(root)?;
        Some(Self::grow(root, |v| {
            let degree = arena.expand(v);
            let moves = (0..degree).map(|i| arena.successor(v, i));
            select(arena.turn(v) == search.player(), moves, |w| search.bound(w))
        }))
    }

    /// Builds the tree from the children that each vertex is to have.
    fn grow(root: u32, mut children: impl FnMut(u32) -> Vec<u32>) -> Self {
        let mut nodes: Vec<TreeNode> = Vec::new();
        let mut places: HashMap<u32, u32> = HashMap::new();
        let mut path = vec![(root, children(root), 0)];
        while let Some((vertex, below, next)) = path.last_mut() {
            if let Some(&child) = below.get(*next) {
                *next += 1;
                if !places.contains_key(&child) {
                    path.push((child, children(child), 0));
                }
            } else {
                let children = below.iter().map(|child| places[child]).collect();
                places.insert(*vertex, nodes.len() as u32);
                nodes.push(TreeNode { vertex: *vertex, children });
                path.pop();
            }
        }
        Self { nodes }
    }

    /// The nodes, children before parents, the root last.
    #[must_use]
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// The vertex of the root; none for a tree without nodes.
    #[must_use]
    pub fn root(&self) -> Option<u32> {
        self.nodes.last().map(|node| node.vertex)
    }

    /// The height after definition 4.2: the moves of the longest game.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.fold(|below| below.max().map_or(0, |height| height + 1))
    }

    /// The number of nodes with every subtree written out; `u64::MAX` stands for more.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.fold(|below| below.fold(1, u64::saturating_add))
    }

    /// The number of different games, the leaves with every subtree written out; `u64::MAX` stands
    /// for more.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.fold(|below| below.fold(0, u64::saturating_add).max(1))
    }

    /// Values from the leaves to the root.
    fn fold<T: Copy + Default>(&self, value: impl Fn(&mut dyn Iterator<Item = T>) -> T) -> T {
        let mut values: Vec<T> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let all = value(&mut node.children.iter().map(|&child| values[child as usize]));
            values.push(all);
        }
        values.last().copied().unwrap_or_default()
    }

    /// Checks the tree against definition 4.4, knowing nothing of how it was found. By lemma 4.5,
    /// `player` wins from the root of a tree that passes.
    ///
    /// # Errors
    ///
    /// The first node that breaks the definition.
    pub fn check(&self, graph: &TurnGraph<'_>, player: Player) -> Result<(), TreeError> {
        if self.nodes.is_empty() {
            return Err(TreeError::Empty);
        }
        (0_u32..).zip(&self.nodes).try_for_each(|(i, node)| self.check_node(graph, player, i, node))
    }

    fn check_node(
        &self,
        graph: &TurnGraph<'_>,
        player: Player,
        i: u32,
        node: &TreeNode,
    ) -> Result<(), TreeError> {
        // Places that fall from parent to child leave no room for a cycle.
        if node.children.iter().any(|&child| child >= i) {
            return Err(TreeError::Order { node: i });
        }
        if node.vertex as usize >= graph.vertices() {
            return Err(TreeError::Vertex { node: i });
        }
        if let Some(ending) = graph.sink(node.vertex) {
            let leaf = node.children.is_empty() && ending == Ending::Won(player);
            return if leaf { Ok(()) } else { Err(TreeError::Sink { node: i }) };
        }
        let mut adjacent = graph.rows().row(node.vertex).to_vec();
        adjacent.sort_unstable();
        adjacent.dedup();
        let mut roots: Vec<u32> =
            node.children.iter().map(|&child| self.nodes[child as usize].vertex).collect();
        roots.sort_unstable();
        if roots.iter().any(|root| adjacent.binary_search(root).is_err()) {
            Err(TreeError::NoMove { node: i })
        } else if graph.owner(node.vertex) == player {
            if roots.len() == 1 { Ok(()) } else { Err(TreeError::OneChild { node: i }) }
        } else if roots == adjacent {
            Ok(())
        } else {
            Err(TreeError::AllChildren { node: i })
        }
    }

    /// The tree as indented text, a line for each node, at most `lines` of them.
    #[must_use]
    pub fn draw(&self, name: &dyn Fn(u32) -> String, lines: usize) -> String {
        let mut text = String::new();
        let mut todo: Vec<(u32, usize)> =
            if self.nodes.is_empty() { vec![] } else { vec![(self.nodes.len() as u32 - 1, 0)] };
        let mut drawn = 0;
        while let Some((place, depth)) = todo.pop() {
            if drawn == lines {
                text.push_str("…\n");
                break;
            }
            drawn += 1;
            let node = &self.nodes[place as usize];
            for _ in 0..depth {
                text.push_str("  ");
            }
            text.push_str(&name(node.vertex));
            text.push('\n');
            todo.extend(node.children.iter().rev().map(|&child| (child, depth + 1)));
        }
        text
    }
}

/// The children after definition 4.4: the quickest move of the player, or all of the opponent's.
fn select(
    players_turn: bool,
    moves: impl Iterator<Item = u32>,
    depth: impl Fn(u32) -> Option<u32>,
) -> Vec<u32> {
    if players_turn {
        let best = moves.filter_map(|w| Some((depth(w)?, w))).min_by_key(|&(depth, _)| depth);
        return best.into_iter().map(|(_, w)| w).collect();
    }
    let mut all: Vec<u32> = moves.collect();
    all.sort_unstable();
    all.dedup();
    all
}
