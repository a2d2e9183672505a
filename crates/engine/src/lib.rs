//! A draughts engine: principal variation search to perfect endgame tables. no_std, no alloc.
//!
//! [`Engine`] searches a [`Game`] within [`Limits`]; the caller owns the memory of its
//! [`TranspositionTable`] and hands in tables as a [`Prober`](crownhead_rules::Prober).
//! [`best_move`] is a search in miniature that needs no memory at all.
//!
//! ```
//! use crownhead_engine::{Engine, Game, Limits, NoTables, Slot, TranspositionTable};
//! use crownhead_rules::Position;
//!
//! let slots = [Slot::EMPTY; 1024];
//! let mut engine = Engine::new(TranspositionTable::new(&slots), &NoTables);
//! let game = Game::new(Position::START);
//! let report = engine.search(&game, &Limits::depth(5), |_| {});
//! assert_eq!(report.depth, 5);
//! assert!(report.best.is_some());
//! ```

#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(feature = "std", test))]
extern crate std;

pub mod endgame;
mod evaluate;
mod features;
mod game;
pub mod guide;
mod limits;
mod ordering;
#[cfg(feature = "std")]
mod phase;
#[cfg(feature = "std")]
mod player;
mod pocket;
mod proof;
mod score;
mod search;
mod signature;
#[cfg(feature = "std")]
mod team;
mod transposition;
mod zobrist;

pub use evaluate::evaluate;
pub use features::Features;
pub use game::Game;
pub use limits::Limits;
#[cfg(feature = "std")]
pub use phase::Phase;
#[cfg(feature = "std")]
pub use player::{Answer, Guarantee, Player};
pub use pocket::{NoTable, NoTables, best_move};
pub use proof::{Proof, ProofSlot, Prover};
pub use score::Score;
pub use search::{Engine, Line, Report};
pub use signature::{SIGNATURE_SLOTS, signature};
#[cfg(feature = "std")]
pub use team::Team;
pub use transposition::{Slot, TranspositionTable};
