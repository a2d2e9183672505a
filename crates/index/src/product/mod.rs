//! The product index: each group of like pieces is a digit of its own, and one *fast* piece is
//! not numbered at all but spans the 32 bits of a word.
//!
//! ```text
//! word = ((black men * WM + white men) * BK + black kings) * WK + white kings     bit = fast piece
//! ```
//!
//! A digit is the colexicographic rank of the group's set of squares ([`rank_set`]). Pieces of
//! different groups may overlap; those bits are invalid. What this costs (about 1.3 times the
//! positions, and each position once for every piece of the fast group) buys that moving one piece
//! changes one digit and nothing else, and that moving the fast piece shifts the word.
//!
//! The men are outermost, so the placements of kings for one placement of men, a *component*, are
//! contiguous. Only kings move inside a component; a man's move leads to a component of a lower
//! [`Level`].
//!
//! The group tables need memory, so this module is there with the feature `std` only.

mod group;
mod level;
mod table;
mod words;

pub use group::{BINOMIAL, Group, group_len, rank_set, unrank_set};
pub use level::{Component, Level, level, level_lens, levels};
pub use table::GroupTable;
pub use words::{Place, ProductIndex, fast_group};
