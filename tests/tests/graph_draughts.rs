//! Draughts endgames as a game on a graph: every value and distance to 3 pieces equals that of the
//! table solver.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crownhead_graph::{Explored, Game, Local, Player, retrograde, verify};
use crownhead_index::materials_to;
use crownhead_rules::{Color, Position, Prober};
use crownhead_solver::{Metric, Options, Pipeline, Plan, Reference};
use crownhead_table::{Check, Tables};

/// Draughts by its rules alone: a side without a move has lost.
struct Draughts;

impl Game for Draughts {
    type State = Position;

    fn terminal(&self, _: &Position) -> Option<crownhead_graph::Value> {
        None
    }

    fn successors(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        let _ = position.visit_moves(|one| {
            visit(position.after(&one));
            ControlFlow::<()>::Continue(())
        });
    }

    fn turn(&self, position: &Position) -> Player {
        if position.side_to_move == Color::Black { Player::Attacker } else { Player::Defender }
    }
}

#[test]
fn draughts_to_three_pieces_equal_the_tables() {
    let directory = tempfile::tempdir().unwrap();
    let (backend, plan) = (Reference::new(Metric::Dtw), Plan::to_pieces(3));
    let options = Options { directory: Some(directory.path()), write: true, ..Options::default() };
    let stop = AtomicBool::new(false);
    let backend = &backend;
    Pipeline { backend, plan: &plan, options, stop: &stop, observer: &|_| {} }.run().unwrap();
    let tables = Tables::open(directory.path(), Metric::Dtw, Check::Everything);

    let mut explored = Explored::new(Draughts);
    for material in materials_to(3) {
        let index = *tables.table(material).unwrap().index();
        for &side in index.sides() {
            for rank in 0..index.len() {
                explored.vertex(index.unrank(rank, side).unwrap());
            }
        }
    }
    let (graph, positions) = explored.into_graph().unwrap();
    let solution = retrograde(&graph);
    verify(&graph, &solution).unwrap();
    let mut counts = [0; 3];
    for (v, position) in (0_u32..).zip(&positions) {
        let expected = tables.probe(position).unwrap();
        let found = (solution.value(v), solution.plies(v));
        assert_eq!(found.0.word(), expected.value.name(), "{position}");
        assert_eq!(found.1, expected.plies.map(u32::from), "{position}");
        counts[found.0 as usize] += 1;
        // The local search answers the same without the rest of the graph.
        if v % 3000 == 0 {
            assert_eq!(Local::new(Draughts).value(*position), found, "{position}");
        }
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}
