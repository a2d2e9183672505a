//! Graphs that are hard for a depth-first search.

use crownhead_graph::{Ending, Player, Rows, TurnGraph};

/// `k` diamonds in a ring: 3i moves to 3i+1 and 3i+2, both of which move to 3i+3, and the last
/// two back to 0. Nothing is ever won, and 2^k simple paths lead around.
pub(crate) fn diamonds(k: u32) -> TurnGraph<'static> {
    let next = move |i: u32| if i + 1 == k { 0 } else { 3 * i + 3 };
    let edges = (0..k).flat_map(move |i| {
        let top = 3 * i;
        [(top, top + 1), (top, top + 2), (top + 1, next(i)), (top + 2, next(i))]
    });
    let rows = Rows::from_edges(3 * k as usize, edges).unwrap();
    let owner = |v| if v % 3 == 0 { Player::Attacker } else { Player::Defender };
    let owners = (0..3 * k).map(owner).collect();
    TurnGraph::new(rows, owners, vec![None; 3 * k as usize]).unwrap()
}

/// A line of forced moves to a sink that the attacker wins, from vertex 0.
pub(crate) fn line(vertices: u32) -> TurnGraph<'static> {
    let last = vertices - 1;
    let edges = (0..last).map(|v| (v, v + 1)).chain([(last, last)]);
    let rows = Rows::from_edges(vertices as usize, edges).unwrap();
    let owners = (0..vertices).map(|v| Player::BOTH[v as usize % 2]).collect();
    let mut endings = vec![None; vertices as usize];
    endings[last as usize] = Some(Ending::Won(Player::Attacker));
    TurnGraph::new(rows, owners, endings).unwrap()
}
