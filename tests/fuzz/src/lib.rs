//! What each fuzz target does with its bytes: it panics where a promise is broken.
//!
//! The same functions are run by `cargo test` over the kept cases (`tests/tests/fuzz.rs`).

mod graphs;
#[allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "the reader and writer of the command line"
)]
#[path = "../../../crates/cli/src/pdn/mod.rs"]
mod pdn_text;
mod probe;
mod tables;
mod text;

pub use graphs::graphs;
pub use probe::{prepare, probe};
pub use tables::{compact, plain};
pub use text::{fen, moves, pdn};

/// One target: the name of its program and of its folders, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 7] = [
    ("compact", compact),
    ("fen", fen),
    ("graphs", graphs),
    ("moves", moves),
    ("pdn", pdn),
    ("plain", plain),
    ("probe", probe),
];
