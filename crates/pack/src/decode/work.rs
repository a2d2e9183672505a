use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use crownhead_rules::{Bitboard, Color, Position};
use crownhead_table::compact::{CompactTable, Predicate, is_even};
use rayon::prelude::*;

use super::store::{LOST, Store, WON};
use crate::distance::Unpacked;
use crate::placements::{king_placements, men_placements};
use crate::source::failed;
use crate::train::{forces, sides};
use crate::{PackError, Watch};

/// Calls the function, on many threads, for every position of a table.
fn each_position(
    store: &Store,
    slot: usize,
    watch: &Watch<'_>,
    visit: impl Fn(&Position, usize) -> Result<(), PackError> + Sync,
) -> Result<(), PackError> {
    let table = store.table(slot);
    let material = table.index.material();
    let men: Vec<(Bitboard, Bitboard)> = men_placements(material).collect();
    let kings = table.len() / men.len().max(1);
    for &side in sides(material) {
        men.par_iter().enumerate().try_for_each(|(i, men)| {
            watch.check()?;
            let mut rank = i * kings;
            let mut result = Ok(());
            king_placements(material, *men, |position| {
                if result.is_ok() {
                    result = visit(&Position { side_to_move: side, ..position }, rank);
                }
                rank += 1;
            });
            result
        })?;
    }
    Ok(())
}

/// Whether some successor has the fact.
fn any_successor(store: &Store, position: &Position, fact: u8) -> bool {
    let end = position.visit_moves(|m| {
        if store.facts(&position.after(&m)) & fact != 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    end.is_break()
}

/// Whether all successors are won for the enemy; so when there is none.
fn all_won(store: &Store, position: &Position) -> bool {
    let end = position.visit_moves(|m| {
        if store.facts(&position.after(&m)) & WON == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    end.is_continue()
}

/// The enemy's pieces in an even position of the enemy.
fn enemy_is_even(position: &Position) -> bool {
    is_even(&Position { side_to_move: position.side_to_move.other(), ..*position })
}

/// Fills in the values of one material whose parts are done.
///
/// A quiet move changes the parity of the mover, so that each step below looks only at what an
/// earlier step has finished:
///
/// 1. captures, from the parts; the stored fact of even positions;
/// 2. the other fact where the enemy is even: its successors are even;
/// 3. the stored fact of odd positions: in their successors the enemy is even;
/// 4. the other fact where the enemy is odd.
pub(super) fn values(
    image: &CompactTable<&[u8]>,
    store: &Store,
    slot: usize,
    watch: &Watch<'_>,
) -> Result<(), PackError> {
    let table = store.table(slot);
    let predicate =
        image.predicate(&forces(table.index.material(), Color::Black)).map_err(failed)?;
    let (stored, other) = match predicate {
        Predicate::Lost => (LOST, WON),
        Predicate::Won => (WON, LOST),
    };
    let find = |position: &Position, rank, fact| {
        let side = position.side_to_move;
        if table.facts(side, rank) == 0 {
            let holds = if fact == WON {
                any_successor(store, position, LOST)
            } else {
                all_won(store, position)
            };
            if holds {
                table.add(side, rank, fact);
            }
        }
    };
    each_position(store, slot, watch, |position, rank| {
        if position.has_capture(position.side_to_move) {
            find(position, rank, WON);
            find(position, rank, LOST);
        } else if is_even(position) && image.stored(position).map_err(failed)? {
            table.add(position.side_to_move, rank, stored);
        }
        Ok(())
    })?;
    let quiet = |position: &Position| !position.has_capture(position.side_to_move);
    each_position(store, slot, watch, |position, rank| {
        if enemy_is_even(position) && quiet(position) {
            find(position, rank, other);
        }
        Ok(())
    })?;
    each_position(store, slot, watch, |position, rank| {
        if !is_even(position) && quiet(position) {
            find(position, rank, stored);
        }
        Ok(())
    })?;
    each_position(store, slot, watch, |position, rank| {
        if !enemy_is_even(position) && quiet(position) {
            find(position, rank, other);
        }
        Ok(())
    })
}

/// Fills in the distances of one material with its values, in the steps of [`values`].
pub(super) fn distances(
    unpacked: &mut Unpacked<'_>,
    store: &Store,
    slot: usize,
    watch: &Watch<'_>,
) -> Result<(), PackError> {
    let table = store.table(slot);
    let material = table.index.material();
    for &side in sides(material) {
        let mut rank = 0;
        let mut result = Ok(());
        for men in men_placements(material) {
            king_placements(material, men, |position| {
                let position = Position { side_to_move: side, ..position };
                if table.facts(side, rank) == LOST && is_stored(&position) && result.is_ok() {
                    result =
                        unpacked.next(&position).map(|plies| table.set_plies(side, rank, plies));
                }
                rank += 1;
            });
        }
        result?;
    }
    let step = |wanted: &(dyn Fn(&Position) -> bool + Sync), fact: u8| {
        each_position(store, slot, watch, |position, rank| {
            if table.facts(position.side_to_move, rank) == fact && wanted(position) {
                let plies = plies_after(store, position, fact);
                table.set_plies(position.side_to_move, rank, plies);
            }
            Ok(())
        })
    };
    let captures = |position: &Position| position.has_capture(position.side_to_move);
    step(&captures, WON)?;
    step(&captures, LOST)?;
    step(&|position| !captures(position) && enemy_is_even(position), WON)?;
    step(&|position| !captures(position) && !is_even(position), LOST)?;
    step(&|position| !captures(position) && !enemy_is_even(position), WON)
}

/// Whether an image stores something of the position.
fn is_stored(position: &Position) -> bool {
    is_even(position) && !position.has_capture(position.side_to_move)
}

/// The distance of a position with this fact from those of its successors.
fn plies_after(store: &Store, position: &Position, fact: u8) -> u16 {
    let mut best: Option<u16> = None;
    let _: ControlFlow<()> = position.visit_moves(|m| {
        let next = position.after(&m);
        if fact == LOST {
            best = best.max(Some(store.plies(&next).saturating_add(1)));
        } else if store.facts(&next) & LOST != 0 {
            let plies = store.plies(&next).saturating_add(1);
            best = Some(best.map_or(plies, |best| best.min(plies)));
        }
        ControlFlow::Continue(())
    });
    best.unwrap_or(0)
}

/// The first position of a material whose outcome does not follow from its successors'.
pub(super) fn contradiction(
    store: &Store,
    slot: usize,
    watch: &Watch<'_>,
) -> Result<Option<Position>, PackError> {
    let table = store.table(slot);
    let first = Mutex::new(None::<(Color, usize, Position)>);
    each_position(store, slot, watch, |position, rank| {
        let side = position.side_to_move;
        let facts = table.facts(side, rank);
        let won = any_successor(store, position, LOST);
        let right = if won { WON } else { u8::from(all_won(store, position)) * LOST };
        let plies = table.plies(side, rank).filter(|_| right != 0);
        let wrong = facts != right
            || plies.is_some_and(|plies| plies != plies_after(store, position, facts));
        if wrong {
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            if first.is_none_or(|(other, at, _)| (side, rank) < (other, at)) {
                *first = Some((side, rank, *position));
            }
        }
        Ok(())
    })?;
    let first = first.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(first.map(|(_, _, position)| position))
}
