use crownhead_index::{Material, PerfectIndex};
use crownhead_rules::{Bitboard, Color, Position};
use crownhead_table::compact::{Predicate, is_even, seen_by_mover};
use rayon::prelude::*;

use crate::placements::{king_placements, men_placements};
use crate::{PackError, Source, Watch};

/// The code of a draw, a win and a loss in a plain table of win, draw and loss.
const CODES: [u16; 2] = [2, 1];

/// Whether a code of a plain table fulfils the predicate.
#[inline]
pub(crate) fn fulfils(code: u16, predicate: Predicate) -> bool {
    code == CODES[predicate as usize]
}

/// Stored positions of one material and side to move.
pub(crate) struct Positions<'a> {
    pub(crate) source: &'a dyn Source,
    pub(crate) material: Material,
    pub(crate) side: Color,
    men: Vec<(Bitboard, Bitboard)>,
    /// Placements of the kings for each of the men.
    kings: u64,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(source: &'a dyn Source, material: Material, side: Color) -> Self {
        let men: Vec<_> = men_placements(material).collect();
        let all = PerfectIndex::<u64>::new(material).map_or(0, |index| index.len());
        Self { source, material, side, kings: all / men.len().max(1) as u64, men }
    }

    /// Shows every stored position (quiet, even), turned so that Black is to move, with its index
    /// and code, to one folder for each run of positions; returns the folders in order.
    pub(crate) fn fold<T: Send>(
        &self,
        watch: &Watch<'_>,
        new: impl Fn() -> T + Sync,
        visit: impl Fn(&mut T, &Position, u64, u16) + Sync,
    ) -> Result<Vec<T>, PackError> {
        // Enough for a thread to do, little enough to be divided among threads.
        let run = (1 << 16) / self.kings.max(1) + 1;
        self.men
            .par_chunks(run as usize)
            .enumerate()
            .map(|(i, men)| {
                watch.check()?;
                let first = i as u64 * run * self.kings;
                let mut codes = vec![0; men.len() * self.kings as usize];
                self.source.read(self.material, self.side, first, &mut codes)?;
                let mut folder = new();
                let mut codes = codes.into_iter().zip(first..);
                for &men in men {
                    king_placements(self.material, men, |position| {
                        let Some((code, at)) = codes.next() else { return };
                        let position = Position { side_to_move: self.side, ..position };
                        if position.has_capture(self.side) || !is_even(&position) {
                            return;
                        }
                        visit(&mut folder, &seen_by_mover(&position), at, code);
                    });
                }
                Ok(folder)
            })
            .collect()
    }
}
