use crate::solution::{LOSS, OPEN, WIN, code};
use crate::{GameGraph, Solution};

/// The obviously right twin of [`retrograde`](crate::retrograde()): applies the rules to every
/// vertex, again and again, until a round decides nothing. O(vertices · edges).
///
/// What round `k` decides rests on rounds before it only, so `k` is the depth.
#[must_use]
pub fn naive(graph: &GameGraph<'_>) -> Solution {
    let mut solution = Solution::open(graph.vertices());
    for v in 0..graph.vertices() as u32 {
        if let Some(value) = graph.terminal(v) {
            solution.set(v, code(value));
        }
    }
    for round in 1.. {
        let mut after = solution.clone();
        let mut changed = false;
        for v in 0..graph.vertices() as u32 {
            if solution.get(v) != OPEN {
                continue;
            }
            let moves = graph.moves(v);
            let decided = if moves.iter().any(|&w| solution.get(w) == LOSS) {
                WIN
            } else if moves.iter().all(|&w| solution.get(w) == WIN) {
                LOSS
            } else {
                continue;
            };
            after.set(v, decided);
            after.plies[v as usize] = round;
            changed = true;
        }
        solution = after;
        if !changed {
            break;
        }
    }
    solution.settle();
    solution
}
