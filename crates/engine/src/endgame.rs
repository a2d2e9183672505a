//! Playing endgames that tables know, on machines with a few KiB of memory.
//!
//! Tables of values alone say which moves keep a win, not which lead to its end: a player that
//! only keeps the win can shuffle until the 40-move rule takes it. [`Pursuit`] keeps it and makes
//! progress.

use core::ops::ControlFlow;

use crownhead_rules::{Bitboard, Color, Direction, Move, Outcome, Position, Prober, Value};
use heapless::Vec;

use crate::guide;

/// A move with what the tables promise for the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub best: Move,
    /// The value that it keeps; plies, where the tables know them, from before the move.
    pub outcome: Outcome,
}

/// Plays an endgame, move after move.
///
/// Every move keeps the value of the position. Where the tables have distances it wins as fast and
/// loses as slowly as possible. Where they have values only, a won position is played towards its
/// next conversion (a capture, a man's move): to the position that the [`guide`] thinks nearest to
/// one. Guesses err, and play by them could go in circles; so a position that turned out to be
/// further away than was thought is remembered as that far, until the conversion comes (as in
/// learning real-time search; Korf, 1990).
///
/// Takes 600 bytes of memory and the stack.
#[derive(Clone, Debug)]
pub struct Pursuit {
    lessons: Vec<Lesson, LESSONS>,
    /// The position that the last move led to.
    left: Option<Lesson>,
}

/// How many positions are remembered: more than moves before the 40-move rule ends a phase.
const LESSONS: usize = 48;

/// How far a position, in which the winner has moved, turned out to be from the conversion, in
/// plies times [`guide::PLY`].
#[derive(Clone, Copy, Debug)]
struct Lesson {
    key: u32,
    distance: i32,
}

/// A conversion scores this and some estimate.
const CONVERTED: i32 = 1000;
/// The most that an estimate adds or takes.
const MOST: i32 = 500;
/// Beyond all scores.
const INFINITE: i32 = 1 << 20;

impl Default for Pursuit {
    fn default() -> Self {
        Self::new()
    }
}

impl Pursuit {
    /// A player that has learned nothing yet.
    pub const fn new() -> Self {
        Self { lessons: Vec::new(), left: None }
    }

    /// Forgets what it has learned: another game begins.
    pub fn restart(&mut self) {
        *self = Self::new();
    }

    /// Tells the player of a move of either side.
    pub fn played(&mut self, m: &Move) {
        if m.is_conversion() {
            self.restart();
        }
    }

    /// The move to play; `None` without a legal move.
    ///
    /// # Errors
    ///
    /// Those of the tables, which must know the position and all that its moves lead to.
    pub fn choose<P: Prober>(
        &mut self,
        position: &Position,
        tables: &P,
    ) -> Result<Option<Choice>, P::Error> {
        let found = by_outcome(position, tables, |next| -self.distance(next))?;
        let Some((choice, score)) = found else { return Ok(None) };
        if choice.outcome.value == Value::Win && choice.outcome.plies.is_none() {
            self.learn(-score);
            let next = position.after(&choice.best);
            self.left = Some(Lesson { key: key(&next), distance: self.distance(&next) });
        }
        Ok(Some(choice))
    }

    /// How far the winner, who has moved, seems to be from a conversion.
    fn distance(&self, position: &Position) -> i32 {
        let known = self.lesson(key(position)).map(|lesson| lesson.distance);
        known.unwrap_or_else(|| guide::distance(position))
    }

    fn lesson(&self, key: u32) -> Option<&Lesson> {
        self.lessons.iter().find(|lesson| lesson.key == key)
    }

    /// The best move now leads to a position of this distance: the one two plies back cannot have
    /// been nearer than two plies more.
    fn learn(&mut self, distance: i32) {
        let Some(mut left) = self.left.take() else { return };
        left.distance = left.distance.max(distance + 2 * guide::PLY);
        if let Some(lesson) = self.lessons.iter_mut().find(|lesson| lesson.key == left.key) {
            *lesson = left;
            return;
        }
        if self.lessons.is_full() {
            self.lessons.remove(0);
        }
        let _ = self.lessons.push(left);
    }
}

