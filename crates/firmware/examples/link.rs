//! The example of README.md: the core in a program of your own.

#![no_std]
#![no_main]

use core::fmt::Write;

use crownhead_firmware::{Console, Ending, program};

program!(run);

fn run(console: &mut Console) -> Ending {
    let Ok(value) = answer(b"W:WK14,K18:BK1") else { return Ending::Failed };
    let _ = writeln!(console, "{value}");
    Ending::Done
}

use crownhead_rules::{Position, Value};

fn answer(line: &[u8]) -> Result<Value, &'static str> {
    let table = crownhead_table::embedded::table();
    let position = Position::from_fen(line).map_err(|_| "not a FEN")?;
    // Gives up after 10,000 look-ups.
    let (value, _) = table.value_within(&position, 10_000).map_err(|_| "not known")?;
    Ok(value)
}
