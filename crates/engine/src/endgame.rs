//! Playing endgames that tables know, on machines with a few KiB of memory.
//!
//! Tables of values alone say which moves keep a win, not which lead to its end: a player that
//! only keeps the win can shuffle until the 40-move rule takes it. [`Pursuit`] keeps it and makes
//! progress.

use core::ops::ControlFlow;

use crownhead_rules::{
    Bitboard, Color, Direction, Move, Outcome, Piece, PieceKind, Position, Prober, Value,
};
use heapless::Vec;

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
/// next conversion (a capture, a man's move) by real-time heuristic search (Korf, 1990): it plays
/// on in its mind, each side the move that looks best, corrects what it thinks of each position
/// by the positions two plies on, and begins again, until it sees no more to correct or has taken
/// as many steps as it may. What it has learned it keeps until the conversion comes.
///
/// The first thought of a position is how many plies two of the kings would need to catch each
/// enemy king if these were alone on the board, which the distances to 3 pieces tell.
///
/// Takes 2 KiB of memory and the stack.
#[derive(Clone, Debug)]
pub struct Pursuit {
    steps: u16,
    lessons: Vec<Lesson, LESSONS>,
}

/// How many positions are remembered.
const LESSONS: usize = 256;

/// What a won position turned out to be worth for the player, who has the move.
#[derive(Clone, Copy, Debug)]
struct Lesson {
    key: u32,
    score: i32,
}

/// A conversion scores this and some estimate.
const CONVERTED: i32 = 1000;
/// The most that an estimate adds or takes.
const MOST: i32 = 500;
/// Beyond all scores.
const INFINITE: i32 = 1 << 20;
/// What a move and its reply cost.
const STEP: i32 = 2 * PLY;
/// What a ply of a duel costs.
const PLY: i32 = 4;
/// What each free step of the enemy costs.
const ROOM: i32 = 2;
/// What each square between two kings costs.
const NEAR: i32 = 1;
/// More plies than a duel takes.
const FAR: i32 = 40;
/// A trial that is longer has lost its way.
const LONGEST_TRIAL: u16 = 40;

impl Pursuit {
    /// A player that takes at most so many steps of thought for a move.
    pub const fn new(steps: u16) -> Self {
        Self { steps, lessons: Vec::new() }
    }

    /// Forgets what it has learned: another game begins.
    pub fn restart(&mut self) {
        self.lessons.clear();
    }

