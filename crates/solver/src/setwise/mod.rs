//! The set-wise solver: 32 positions in every word.
//!
//! ARCHITECTURE.md explains the scheme. In short, for one material:
//!
//! 1. [`classify`] looks up what captures and promotions lead to, row by row;
//! 2. [`component`] adds man moves, from components solved before, and sweeps king moves to the
//!    fixed point;
//! 3. [`material`] goes through the components, level by level.

mod adopt;
mod backend;
mod classify;
mod component;
mod count;
mod crowning;
mod export;
mod flat;
mod geometry;
mod groups;
mod leaves;
mod levels;
mod longest;
mod mobility;
mod mutation;
mod needs;
mod plane;
mod plies;
mod reach;
mod record;
mod rows;
mod scores;
mod solve;
mod split;
mod store;
mod sweep;
mod task;
mod vector;
mod views;
mod word;
mod working;

pub use backend::Cpu;
use crownhead_index::{Material, Side};
pub(crate) use reach::Reach;
pub use split::TaskNeeds;
pub use task::{LevelTask, ParseShareError, Share};
pub use vector::VectorPath;

/// The material with these counts of black men, black kings, white men and white kings.
const fn material([black_men, black_kings, white_men, white_kings]: [u8; 4]) -> Material {
    Material {
        black: Side { men: black_men, kings: black_kings },
        white: Side { men: white_men, kings: white_kings },
    }
}
