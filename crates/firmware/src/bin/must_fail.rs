//! Fails on purpose, as its input says: so that a test can see failures reported.
//!
//! `panic` panics, `fail` ends as failed, `hang` never ends; anything else is said again.

#![no_std]
#![no_main]

use core::fmt::Write;

use crownhead_firmware::{Console, Ending, Line, program, read_line};

program!(run);

fn run(console: &mut Console) -> Ending {
    while let Line::Text(line) = read_line(console) {
        match line.as_slice() {
            b"panic" => panic!("as asked"),
            b"fail" => return Ending::Failed,
            b"hang" => loop {
                core::hint::spin_loop();
            },
            _ => {
                let text = core::str::from_utf8(&line).unwrap_or("no text");
                let _ = writeln!(console, "{text}");
            }
        }
    }
    Ending::Done
}
