use core::ops::ControlFlow;

use crownhead_rules::{Move, Position, Value};

use crate::ReadAt;
use crate::plain::outcome_without_table;

use super::memo::Memo;
use super::order::Forces;
use super::table::{CompactError, CompactTable, Predicate, TreeEntry, is_even};

/// How many look-ups there were, and may be.
pub(super) struct Counter {
    used: u32,
    most: u32,
}

impl Counter {
    pub(super) const fn new(most: u32) -> Self {
        Self { used: 0, most }
    }

    pub(super) const fn used(&self) -> u32 {
        self.used
    }
}

/// Finds values of positions that are not stored from those that are.
///
/// # Depth
///
/// From a quiet position the functions call each other down to stored positions at most three
/// plies on, or to a position with a capture or, by promotion, with another predicate. Each
/// capture takes a piece, each promotion a man, so that with `n` pieces at most `n - 2` captures
/// and `n` promotions lie on a path, and with them at most `(2 * n - 1) * 4` nested visits of
/// successors.
pub(super) struct Search<'a, R> {
    pub(super) table: &'a CompactTable<R>,
    pub(super) lookups: Counter,
    /// How many moves have been made.
    ply: usize,
    /// By ply, the move that last decided there: it often decides next door, too.
    deciders: [Option<Move>; PLIES],
    memo: Memo,
}

/// Plies that are told apart by [`Search::deciders`]: those of one line without captures.
const PLIES: usize = 4;

type Found<T, R> = Result<T, CompactError<<R as ReadAt>::Error>>;

impl<'a, R: ReadAt> Search<'a, R> {
    pub(super) const fn new(table: &'a CompactTable<R>, lookups: u32) -> Self {
        Self {
            table,
            lookups: Counter::new(lookups),
            ply: 0,
            deciders: [None; PLIES],
            memo: Memo::new(),
        }
    }

    /// The value of any legal position with as many pieces as the image knows.
    pub(super) fn value(&mut self, position: &Position) -> Found<Value, R> {
        if let Some(outcome) = outcome_without_table(position, false) {
            return Ok(outcome.value);
        }
        if position.has_capture(position.side_to_move) {
            self.after_captures(position)
        } else {
            self.quiet(position)
        }
    }

    fn after_captures(&mut self, position: &Position) -> Found<Value, R> {
        let mut best = Value::Loss;
        self.any_successor(position, &mut |search, next| {
            best = best.max(search.value(next)?.negate());
            Ok(best == Value::Win)
        })?;
        Ok(best)
    }

    /// The value of a position without captures in which both sides have a piece.
    fn quiet(&mut self, position: &Position) -> Found<Value, R> {
        let tree = self.table.tree(&Forces::of(position))?;
        let (stored, other) = (tree.predicate.value(), tree.predicate.value().negate());
        // The other fact is one ply away and stored there when the enemy is even.
        let other_first = !is_even(position) && is_even(&passed(position));
        if !other_first && self.holds(position, tree)? {
            return Ok(stored);
        }
        if self.other_holds(position, tree.predicate)? {
            return Ok(other);
        }
        if other_first && self.holds(position, tree)? {
            return Ok(stored);
        }
        Ok(Value::Draw)
    }

    /// Whether a quiet position is won, where the predicate says who has lost, or lost, where it
    /// says who has won.
    fn other_holds(&mut self, position: &Position, predicate: Predicate) -> Found<bool, R> {
        match predicate {
            Predicate::Lost => {
                self.any_successor(position, &mut |search, next| search.is(next, Value::Loss))
            }
            Predicate::Won => Ok(!self
                .any_successor(position, &mut |search, next| Ok(!search.is(next, Value::Win)?))?),
        }
    }

    /// Whether a position is won, or is lost: often cheaper than its value.
    fn is(&mut self, position: &Position, wanted: Value) -> Found<bool, R> {
        match self.memo.find(position) {
            Some((predicate, holds)) if holds || predicate.value() == wanted => {
                return Ok(holds && predicate.value() == wanted);
            }
            _ => {}
        }
        if is_decided_at_once(position) {
            return Ok(self.value(position)? == wanted);
        }
        let tree = self.table.tree(&Forces::of(position))?;
        let holds = if tree.predicate.value() == wanted {
            self.holds(position, tree)?
        } else {
            self.quiet(position)? == wanted
        };
        self.memo.keep(position, Predicate::of(wanted), holds);
        Ok(holds)
    }

