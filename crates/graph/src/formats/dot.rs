//! Graphviz's DOT: graphs with values and depths, and winning trees.

use alloc::string::String;
use core::fmt;

use super::names::Names;
use crate::{GameGraph, Solution, Value, WinningTree};

/// Writes a graph, with the value and the plies of each vertex if a solution is given. Moves that
/// keep value and plies are drawn bold.
///
/// # Errors
///
/// What `out` returns.
pub fn write_dot(
    graph: &GameGraph<'_>,
    names: &Names,
    solution: Option<&Solution>,
    out: &mut impl fmt::Write,
) -> fmt::Result {
    writeln!(out, "digraph game {{")?;
    writeln!(out, "  node [style=filled, fillcolor=white];")?;
    for v in 0..graph.vertices() as u32 {
        let name = escape(&names.name(v));
        match solution {
            None => writeln!(out, "  {v} [label=\"{name}\"];")?,
            Some(solution) => {
                let value = solution.value(v);
                write!(out, "  {v} [label=\"{name}\\n{value}")?;
                if let Some(plies) = solution.plies(v) {
                    write!(out, " {plies}")?;
                }
                writeln!(out, "\", fillcolor=\"{}\"];", colour(value))?;
            }
        }
    }
    for v in 0..graph.vertices() as u32 {
        let best = solution.and_then(|solution| solution.best_move(graph, v));
        for &w in graph.moves(v) {
            let bold = if best == Some(w) { " [style=bold]" } else { "" };
            writeln!(out, "  {v} -> {w}{bold};")?;
        }
    }
    writeln!(out, "}}")
}

/// Writes a winning tree, equal subtrees once.
///
/// # Errors
///
/// What `out` returns.
pub fn write_tree_dot(tree: &WinningTree, names: &Names, out: &mut impl fmt::Write) -> fmt::Result {
    writeln!(out, "digraph winning_tree {{")?;
    for (place, node) in tree.nodes().iter().enumerate() {
        writeln!(out, "  {place} [label=\"{}\"];", escape(&names.name(node.vertex)))?;
        for child in &node.children {
            writeln!(out, "  {place} -> {child};")?;
        }
    }
    writeln!(out, "}}")
}

/// The colour of a value, in DOT and SVG alike.
pub(crate) fn colour(value: Value) -> &'static str {
    match value {
        Value::Win => "#a6d96a",
        Value::Draw => "#e0e0e0",
        Value::Loss => "#f4a582",
    }
}

fn escape(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}
