use alloc::vec;
use alloc::vec::Vec;

use crate::{Arena, Ending, GameGraph, Player, Rows, Value, retrograde};

/// What the positions around a won root tell.
pub(super) struct Ball {
    /// Plies of the win.
    pub(super) depth: u32,
    /// The vertices whose value and plies are final.
    pub(super) settled: Vec<(u32, Value, Option<u32>)>,
}

/// The exact depth of a root that `player` is known to win.
///
/// A win in `d` plies takes place within distance `d`. So the game is explored breadth first and
/// what is there is solved, with the rest taken as drawn, each time the moves explored have
/// doubled; the first win that is not deeper than everything explored is exact. Doubling keeps all
/// solving together linear in what is explored.
pub(super) fn solve<A: Arena>(arena: &mut A, root: u32, player: Player) -> Ball {
    let mut walk = Walk { order: vec![root], distances: vec![0], places: Vec::new(), expanded: 0 };
    walk.note_place(root, 0, arena.known());
    let (mut moves, mut solve_at) = (0, 16);
    loop {
        moves += 1 + walk.expand_next(arena);
        if moves < solve_at && walk.expanded < walk.order.len() {
            continue;
        }
        solve_at = moves * 2;
        if let Some(ball) = walk.solve(arena, player) {
            return ball;
        }
        assert!(walk.expanded < walk.order.len(), "the root is won within the whole game");
    }
}

/// A breadth-first walk from the root.
struct Walk {
    /// The vertices in the order of the walk.
    order: Vec<u32>,
    /// The distance of each from the root, in moves.
    distances: Vec<u32>,
    /// The place of each vertex in `order`, plus one; 0 for one not there.
    places: Vec<u32>,
    /// How many of `order` have been expanded.
    expanded: usize,
}

impl Walk {
    fn note_place(&mut self, v: u32, place: usize, known: usize) {
        self.places.resize(known, 0);
        self.places[v as usize] = place as u32 + 1;
    }

    /// Expands one vertex more and returns the number of its moves.
    fn expand_next<A: Arena>(&mut self, arena: &mut A) -> u64 {
        let (v, distance) = (self.order[self.expanded], self.distances[self.expanded]);
        self.expanded += 1;
        let degree = arena.expand(v);
        self.places.resize(arena.known(), 0);
        for i in 0..degree {
            let w = arena.successor(v, i);
            if self.places[w as usize] == 0 {
                self.note_place(w, self.order.len(), arena.known());
                self.order.push(w);
                self.distances.push(distance + 1);
            }
        }
        u64::from(degree)
    }

    /// Solves what is there; none while the root's win might be shorter or is not yet seen.
    fn solve<A: Arena>(&self, arena: &A, player: Player) -> Option<Ball> {
        let seen = &self.order[..self.expanded];
        let edges = (0_u32..).zip(seen).flat_map(|(place, &v)| {
            let place_of = |w: u32| self.places[w as usize] - 1;
            (0..arena.degree(v)).map(move |i| (place, place_of(arena.successor(v, i))))
        });
        let rows = Rows::from_edges(self.order.len(), edges).ok()?;
        let labels = (0..self.order.len()).map(|place| self.label(arena, place)).collect();
        let graph = GameGraph::new(rows).with_labels(labels).ok()?;
        let solution = retrograde(&graph);
        let whole = self.expanded == self.order.len();
        let radius = if whole { u32::MAX } else { self.distances[self.expanded] - 1 };
        let final_plies = |place: u32| {
            let plies = solution.plies(place)?;
            let reach = self.distances[place as usize].saturating_add(plies);
            (reach <= radius).then_some(plies)
        };
        let won = if arena.turn(self.order[0]) == player { Value::Win } else { Value::Loss };
        let depth = final_plies(0).filter(|_| solution.value(0) == won)?;
        let settled = (0_u32..)
            .zip(&self.order)
            .filter(|&(place, _)| whole || final_plies(place).is_some())
            .map(|(place, &v)| (v, solution.value(place), final_plies(place)))
            .collect();
        Some(Ball { depth, settled })
    }

    fn label<A: Arena>(&self, arena: &A, place: usize) -> Option<Value> {
        let v = self.order[place];
        if place >= self.expanded {
            return Some(Value::Draw);
        }
        arena.ending(v).map(|ending: Ending| ending.value_for(arena.turn(v)))
    }
}
