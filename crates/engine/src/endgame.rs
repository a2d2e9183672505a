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
/// one. Guesses err, and play by them could go in circles. Three things prevent that:
///
/// - A position that was left in vain is remembered as further away than it turned out to be, until
///   the conversion comes (as in learning real-time search; Korf, 1990).
/// - A conversion that can be forced within three plies is found by search and played; among kings
///   alone within five, and the longer none comes, the deeper the search.
/// - Some distances are known by heart ([`guide::by_heart`]).
///
/// So every position with up to 5 pieces that is won is won within the 40-move rule:
/// `examples/train_guide` plays from all of them against the longest resistance.
///
/// Takes 400 bytes of memory, and 4 KiB of the stack beside what the tables take.
#[derive(Clone, Debug)]
pub struct Pursuit {
    lessons: Vec<Lesson, LESSONS>,
    /// The position that the last move led to.
    left: Option<Lesson>,
    /// Moves chosen since the last conversion.
    moves: u8,
}

/// How many positions are remembered: as many as moves before the 40-move rule ends a phase.
const LESSONS: usize = 40;
/// A position that was left in vain counts as so much further than it must be, lest the next
/// moves lead to it again.
const BOREDOM: i32 = 3 * guide::PLY;
/// Conversions are searched for within so many plies (the moves of men take a probe each),
const PROOF: u8 = 3;
/// where there are kings alone within so many, and two more after each so many moves without one,
const KINGS_PROOF: u8 = 5;
const PATIENCE: u8 = 3;
/// up to so many.
const DEEPEST_PROOF: u8 = 9;

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
        Self { lessons: Vec::new(), left: None, moves: 0 }
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
        if choice.outcome.value != Value::Win || score >= 0 {
            return Ok(Some(choice));
        }
        let deepest = Self::proof(position, self.moves);
        self.moves = self.moves.saturating_add(1);
        if let Some(best) = forcing_move(position, deepest, tables)? {
            self.left = None;
            return Ok(Some(Choice { best, ..choice }));
        }
        self.learn(-score);
        self.left = Some(Lesson { key: key(&position.after(&choice.best)), distance: -score });
        Ok(Some(choice))
    }

    /// Within how many plies a conversion is searched for, after so many moves without one.
    pub fn proof(position: &Position, moves: u8) -> u8 {
        if !guide::has_kings_alone(position) {
            return PROOF;
        }
        (KINGS_PROOF + moves / PATIENCE * 2).min(DEEPEST_PROOF)
    }

    /// How far the position before the winner's last move turned out to be, which was thought to be
    /// `left` away and led to one that is `distance` away at best; both times [`guide::PLY`].
    ///
    /// It cannot have been nearer than two plies more, and counts as further still.
    pub fn lesson(left: i32, distance: i32) -> i32 {
        left.max(distance + 2 * guide::PLY) + BOREDOM
    }

    /// How far the winner, who has moved, seems to be from a conversion.
    fn distance(&self, position: &Position) -> i32 {
        let key = key(position);
        let known = self.lessons.iter().find(|lesson| lesson.key == key);
        let known = known.map(|lesson| lesson.distance).or_else(|| guide::by_heart(key));
        known.unwrap_or_else(|| guide::distance(position))
    }

    /// The best move now leads to a position of this distance.
    fn learn(&mut self, distance: i32) {
        let Some(mut left) = self.left.take() else { return };
        left.distance = Self::lesson(left.distance, distance);
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

/// The move that keeps the win and forces the earliest conversion, if one comes within so many plies.
#[inline(never)]
fn forcing_move<P: Prober>(
    position: &Position,
    deepest: u8,
    tables: &P,
) -> Result<Option<Move>, P::Error> {
    let mut search = Search { tables, kept: [0; KEPT] };
    for plies in (PROOF..=deepest).step_by(2) {
        if let Some(best) = search.settling_move(position, true, plies)? {
            let keeps = tables.probe(&position.after(&best))?.value == Value::Loss;
            return Ok(keeps.then_some(best));
        }
    }
    Ok(None)
}

/// How many values of positions are kept during a search.
const KEPT: usize = 256;

/// A search for conversions that can be forced.
///
/// Takes 1 KiB of the stack, and 200 bytes a ply.
struct Search<'a, P> {
    tables: &'a P,
    /// Values that were asked for: but for the last two bits, which are the value's, the [`key`].
    kept: [u32; KEPT],
}

