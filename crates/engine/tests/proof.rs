//! Proofs without tables.

use crownhead_engine::{Limits, NoTables, ProofSlot, Prover};
use crownhead_rules::{Position, Value};

/// What is proved of a position within so many nodes, the second time with what is remembered.
fn proved(fen: &str, nodes: u64) -> [Option<Value>; 2] {
    let position: Position = fen.parse().unwrap();
    let mut slots = vec![ProofSlot::default(); 1 << 14];
    let mut prover = Prover::new(&mut slots, &NoTables);
    [0, 1].map(|_| prover.prove(&position, None, &Limits::nodes(nodes)).value())
}

#[test]
fn wins_and_losses_are_proved_to_the_end() {
    for (fen, value) in [
        ("B:WK13:BK1", Value::Win),
        ("W:WK26,K27:B21,K25", Value::Win),
        ("B:WK26,K27:B21,K25", Value::Loss),
        ("B:W16,19:B12", Value::Loss),
    ] {
        assert_eq!(proved(fen, 2_000_000), [Some(value); 2], "{fen}");
    }
}

/// Kings can go round for ever: draws that only circles prove.
#[test]
fn circles_prove_draws() {
    for fen in ["W:WK1:BK32", "W:WK18:BK29,K30"] {
        assert_eq!(proved(fen, 4_000_000), [Some(Value::Draw); 2], "{fen}");
    }
}

#[test]
fn a_limit_ends_the_search_without_an_answer() {
    assert_eq!(proved("B:W11,6:B3,K25", 100), [None; 2]);
    let mut slots = vec![ProofSlot::default(); 64];
    let mut prover = Prover::new(&mut slots, &NoTables);
    let proof = prover.prove(&Position::START, None, &Limits::until(&|| true));
    assert_eq!(proof.value(), None);
}