/// The best move by what the tables say of the positions one ply on; of equal ones by pieces and
/// room. `None` without a legal move.
///
/// Enough to answer a position. To win a game where the tables have values only, see [`Pursuit`].
///
/// # Errors
///
/// Those of the tables, which must know all that the moves lead to.
pub fn best_by_tables<P: Prober>(
    position: &Position,
    tables: &P,
) -> Result<Option<Choice>, P::Error> {
    Ok(by_outcome(position, tables, |next| -estimate(next))?.map(|(choice, _)| choice))
}

/// The best move by what the tables say, of equal ones a conversion or else the one that `progress`
/// thinks most of, if it wins, or an estimate; and its score.
fn by_outcome<P: Prober>(
    position: &Position,
    tables: &P,
    progress: impl Fn(&Position) -> i32,
) -> Result<Option<(Choice, i32)>, P::Error> {
    let mut best: Option<(Choice, i32)> = None;
    each_move(position, &mut |m| {
        let next = position.after(m);
        let after = tables.probe(&next)?;
        let outcome = Outcome {
            value: after.value.negate(),
            plies: after.plies.map(|plies| plies.saturating_add(1)),
        };
        let score = match (outcome.plies, outcome.value) {
            // Known wins are better than those that are not, known losses worse.
            (Some(plies), Value::Win) => INFINITE - i32::from(plies),
            (Some(plies), _) => i32::from(plies) - INFINITE,
            (None, Value::Win) if !m.is_conversion() => progress(&next),
            (None, _) if m.is_conversion() => CONVERTED - estimate(&next),
            (None, _) => -estimate(&next),
        };
        let rank = (outcome.value, score);
        if best.is_none_or(|(choice, score)| rank > (choice.outcome.value, score)) {
            best = Some((Choice { best: *m, outcome }, score));
        }
        Ok(false)
    })?;
    Ok(best)
}

/// A number that differs for positions that differ, as a rule.
fn key(position: &Position) -> u32 {
    let sets = [
        position.black_men,
        position.black_kings,
        position.white_men,
        position.white_kings,
        Bitboard(position.side_to_move as u32),
    ];
    sets.into_iter().fold(0x811c_9dc5, |sum, set| {
        let mixed = (sum ^ set.0).wrapping_mul(0x9e37_79b1);
        mixed ^ mixed >> 15
    })
}

/// How much more the side to move has than the other: pieces, and the way that men have made.
fn estimate(position: &Position) -> i32 {
    let side = position.side_to_move;
    let sum = strength(position, side) - strength(position, side.other());
    sum.clamp(-MOST, MOST)
}

fn strength(position: &Position, side: Color) -> i32 {
    let men = match side {
        Color::Black => position.black_men,
        Color::White => position.white_men.turned(),
    };
    let count = |set: u32| set.count_ones() as i32;
    // Rows passed, by binary digits of the row number.
    let rows = count(men.0 & 0xf0f0_f0f0)
        + 2 * count(men.0 & 0xff00_ff00)
        + 4 * count(men.0 & 0xffff_0000);
    100 * count(men.0) + 150 * position.kings(side).len() as i32 + 4 * rows + room(position, side)
}

/// The steps that a side could make if it were to move, captures aside.
fn room(position: &Position, side: Color) -> i32 {
    let vacant = position.vacant();
    let steps =
        |pieces: Bitboard, direction: Direction| (direction.origins(vacant) & pieces).len() as i32;
    let forward = Direction::forward(side).map(|direction| steps(position.side(side), direction));
    let back =
        Direction::forward(side.other()).map(|direction| steps(position.kings(side), direction));
    forward.into_iter().chain(back).sum()
}