impl<P: Prober> Search<'_, P> {
    /// Whether a conversion that keeps the win comes within so many plies, whatever the loser does,
    /// by the move that settles it: the winner's that forces it, or the loser's that avoids it.
    /// `None` if the side to move has none such. The winner's plies are an odd number.
    ///
    /// Values are asked for at conversions alone: a move that gave the win away before would not lead
    /// to won ones. No visitor of moves is under way while this calls itself, for that takes more of
    /// the stack than some moves in a row.
    fn settling_move(
        &mut self,
        position: &Position,
        wins: bool,
        plies: u8,
    ) -> Result<Option<Move>, P::Error> {
        // What takes least time comes first: the winner's conversions, which are looked at no
        // further, but the loser's other moves, most of which avoid everything.
        for converts in [wins, !wins] {
            if plies == 1 && !converts {
                break;
            }
            let (mut seen, mut moves) = (0, Vec::new());
            loop {
                some_moves(position, converts, seen, &mut moves)?;
                for m in &moves {
                    let next = position.after(m);
                    let forced = if converts {
                        self.is_worth(&next, if wins { Value::Loss } else { Value::Win })?
                    } else {
                        self.settling_move(&next, !wins, plies - 1)?.is_some() != wins
                    };
                    if forced == wins {
                        return Ok(Some(*m));
                    }
                }
                seen += moves.len();
                if !moves.is_full() {
                    break;
                }
            }
        }
        Ok(None)
    }

    /// Whether the tables give the position this value; apart, lest all that takes part of the stack
    /// of what calls itself.
    ///
    /// Two positions of one key would be one: what hangs on the answer must be asked for again.
    #[inline(never)]
    fn is_worth(&mut self, position: &Position, value: Value) -> Result<bool, P::Error> {
        let key = key(position);
        let kept = &mut self.kept[(key >> 2) as usize % KEPT];
        if (*kept ^ key) >> 2 != 0 {
            *kept = key & !3 | self.tables.probe(position)?.value as u32 & 3;
        }
        Ok((*kept ^ value as u32) & 3 == 0)
    }
}

/// A few moves in place of others: those that are conversions, or those that are not, after so many.
///
/// Does not fail; the error's type is that of the caller, lest the code of moves is there twice.
#[inline(never)]
fn some_moves<E>(
    position: &Position,
    converts: bool,
    after: usize,
    moves: &mut Vec<Move, 4>,
) -> Result<(), E> {
    moves.clear();
    let side = position.side_to_move;
    if position.has_capture(side) != converts && (!converts || position.men(side).is_empty()) {
        return Ok(());
    }
    let mut seen = 0;
    each_move(position, &mut |m| {
        if m.is_conversion() != converts {
            return Ok(false);
        }
        seen += 1;
        Ok(seen > after && (moves.push(*m).is_err() || moves.is_full()))
    })
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

/// A number that differs for positions that differ to the guide, as a rule.
fn key(position: &Position) -> u32 {
    guide::key(&guide::seen(position))
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
        let known = far + 2 * guide::PLY + BOREDOM;
        assert_eq!(player.distance(&position), known);
        player.played(&position.parse_move("1-6").unwrap());
        assert_eq!(player.distance(&position), known);
        player.played(&position.parse_move("12-16").unwrap());
        assert_eq!(player.distance(&position), guide::distance(&position));
        for key in 0..1000 {
            player.left = Some(Lesson { key, distance: 1 });
            player.learn(7);
        }
        assert_eq!(player.lessons.len(), LESSONS);
        let last = player.lessons.last().unwrap();
        assert_eq!((last.key, last.distance), (999, 7 + 2 * guide::PLY + BOREDOM));
    }
}
