//! Solves a game on a graph of your own: here a heap from which one takes 1, 2 or 3 stones, and
//! whoever cannot move has lost.
//!
//! > 0 stones: loss in 0 plies
//! > 1 stones: win in 1 plies
//! > 2 stones: win in 1 plies
//! > 3 stones: win in 1 plies
//! > 4 stones: loss in 2 plies
//! > 5 stones: win in 3 plies, leaving 4

use anyhow::Result;
use crownhead_graph::{GameGraph, retrograde};

fn main() -> Result<()> {
    let takes = |heap: u32| (1..=3).filter(move |&take| take <= heap).map(move |take| heap - take);
    let moves = (0..6).flat_map(|heap| takes(heap).map(move |rest| (heap, rest)));
    let graph = GameGraph::from_edges(6, moves)?;
    let solution = retrograde(&graph);
    for heap in 0..6 {
        let plies = solution.plies(heap).map_or("no".to_owned(), |plies| plies.to_string());
        print!("{heap} stones: {} in {plies} plies", solution.value(heap));
        match solution.best_move(&graph, heap).filter(|_| heap == 5) {
            Some(rest) => println!(", leaving {rest}"),
            None => println!(),
        }
    }
    Ok(())
}
