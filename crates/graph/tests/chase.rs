//! Policeman and thief: the document's examples and random boards, and boards that are refused.

mod common;

use common::Random;
use crownhead_graph::chase::{Chase, ChaseFault, ChaseState};
use crownhead_graph::{Explored, Game, GameGraph, Local, Player, Value, naive, retrograde, verify};

/// The graph of all positions, as the document builds it: every pair of cells, both turns.
fn whole_graph(chase: &Chase) -> (GameGraph<'static>, u32) {
    let mut explored = Explored::new(chase);
    for policeman in chase.free_cells() {
        for thief in chase.free_cells() {
            for turn in Player::BOTH {
                explored.vertex(ChaseState { policeman, thief, turn });
            }
        }
    }
    let start = explored.vertex(chase.start());
    let cells = chase.free_cells().count();
    let (graph, states) = explored.into_graph().unwrap();
    assert_eq!(states.len(), 2 * cells * cells);
    (graph, start)
}

fn outcome(board: &str) -> (Value, Option<u32>) {
    let chase = Chase::parse(board).unwrap();
    let (graph, start) = whole_graph(&chase);
    let solution = retrograde(&graph);
    let found = (solution.value(start), solution.plies(start));
    assert_eq!(Local::new(&chase).value(chase.start()), found);
    found
}

#[test]
fn document_001_boards() {
    assert_eq!(outcome("PT.\n...\n..E"), (Value::Win, Some(1)));
    assert_eq!(outcome("P.TE."), (Value::Loss, Some(2)));
    assert_eq!(outcome("P**\n*.*\n**T").0, Value::Win);
    assert_eq!(outcome("P*T"), (Value::Draw, None));
}

/// Caught on the exit is caught; and several exits are allowed.
#[test]
fn the_same_cell_goes_before_the_exit() {
    let chase = Chase::parse("E.PT\nE...").unwrap();
    let at = |policeman, thief, turn| chase.terminal(&ChaseState { policeman, thief, turn });
    assert_eq!(at(0, 0, Player::Attacker), Some(Value::Win));
    assert_eq!(at(0, 0, Player::Defender), Some(Value::Loss));
    for exit in [0, 4] {
        assert_eq!(at(3, exit, Player::Attacker), Some(Value::Loss));
        assert_eq!(at(3, exit, Player::Defender), Some(Value::Win));
    }
    assert_eq!(at(0, 1, Player::Attacker), None);
}

/// The document's own test: 120 random boards, linear against naive; all outcomes occur. And the
/// facts it asks for: a decided state's label agrees with the rules.
#[test]
fn document_001_random_boards() {
    let mut random = Random(4);
    let mut seen = [0; 3];
    for _ in 0..120 {
        let (rows, columns) = (1 + random.below(3), 2 + random.below(3));
        let cells = (rows * columns) as usize;
        let mut board: Vec<char> =
            (0..cells).map(|_| *random.pick(&['.', '.', '.', '.', '.', '*'])).collect();
        let policeman = random.below(cells as u32) as usize;
        let thief = (policeman + 1 + random.below(cells as u32 - 1) as usize) % cells;
        board[policeman] = 'P';
        board[thief] = 'T';
        let exit = random.below(cells as u32) as usize;
        if board[exit] == '.' {
            board[exit] = 'E';
        }
        let text: Vec<String> =
            board.chunks(columns as usize).map(|row| row.iter().collect()).collect();
        let chase = Chase::parse(&text.join("\n")).unwrap();
        let (graph, start) = whole_graph(&chase);
        let solution = retrograde(&graph);
        assert_eq!(solution, naive(&graph), "{text:?}");
        verify(&graph, &solution).unwrap();
        for v in 0..graph.vertices() as u32 {
            if let Some(label) = graph.label(v) {
                assert_eq!((solution.value(v), solution.plies(v)), (label, Some(0)));
            }
        }
        seen[solution.value(start) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn boards_that_are_refused() {
    let cases = [
        ("", 1, 1, ChaseFault::Empty),
        ("\n\n", 1, 1, ChaseFault::Empty),
        ("P.\n..", 2, 2, ChaseFault::Missing('T')),
        ("..\nT.\n", 2, 2, ChaseFault::Missing('P')),
        ("PT.\n.P.", 2, 2, ChaseFault::Second('P')),
        ("PTT", 1, 3, ChaseFault::Second('T')),
        ("PT.\n....", 2, 4, ChaseFault::Ragged { expected: 3, found: 4 }),
        ("PT.\n..\n...", 2, 3, ChaseFault::Ragged { expected: 3, found: 2 }),
        ("PT.\n\n...", 2, 1, ChaseFault::Ragged { expected: 3, found: 0 }),
        ("PT.\n.#.", 2, 2, ChaseFault::Character('#')),
        ("pT", 1, 1, ChaseFault::Character('p')),
    ];
    for (board, line, column, fault) in cases {
        let error = Chase::parse(board).unwrap_err();
        assert_eq!((error.line, error.column, error.fault), (line, column, fault), "{board:?}");
        assert!(error.to_string().starts_with(&format!("line {line}, column {column}: ")));
    }
    let large = format!("PT{}", ".".repeat(4095));
    assert_eq!(Chase::parse(&large).unwrap_err().fault, ChaseFault::TooLarge);
    assert!(Chase::parse(&large[1..]).is_err());
}
