use crate::Move;

/// Counts towards the 40-move rule of the World Checkers/Draughts Federation.
///
/// The side to move may claim a draw once the last 40 moves of each side, 80 plies, were neither
/// captures nor moves of men.
///
/// ```
/// use crownhead_rules::{FortyMoveClock, Position};
///
/// let mut position: Position = "B:WK32:BK1,5".parse()?;
/// let mut clock = FortyMoveClock::START;
/// for text in ["1-6", "32-28", "5-9", "28-32"] {
///     let m = position.parse_move(text)?;
///     clock = clock.after(&m);
///     position = position.after(&m);
/// }
/// assert_eq!(clock.plies(), 1, "the man's move 5-9 started it anew");
/// assert!(!clock.is_draw_claimable());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FortyMoveClock {
    plies: u16,
}

impl FortyMoveClock {
    /// Nothing counted yet.
    pub const START: Self = Self { plies: 0 };
    /// How many plies without conversion allow the claim.
    pub const LIMIT: u16 = 80;

    /// The count after a move: one more, or none after a [conversion](Move::is_conversion).
    #[must_use]
    pub const fn after(self, m: &Move) -> Self {
        Self { plies: if m.is_conversion() { 0 } else { self.plies.saturating_add(1) } }
    }

    /// Plies since the last capture or man's move.
    pub const fn plies(self) -> u16 {
        self.plies
    }

    /// Whether the side to move may claim a draw.
    pub const fn is_draw_claimable(self) -> bool {
        self.plies >= Self::LIMIT
    }
}
