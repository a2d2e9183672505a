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
        if plies == 0 {
            // The position is made, not only counted: it has to exist somewhere.
            core::hint::black_box(self);
            return 1;
        }
        let mut sum = 0;
        let _: ControlFlow<Infallible> = self.visit_moves(|m| {
            sum += self.after(&m).perft(plies - 1);
            ControlFlow::Continue(())
        });
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
}
