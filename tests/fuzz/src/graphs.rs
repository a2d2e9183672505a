//! Any bytes as graphs: edge lists, PGSolver's parity games, Crownhead's binary form.

use std::convert::Infallible;

use crownhead_graph::formats::{
    NamedGraph, parse_edge_list, parse_pgsolver, read_binary, write_binary, write_pgsolver,
};
use crownhead_graph::{naive, retrograde, verify};

/// Graphs of more vertices or edges only cost time.
const LARGEST: usize = 300;

/// The readers of all formats.
pub fn graphs(bytes: &[u8]) {
    if let Ok(graph) = parse_edge_list(bytes) {
        solve(&graph);
    }
    if let Some(graph) = std::str::from_utf8(bytes).ok().and_then(|text| parse_pgsolver(text).ok())
    {
        solve(&graph);
    }
    if let Ok(graph) = read_binary(bytes) {
        solve(&graph);
    }
    let mut sealed = bytes.to_vec();
    if sealed.len() >= 32 {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&sealed[..28]);
        crc.update(&sealed[32..]);
        sealed[28..32].copy_from_slice(&crc.finalize().to_le_bytes());
        if let Ok(graph) = read_binary(&sealed) {
            solve(&graph);
        }
    }
}

/// Both solvers agree, and what is written is read again.
fn solve(graph: &NamedGraph<'_>) {
    let rows = graph.graph.rows();
    if rows.vertices() > LARGEST || rows.edges() > LARGEST {
        return;
    }
    let solution = retrograde(&graph.graph);
    assert_eq!(solution, naive(&graph.graph));
    assert!(verify(&graph.graph, &solution).is_ok());
    let mut bytes = Vec::new();
    let written = write_binary(graph, |part| {
        bytes.extend_from_slice(part);
        Ok::<_, Infallible>(())
    });
    assert!(written.is_ok());
    assert_eq!(read_binary(&bytes).as_ref(), Ok(graph));
    let mut text = String::new();
    if write_pgsolver(&graph.graph, &graph.names, &mut text).is_ok() {
        let again = parse_pgsolver(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(retrograde(&again.graph), solution, "{text}");
    }
}