    /// Tells the player of a move of either side.
    pub fn played(&mut self, m: &Move) {
        if m.is_conversion() {
            self.lessons.clear();
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
        let Some((known, score)) = by_outcome(position, tables)? else { return Ok(None) };
        if known.outcome.value != Value::Win || known.outcome.plies.is_some() {
            return Ok(Some(known));
        }
        if score < CONVERTED - MOST {
            self.study(position, tables)?;
        }
        let best = self.step(position, tables)?.map_or(known.best, |(best, _)| best);
        Ok(Some(Choice { best, ..known }))
    }

    /// Plays on from a won position in its mind, again and again.
    fn study<P: Prober>(&mut self, root: &Position, tables: &P) -> Result<(), P::Error> {
        let mut position = *root;
        let (mut length, mut corrected) = (0, false);
        for _ in 0..self.steps {
            let mut converted = true;
            if let Some((m, score)) = self.step(&position, tables)? {
                corrected |= self.learn(&position, score - STEP);
                let next = position.after(&m);
                if !m.is_conversion()
                    && let Some((reply, _)) = self.reply(&next, tables, -INFINITE)
                {
                    converted = reply.is_conversion();
                    position = next.after(&reply);
                }
            }
            length += 1;
            if converted && !corrected {
                return Ok(());
            }
            if converted || length == LONGEST_TRIAL {
                (position, length, corrected) = (*root, 0, false);
            }
        }
        Ok(())
    }

    /// The move that looks best in a won position, and its score.
    fn step<P: Prober>(
        &self,
        position: &Position,
        tables: &P,
    ) -> Result<Option<(Move, i32)>, P::Error> {
        let mut best: Option<(Move, i32)> = None;
        each_move(position, &mut |m| {
            let next = position.after(m);
            let floor = best.map_or(-INFINITE, |(_, score)| score);
            let score = if m.is_conversion() {
                CONVERTED - estimate(&next)
            } else {
                self.reply(&next, tables, floor).map_or(INFINITE, |(_, score)| score)
            };
            // Looking it up takes longer than most of this, so it comes last.
            if score > floor && tables.probe(&next)?.value == Value::Loss {
                best = Some((*m, score));
            }
            Ok(false)
        })?;
        Ok(best)
    }

    /// The reply that looks best to a move of the player, and what it leaves to the player: exact
    /// if that is more than `floor`. `None` if there is no reply.
    fn reply<P: Prober>(&self, position: &Position, tables: &P, floor: i32) -> Option<(Move, i32)> {
        let mut worst: Option<(Move, i32)> = None;
        let _ = each_move(position, &mut |m| {
            let next = position.after(m);
            let score = if m.is_conversion() {
                CONVERTED + estimate(&next)
            } else {
                self.lesson(&next).unwrap_or_else(|| hunt(&next, tables))
            };
            if worst.is_none_or(|(_, least)| score < least) {
                worst = Some((*m, score));
            }
            Ok::<_, P::Error>(score <= floor)
        });
        worst
    }

    fn lesson(&self, position: &Position) -> Option<i32> {
        let key = key(position);
        self.lessons.iter().find(|lesson| lesson.key == key).map(|lesson| lesson.score)
    }

    /// Remembers what a position is worth; says whether that is news.
    fn learn(&mut self, position: &Position, score: i32) -> bool {
        let key = key(position);
        if let Some(lesson) = self.lessons.iter_mut().find(|lesson| lesson.key == key) {
            let news = score != lesson.score;
            lesson.score = score;
            return news;
        }
        if self.lessons.is_full() {
            self.lessons.remove(0);
        }
        let _ = self.lessons.push(Lesson { key, score });
        true
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
    Ok(by_outcome(position, tables)?.map(|(choice, _)| choice))
}

/// The best move by what the tables say, of equal ones by an estimate; and its score.
fn by_outcome<P: Prober>(
    position: &Position,
    tables: &P,
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

/// How far the side to move is from catching the other side's kings, as a negative score.
fn hunt<P: Prober>(position: &Position, tables: &P) -> i32 {
    let side = position.side_to_move;
    let (hunters, prey) = (position.kings(side), position.kings(side.other()));
    let mut sum = -ROOM * room(position, side.other());
    for hunted in prey.singles() {
        let mut least = FAR;
        for hunter in hunters.singles() {
            for second in hunters.singles().filter(|second| second.0 > hunter.0) {
                least = least.min(duel(side, hunter | second, hunted, tables));
            }
        }
        sum -= PLY * least;
    }
    for hunter in hunters {
        for hunted in prey {
            let rows = hunter.row().abs_diff(hunted.row());
            let columns = hunter.column().abs_diff(hunted.column());
            sum -= NEAR * rows.max(columns) as i32;
        }
    }
    sum
}

/// Plies in which two kings, to move, beat one.
fn duel<P: Prober>(side: Color, two: Bitboard, one: Bitboard, tables: &P) -> i32 {
    let mut duel = Position::empty(side);
    *duel.pieces_mut(Piece { color: side, kind: PieceKind::King }) = two;
    *duel.pieces_mut(Piece { color: side.other(), kind: PieceKind::King }) = one;
    match tables.probe(&duel) {
        Ok(Outcome { value: Value::Win, plies: Some(plies) }) => i32::from(plies).min(FAR),
        _ => FAR,
    }
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
        let choice = Pursuit::new(20).choose(&position, &Searched).unwrap().unwrap();
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
            Pursuit::new(0).choose(&position, &Plies).unwrap().unwrap()
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
        assert_eq!(Pursuit::new(9).choose(&blocked, &Searched), Ok(None));
        let position: Position = "W:WK15:BK1".parse().unwrap();
        assert_eq!(Pursuit::new(9).choose(&position, &NoTables), Err(NoTable));
    }

    #[test]
    fn lessons_are_kept_until_a_conversion() {
        let position: Position = "W:WK15,K18:BK1,12".parse().unwrap();
        let mut player = Pursuit::new(9);
        assert!(player.learn(&position, 7) && !player.learn(&position, 7));
        assert_eq!(player.lesson(&position), Some(7));
        player.played(&position.parse_move("15-10").unwrap());
        assert_eq!(player.lesson(&position), Some(7));
        player.played(
            &position.after(&position.parse_move("15-10").unwrap()).parse_move("12-16").unwrap(),
        );
        assert_eq!(player.lesson(&position), None);
        for score in 0..1000 {
            let mut other = position;
            other.black_men.0 = score << 4;
            player.learn(&other, score as i32);
        }
        assert_eq!(player.lessons.len(), LESSONS);
    }
}
