//! The chain as the text that the crate contains.

use std::fmt::Write;

use crownhead_tictactoe::INPUTS;

use crate::network::Network;

const HEAD: &str = "\
//! The shortest chain found. Written by `cargo xtask tictactoe-optimise --write`; do not edit.

use crate::straight_line::straight_line;

straight_line! {
    /// The chain that always plays right, as data.
    ///
    /// It plays in the spirit of [`MODIFIED`](crate::MODIFIED), from which a search has derived it: the
    /// search may choose any best move in each of the 4,520 positions where a move is due, and any
    /// output at all for the other 257,624 inputs.
    chain PERFECT;
    /// The move for the player to move on every board of the words: exactly one of y1 to y9 is set
    /// for each board where a move is due.
    ///
    /// It keeps the value, wins as fast as possible and loses as slowly as possible. This is
    /// [`PERFECT`] as code. On other boards (finished ones, empty places) the outputs mean nothing.
    ///
    /// ```
    /// use crownhead_tictactoe::{Boards, moves_of, play};
    ///
    /// let mut boards = Boards::<u32>::EMPTY;
    /// boards.put(0, \"xx.oo....\".parse()?);
    /// boards.put(31, \"xx.o.....\".parse()?);
    /// let moves = play(&boards);
    /// assert_eq!(moves_of(&moves, 0), 1 << 2); // x completes the row
    /// assert_eq!(moves_of(&moves, 31), 1 << 2); // o blocks it
    /// # Ok::<(), crownhead_tictactoe::BoardError>(())
    /// ```
    play play;
";

/// The source file with this chain.
pub(crate) fn source(network: &Network) -> String {
    let mut text = String::from(HEAD);
    let inputs = |letter: char| (1..=9).map(|cell| format!(" {letter}{cell}")).collect::<String>();
    let _ = writeln!(text, "    mine{};", inputs('x'));
    let _ = writeln!(text, "    theirs{};", inputs('o'));
    for (index, gate) in network.gates.iter().enumerate() {
        let (a, b) = (name(gate.a), name(gate.b));
        let _ = writeln!(text, "    g{} = {:?}({a}, {b});", index + 1, gate.op);
    }
    let outputs: String =
        network.outputs.iter().map(|&signal| format!(" {}", name(signal))).collect();
    let _ = writeln!(text, "    =>{outputs};\n}}");
    text
}

/// The name of a signal.
fn name(signal: u16) -> String {
    match signal as usize {
        input @ 0..9 => format!("x{}", input + 1),
        input @ 9..INPUTS => format!("o{}", input - 8),
        gate => format!("g{}", gate - INPUTS + 1),
    }
}
