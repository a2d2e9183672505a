//! Materials of draughts endgames, their dependency order, and the indices that number positions.
//!
//! - [`Material`]: how many men and kings each side has;
//! - the *perfect index* numbers the positions of a material without gaps (table files use it);
//! - the *product index* gives each group of pieces a digit of its own (solvers use it).

#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(feature = "std", test))]
extern crate std;

mod material;

pub use material::{Material, ParseMaterialError, Side};
