use crownhead_rules::Position;
use crownhead_table::compact::feature::Features;

use crate::tree::Tree;

/// A node of a tree in the image's order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// Goes on at `child`, or behind it where the feature holds.
    Split { feature: u32, child: u32 },
    /// The leaf of this number.
    Leaf(u32),
}

/// How many positions come to a leaf, and how many of them fulfil the predicate.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) n: u64,
    pub(crate) ones: u64,
}

impl Tally {
    /// Positions that differ from most.
    pub(crate) fn exceptions(self) -> u64 {
        self.ones.min(self.n - self.ones)
    }

    /// The value of most positions.
    pub(crate) fn usual(self) -> bool {
        self.ones * 2 > self.n
    }
}

/// A tree level by level.
#[derive(Clone, Debug)]
pub(crate) struct FlatTree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) leaves: Vec<Tally>,
}

impl FlatTree {
    pub(crate) fn new(tree: &Tree) -> Self {
        let mut flat = Self { nodes: Vec::new(), leaves: Vec::new() };
        let mut level = vec![tree];
        // Nodes of all levels begun so far: the next level's first child comes behind them.
        let mut begun = 1;
        while !level.is_empty() {
            let mut next = Vec::new();
            for tree in level {
                match tree {
                    Tree::Leaf { n, ones } => {
                        flat.nodes.push(Node::Leaf(flat.leaves.len() as u32));
                        flat.leaves.push(Tally { n: *n, ones: *ones });
                    }
                    Tree::Split { feature, without, with } => {
                        flat.nodes.push(Node::Split { feature: *feature, child: begun });
                        begun += 2;
                        next.extend([&**without, &**with]);
                    }
                }
            }
            level = next;
        }
        flat
    }

    /// The number of the leaf to which a position with Black to move comes.
    #[inline]
    pub(crate) fn leaf(&self, position: &Position) -> usize {
        let mut features = Features::new(position);
        let mut at = 0;
        loop {
            match self.nodes[at] {
                Node::Leaf(leaf) => return leaf as usize,
                Node::Split { feature, child } => {
                    at = child as usize + usize::from(features.holds(feature));
                }
            }
        }
    }

    /// The features of the splits, in order.
    pub(crate) fn splits(&self) -> impl Iterator<Item = u32> + '_ {
        self.nodes.iter().filter_map(|node| match node {
            Node::Split { feature, .. } => Some(*feature),
            Node::Leaf(_) => None,
        })
    }
}
