use core::fmt;

use super::{Chase, ChaseState};

const CELL: u32 = 40;

/// Draws the board, the players where they start, and their ways along `line`.
///
/// # Errors
///
/// What `out` returns.
pub fn write_chase_svg(
    chase: &Chase,
    line: &[ChaseState],
    out: &mut impl fmt::Write,
) -> fmt::Result {
    let (width, height) = (chase.columns() * CELL, chase.rows() * CELL);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"20\" text-anchor=\"middle\">"
    )?;
    for cell in 0..chase.rows() * chase.columns() {
        let (x, y) = (cell % chase.columns() * CELL, cell / chase.columns() * CELL);
        let fill = match (chase.walls[cell as usize], chase.exits[cell as usize]) {
            (true, _) => "#555555",
            (_, true) => "#a6d96a",
            _ => "white",
        };
        writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\" \
             stroke=\"#999999\"/>"
        )?;
    }
    // The ways lie beside each other where both players take the same one.
    for (colour, off, thiefs) in [("#2b83ba", CELL / 2 - 4, false), ("#d7191c", CELL / 2 + 4, true)]
    {
        write!(out, "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\" points=\"")?;
        for state in line {
            let cell = if thiefs { state.thief } else { state.policeman };
            let (column, row) = (cell % chase.columns(), cell / chase.columns());
            write!(out, "{},{} ", column * CELL + off, row * CELL + off)?;
        }
        writeln!(out, "\"/>")?;
    }
    for (letter, colour, cell) in [('P', "#2b83ba", chase.policeman), ('T', "#d7191c", chase.thief)]
    {
        let (column, row) = (cell % chase.columns(), cell / chase.columns());
        let (x, y) = (column * CELL + CELL / 2, row * CELL + CELL / 2);
        writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"{colour}\"/>")?;
        writeln!(out, "<text x=\"{x}\" y=\"{}\" fill=\"white\">{letter}</text>", y + 7)?;
    }
    writeln!(out, "</svg>")
}
