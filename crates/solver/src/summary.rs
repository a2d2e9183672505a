use crownhead_index::Material;
use crownhead_rules::{Color, Position, Value};

use crate::Entry;

/// A largest distance and a position that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Longest {
    /// The distance in plies.
    pub plies: u16,
    /// The position of this distance with the smallest perfect index.
    pub position: Position,
}

/// What the positions of a material with one side to move are worth.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Positions won for the side to move.
    pub wins: u64,
    /// Positions lost for the side to move.
    pub losses: u64,
    /// Drawn positions.
    pub draws: u64,
    /// The largest distance among the wins; `None` without wins or without distances.
    pub longest_win: Option<Longest>,
    /// The largest distance among the losses; `None` without losses or without distances.
    pub longest_loss: Option<Longest>,
}

impl Counts {
    /// All positions.
    pub const fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Counts one position more, `position` naming it if it has the largest distance so far.
    ///
    /// Positions come in perfect-index order.
    #[inline]
    pub fn add(&mut self, entry: Entry, has_plies: bool, position: impl FnOnce() -> Position) {
        let longest = match entry.value() {
            Value::Win => {
                self.wins += 1;
                &mut self.longest_win
            }
            Value::Loss => {
                self.losses += 1;
                &mut self.longest_loss
            }
            Value::Draw => {
                self.draws += 1;
                return;
            }
        };
        if has_plies && longest.is_none_or(|longest| longest.plies < entry.plies()) {
            *longest = Some(Longest { plies: entry.plies(), position: position() });
        }
    }
}

/// Counts of a finished material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The canonical material.
    pub material: Material,
    /// By the side to move, Black first. A colour-symmetric material has nothing under White:
    /// White to move repeats Black to move.
    pub sides: [Counts; 2],
}

impl Summary {
    /// The sides to move under which a material's positions are counted and stored.
    pub fn sides_of(material: Material) -> &'static [Color] {
        if material.is_symmetric() { &[Color::Black] } else { &Color::BOTH }
    }

    /// All positions, both sides to move.
    pub const fn positions(&self) -> u64 {
        self.sides[0].positions() + self.sides[1].positions()
    }
}
