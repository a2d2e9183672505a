//! A picture of a small solved graph.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::dot::colour;
use super::names::Names;
use crate::{GameGraph, Solution};

const STEP_X: i32 = 110;
const STEP_Y: i32 = 80;
const RADIUS: i32 = 22;
/// Drawn vertices have no depth and fill rows of this many.
const DRAWS_IN_ROW: usize = 8;

/// Draws a solved graph: a column for each depth, where the game is over on the right, and draws in
/// rows below. Moves that keep value and plies are drawn bold. Meant for some dozens of vertices.
///
/// # Errors
///
/// What `out` returns.
pub fn write_svg(
    graph: &GameGraph<'_>,
    names: &Names,
    solution: &Solution,
    out: &mut impl fmt::Write,
) -> fmt::Result {
    let (places, width, height) = lay_out(solution);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">"
    )?;
    writeln!(
        out,
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>"
    )?;
    for v in 0..graph.vertices() as u32 {
        let best = solution.best_move(graph, v);
        for &w in graph.moves(v) {
            write_move(places[v as usize], places[w as usize], best == Some(w), out)?;
        }
    }
    for (v, &(x, y)) in (0_u32..).zip(&places) {
        let (value, name) = (solution.value(v), escape(&names.name(v)));
        writeln!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{}\" stroke=\"black\"/>",
            colour(value)
        )?;
        write!(out, "<text x=\"{x}\" y=\"{}\">{name}</text>", y - 2)?;
        write!(out, "<text x=\"{x}\" y=\"{}\" font-size=\"9\">{value}", y + 11)?;
        match solution.plies(v) {
            Some(plies) => writeln!(out, " {plies}</text>")?,
            None => writeln!(out, "</text>")?,
        }
    }
    writeln!(out, "</svg>")
}

/// The centre of each vertex, and the size of the picture.
fn lay_out(solution: &Solution) -> (Vec<(i32, i32)>, i32, i32) {
    let plies: Vec<Option<u32>> =
        (0..solution.vertices() as u32).map(|v| solution.plies(v)).collect();
    let mut depths: Vec<u32> = plies.iter().flatten().copied().collect();
    depths.sort_unstable();
    depths.dedup();
    let mut filled = vec![0; depths.len()];
    let mut places = vec![(0, 0); plies.len()];
    for (place, plies) in places.iter_mut().zip(&plies) {
        if let Some(column) = plies.and_then(|plies| depths.binary_search(&plies).ok()) {
            let from_right = (depths.len() - 1 - column) as i32;
            *place = (from_right * STEP_X + STEP_X / 2, filled[column] * STEP_Y + STEP_Y / 2);
            filled[column] += 1;
        }
    }
    let top = filled.iter().max().copied().unwrap_or(0);
    let drawn = places.iter_mut().zip(&plies).filter(|(_, plies)| plies.is_none());
    let mut draws = 0;
    for (i, (place, _)) in drawn.enumerate() {
        let (column, row) = ((i % DRAWS_IN_ROW) as i32, (i / DRAWS_IN_ROW) as i32);
        *place = (column * STEP_X + STEP_X / 2, (top + row) * STEP_Y + STEP_Y / 2);
        draws = i + 1;
    }
    let columns = depths.len().max(draws.min(DRAWS_IN_ROW)).max(1) as i32;
    let rows = top + draws.div_ceil(DRAWS_IN_ROW) as i32;
    (places, columns * STEP_X, rows.max(1) * STEP_Y)
}

/// An arrow from rim to rim, bent so that one each way, and one past vertices between, can be seen.
fn write_move(
    (x, y): (i32, i32),
    (to_x, to_y): (i32, i32),
    best: bool,
    out: &mut impl fmt::Write,
) -> fmt::Result {
    let width = if best { "2" } else { "0.7" };
    write!(
        out,
        "<path fill=\"none\" stroke=\"black\" stroke-width=\"{width}\" marker-end=\"url(#tip)\" d=\""
    )?;
    let (dx, dy) = (to_x - x, to_y - y);
    let length = (dx * dx + dy * dy).isqrt();
    if length == 0 {
        let (left, right, top) = (x - RADIUS / 2, x + RADIUS / 2, y - RADIUS);
        return writeln!(
            out,
            "M{left} {}C{} {},{} {},{right} {}\"/>",
            top + 3,
            left - 12,
            top - 24,
            right + 12,
            top - 24,
            top + 3
        );
    }
    // The control point stands off the middle by an eighth of the length, to the left.
    let (mid_x, mid_y) = (x + dx / 2 + dy / 8, y + dy / 2 - dx / 8);
    let rim = |from_x: i32, from_y: i32| {
        let (ux, uy) = (mid_x - from_x, mid_y - from_y);
        let unit = (ux * ux + uy * uy).isqrt().max(1);
        (from_x + ux * RADIUS / unit, from_y + uy * RADIUS / unit)
    };
    let ((ax, ay), (bx, by)) = (rim(x, y), rim(to_x, to_y));
    writeln!(out, "M{ax} {ay}Q{mid_x} {mid_y},{bx} {by}\"/>")
}

fn escape(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
