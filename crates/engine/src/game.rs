use crownhead_rules::{FortyMoveClock, Move, Position};

use crate::zobrist;

/// Positions since the last capture or man's move that repetition can lead back to.
const MOST: usize = FortyMoveClock::LIMIT as usize;

/// A position with what counts of the moves that led to it: the keys of earlier positions that
/// may come again, and the count towards the 40-move rule. Takes about 700 bytes.
///
/// ```
/// use crownhead_engine::Game;
/// use crownhead_rules::Position;
///
/// let mut game = Game::new("W:WK1:BK32".parse()?);
/// for text in ["1-6", "32-27", "6-1", "27-32"] {
///     let m = game.position().parse_move(text)?;
///     game.play(&m);
/// }
/// assert!(game.is_repeated());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    clock: FortyMoveClock,
    key: u64,
    /// Keys before the present one, the oldest first.
    earlier: heapless::Vec<u64, MOST>,
}

impl Game {
    /// A game that starts here.
    pub fn new(position: Position) -> Self {
        Self::with_clock(position, FortyMoveClock::START)
    }

    /// A game that is here after moves that are not known, of which the clock counts the last.
    pub fn with_clock(position: Position, clock: FortyMoveClock) -> Self {
        Self { position, clock, key: zobrist::key(&position), earlier: heapless::Vec::new() }
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: &Move) {
        if m.is_conversion() {
            self.earlier.clear();
        } else {
            if self.earlier.is_full() {
                self.earlier.remove(0);
            }
            // There is room: the oldest has just gone if there was none.
            let _ = self.earlier.push(self.key);
        }
        self.clock = self.clock.after(m);
        self.key = zobrist::key_after(self.key, &self.position, m);
        self.position = self.position.after(m);
    }

    /// The position now.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The count towards the 40-move rule.
    pub const fn clock(&self) -> FortyMoveClock {
        self.clock
    }

    /// Whether the position has been on the board before, as far as the game is known.
    pub fn is_repeated(&self) -> bool {
        self.earlier.contains(&self.key)
    }

    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    pub(crate) fn earlier(&self) -> &[u64] {
        &self.earlier
    }
}
