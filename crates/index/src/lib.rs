//! Materials of draughts endgames, their dependency order, and the indices that number positions.
//!
//! - [`Material`]: how many men and kings each side has; [`materials`] lists them in the order in
//!   which tables are built, [`Material::parts`] what each is built from;
//! - [`position_count`] and [`Material::placements`]: exact numbers of positions;
//! - [`PerfectIndex`] numbers the positions of a material without gaps (table files use it);
//! - the *product index* gives each group of pieces a digit of its own (solvers use it).
//!
//! The default features compute in 32 bits only; `wide` adds `u64` and `u128`.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(feature = "std", test))]
extern crate std;

mod binomial;
mod count;
mod material;
mod order;
mod perfect;
mod placements;
#[cfg(any(feature = "std", test))]
pub mod product;

pub use binomial::choose;
pub use count::Count;
pub use material::{Material, ParseMaterialError, Side};
pub use order::{materials, materials_to};
pub use perfect::{IndexError, PerfectIndex, Positions};
pub use placements::{Sides, position_count};