/// Shows moves until `visit` says `true` or fails.
///
/// The only place where moves are made, so that their code is there once.
#[inline(never)]
fn each_move<E>(
    position: &Position,
    visit: &mut dyn FnMut(&Move) -> Result<bool, E>,
) -> Result<(), E> {
    let end = position.visit_moves(|m| match visit(&m) {
        Ok(false) => ControlFlow::Continue(()),
        end => ControlFlow::Break(end.map(|_| ())),
    });
    match end {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(end) => end,
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;
    use crate::{NoTable, NoTables};

    /// Values as a table would give them, for two kings and fewer against one, by search.
    struct Searched;

    impl Prober for Searched {
        type Error = NoTable;

        fn max_pieces(&self) -> u32 {
            3
        }

        fn probe(&self, position: &Position) -> Result<Outcome, NoTable> {
            Ok(Outcome { value: value(position, 5), plies: None })
        }
    }

    /// Win or loss within so many plies; what is neither counts as drawn.
    fn value(position: &Position, plies: u8) -> Value {
        let mut best = Value::Loss;
        let _: ControlFlow<()> = position.visit_moves(|m| {
            let after = match plies {
                0 => Value::Draw,
                _ => value(&position.after(&m), plies - 1),
            };
            best = best.max(after.negate());
            ControlFlow::Continue(())
        });
        best
    }

    #[test]
    fn the_move_keeps_what_the_tables_say_and_a_conversion_comes_first() {
        let position: Position = "W:WK15,K18:BK10".parse().unwrap();
        let choice = Pursuit::new().choose(&position, &Searched).unwrap().unwrap();
        assert_eq!(choice.outcome.value, value(&position, 6));
        assert!(choice.best.is_capture(), "{}", choice.best);
    }

    #[test]
    fn the_longest_resistance_and_the_shortest_win_follow_from_distances() {
        /// One ply is left to who is in the corner, three to others.
        struct Plies;
        impl Prober for Plies {
            type Error = NoTable;
            fn max_pieces(&self) -> u32 {
                2
            }
            fn probe(&self, position: &Position) -> Result<Outcome, NoTable> {
                let corner = position.kings(position.side_to_move.other()).0 & 0x1 != 0;
                let value =
                    if position.side_to_move == Color::White { Value::Loss } else { Value::Win };
                Ok(Outcome { value, plies: Some(if corner { 1 } else { 3 }) })
            }
        }
        let choose = |fen: &str| {
            let position: Position = fen.parse().unwrap();
            Pursuit::new().choose(&position, &Plies).unwrap().unwrap()
        };
        let won = choose("B:WK32:BK5");
        assert_eq!((won.best.to_string().as_str(), won.outcome.plies), ("5-1", Some(2)));
        let lost = choose("W:WK5:BK32");
        assert_ne!(lost.best.to_string(), "5-1");
        assert_eq!(lost.outcome.plies, Some(4));
    }

    #[test]
    fn no_move_is_none_and_a_table_s_error_is_handed_on() {
        let blocked: Position = "W:W:BK1".parse().unwrap();
        assert_eq!(Pursuit::new().choose(&blocked, &Searched), Ok(None));
        let position: Position = "W:WK15:BK1".parse().unwrap();
        assert_eq!(Pursuit::new().choose(&position, &NoTables), Err(NoTable));
    }

    #[test]
    fn lessons_are_kept_until_a_conversion() {
        let position: Position = "B:WK15,K18:BK1,12".parse().unwrap();
        let mut player = Pursuit::new();
        let far = guide::distance(&position) + 10 * guide::PLY;
        player.left = Some(Lesson { key: key(&position), distance: guide::distance(&position) });
        player.learn(far);
        assert_eq!(player.distance(&position), far + 2 * guide::PLY);
        player.played(&position.parse_move("1-6").unwrap());
        assert_eq!(player.distance(&position), far + 2 * guide::PLY);
        player.played(&position.parse_move("12-16").unwrap());
        assert_eq!(player.distance(&position), guide::distance(&position));
        for key in 0..1000 {
            player.left = Some(Lesson { key, distance: 1 });
            player.learn(7);
        }
        assert_eq!(player.lessons.len(), LESSONS);
        assert_eq!(player.lesson(999).unwrap().distance, 7 + 2 * guide::PLY);
    }
}