    /// Whether the predicate of its material is true of a quiet position.
    ///
    /// Where the position is odd and so not stored, it is worked out from the even positions two
    /// plies on: lost if every move has a reply after which the mover has lost again, won if some
    /// move has no reply but such that the mover has won.
    fn holds(&mut self, position: &Position, tree: TreeEntry) -> Found<bool, R> {
        if is_even(position) {
            self.count()?;
            let holds = self.table.stored_in(tree, position)?;
            self.memo.keep(position, tree.predicate, holds);
            return Ok(holds);
        }
        match tree.predicate {
            Predicate::Lost => Ok(!self.any_successor(position, &mut |search, next| {
                Ok(!search.is_after_reply(next, Value::Win)?)
            })?),
            Predicate::Won => self.any_successor(position, &mut |search, next| {
                search.is_after_reply(next, Value::Loss)
            }),
        }
    }

    fn count(&mut self) -> Found<(), R> {
        self.lookups.used += 1;
        if self.lookups.used > self.lookups.most {
            return Err(CompactError::OutOfLookups);
        }
        Ok(())
    }

    /// The distance of a position with this value, which is no draw; it has as many pieces as have
    /// distances.
    ///
    /// Stored are the distances of lost even positions without captures; a won position is at most
    /// three plies away from one, a lost one at most two, unless a capture comes between.
    pub(super) fn plies(&mut self, position: &Position, value: Value) -> Found<u16, R> {
        if let Some(outcome) = outcome_without_table(position, true) {
            return Ok(outcome.plies.unwrap_or(0));
        }
        let quiet = !position.has_capture(position.side_to_move);
        if value == Value::Loss && quiet && is_even(position) {
            self.count()?;
            return self.table.stored_plies(position);
        }
        let mut best = None;
        self.any_successor(position, &mut |search, next| {
            if value == Value::Loss {
                best = best.max(Some(search.plies(next, Value::Win)?.saturating_add(1)));
            } else if search.is(next, Value::Loss)? {
                let plies = search.plies(next, Value::Loss)?.saturating_add(1);
                best = Some(best.map_or(plies, |best: u16| best.min(plies)));
            }
            Ok(false)
        })?;
        // Lost without a move: the end itself.
        Ok(best.unwrap_or(0))
    }

    /// Whether a position after a move is won or is lost, found from its successors alone.
    fn is_after_reply(&mut self, position: &Position, wanted: Value) -> Found<bool, R> {
        if is_decided_at_once(position) {
            return Ok(self.value(position)? == wanted);
        }
        match wanted {
            Value::Win => {
                self.any_successor(position, &mut |search, next| search.is(next, Value::Loss))
            }
            _ => Ok(!self
                .any_successor(position, &mut |search, next| Ok(!search.is(next, Value::Win)?))?),
        }
    }

    /// Whether some successor fulfils the condition; stops at the first.
    ///
    /// The only place where moves are made, so that the code of the rules is there once.
    #[inline(never)]
    fn any_successor(
        &mut self,
        position: &Position,
        condition: &mut dyn FnMut(&mut Self, &Position) -> Found<bool, R>,
    ) -> Found<bool, R> {
        let first = self.deciders[self.ply % PLIES];
        self.ply += 1;
        let mut found = Ok(false);
        // The move that decided last time comes first, then the others.
        for others in [false, true] {
            if !others && first.is_none() {
                continue;
            }
            let _ = position.visit_moves(|m| {
                if (Some(m) == first) == others {
                    return ControlFlow::Continue(());
                }
                found = condition(self, &position.after(&m));
                if matches!(found, Ok(false)) {
                    return ControlFlow::Continue(());
                }
                self.deciders[(self.ply - 1) % PLIES] = Some(m);
                ControlFlow::Break(())
            });
            if !matches!(found, Ok(false)) {
                break;
            }
        }
        self.ply -= 1;
        found
    }
}

/// A side without pieces, or a capture to make: nothing is stored of such a position.
fn is_decided_at_once(position: &Position) -> bool {
    let (own, enemy) = (position.side_to_move, position.side_to_move.other());
    position.side(own).is_empty() || position.side(enemy).is_empty() || position.has_capture(own)
}

/// The position with the other side to move.
fn passed(position: &Position) -> Position {
    Position { side_to_move: position.side_to_move.other(), ..*position }
}
