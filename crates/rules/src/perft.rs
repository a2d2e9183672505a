use core::convert::Infallible;
use core::ops::ControlFlow;

use crate::{Move, Position};

/// # Perft
///
/// The number of move sequences (routes) of a given length in plies; the classic test of a move
/// generator.
impl Position {
    /// Counts by making every move, those of the last ply too.
    ///
    /// ```
    /// use crownhead_rules::Position;
    /// assert_eq!(Position::START.perft(6), 36_768);
    /// ```
    pub fn perft(&self, plies: u32) -> u64 {
        let mut sum = 0;
        match plies {
            0 => sum = 1,
            1 => {
                let _: ControlFlow<Infallible> = self.visit_moves(|m| {
                    // Made, not only counted: the position has to be somewhere.
                    core::hint::black_box(self.after(&m));
                    sum += 1;
                    ControlFlow::Continue(())
                });
            }
            _ => {
                let _: ControlFlow<Infallible> = self.visit_moves(|m| {
                    sum += self.after(&m).perft(plies - 1);
                    ControlFlow::Continue(())
                });
            }
        }
        sum
    }

    /// Counts the moves of the last ply without making them.
    ///
    /// ```
    /// use crownhead_rules::Position;
    /// assert_eq!(Position::START.perft_bulk(6), 36_768);
    /// ```
    pub fn perft_bulk(&self, plies: u32) -> u64 {
        match plies {
            0 => 1,
            1 => u64::from(self.count_moves()),
            _ => {
                let mut sum = 0;
                let _: ControlFlow<Infallible> = self.visit_moves(|m| {
                    sum += self.after(&m).perft_bulk(plies - 1);
                    ControlFlow::Continue(())
                });
                sum
            }
        }
    }

    /// Shows each first move with the number of sequences that start with it.
    ///
    /// The numbers add up to [`perft`](Position::perft) of the same plies, 1 or more.
    pub fn perft_divide(&self, plies: u32, mut show: impl FnMut(Move, u64)) {
        let _: ControlFlow<Infallible> = self.visit_moves(|m| {
            show(m, self.after(&m).perft(plies.saturating_sub(1)));
            ControlFlow::Continue(())
        });
    }

    /// How many moves the side to move has on average, over all positions of
    /// [`perft`](Position::perft) but those of the last ply, each as often as it is reached.
    ///
    /// ```
    /// use crownhead_rules::Position;
    /// let statistics = Position::START.perft_statistics(3);
    /// assert_eq!((statistics.quiet_positions, statistics.quiet_moves), (46, 347));
    /// assert_eq!((statistics.capture_positions, statistics.capture_moves), (11, 11));
    /// ```
    pub fn perft_statistics(&self, plies: u32) -> MoveStatistics {
        let mut statistics = MoveStatistics::default();
        if plies > 0 {
            self.add_statistics(plies, &mut statistics);
        }
        statistics
    }

    fn add_statistics(&self, plies: u32, statistics: &mut MoveStatistics) {
        let moves = u64::from(self.count_moves());
        if self.has_capture(self.side_to_move) {
            statistics.capture_positions += 1;
            statistics.capture_moves += moves;
        } else if moves > 0 {
            statistics.quiet_positions += 1;
            statistics.quiet_moves += moves;
        } else {
            statistics.ended += 1;
        }
        if plies > 1 {
            let _: ControlFlow<Infallible> = self.visit_moves(|m| {
                self.after(&m).add_statistics(plies - 1, statistics);
                ControlFlow::Continue(())
            });
        }
    }
}

/// Numbers of positions and of their moves (routes); see
/// [`perft_statistics`](Position::perft_statistics).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveStatistics {
    /// Positions where the side to move must capture.
    pub capture_positions: u64,
    /// The moves in these.
    pub capture_moves: u64,
    /// Positions where it has steps only.
    pub quiet_positions: u64,
    /// The moves in these.
    pub quiet_moves: u64,
    /// Positions where it has no move and has lost.
    pub ended: u64,
}
