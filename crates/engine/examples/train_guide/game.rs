//! Games as [`Pursuit`] plays them, against a defence that knows all distances.

use crownhead_engine::endgame::Pursuit;
use crownhead_rules::{Color, FortyMoveClock, Move, Position};
use rayon::prelude::*;

use crate::phase::{Phase, each_move};
use crate::random::Random;

/// How a game ended, from a won position to the conversion or to the 40-move rule.
pub(crate) struct Game {
    /// Plies to the conversion; `None` where the rule came first.
    pub(crate) plies: Option<u8>,
    /// What the player looked at: ranks of positions as the guide sees them.
    pub(crate) looked_at: Vec<u32>,
    /// To what the player moved by its guess, in the same terms.
    pub(crate) chosen: Vec<u32>,
}

/// The player: [`Pursuit`], but with distances at hand in place of searches and with guesses made
/// beforehand.
struct Player<'a> {
    phase: &'a Phase,
    guesses: &'a [i32],
    lessons: Vec<(u32, i32)>,
    left: Option<(u32, i32)>,
    looked_at: Vec<u32>,
    chosen: Vec<u32>,
}

impl Player<'_> {
    fn distance(&self, next: u32) -> i32 {
        let seen = self.phase.seen[next as usize];
        let known = self.lessons.iter().find(|(key, _)| *key == seen);
        known.map_or(self.guesses[next as usize], |(_, distance)| *distance)
    }

    /// The move in a position from which the conversion is more than one ply away.
    fn choose(&mut self, position: &Position, moves: u8) -> Move {
        let phase = self.phase;
        let plies = phase.won[phase.rank(position)].expect("won");
        let proved = plies <= Pursuit::proof(position, moves);
        let mut best: Option<(i32, u32, Move)> = None;
        each_move(position, |m| {
            if m.is_conversion() {
                return;
            }
            let next = phase.rank(&position.after(m)) as u32;
            let Some(lost) = phase.lost[next as usize] else { return };
            let distance = match proved {
                // Plies are proved two by two.
                true => i32::from(lost > (plies | 1) - 1),
                false => self.distance(next),
            };
            if !proved {
                self.looked_at.push(phase.seen[next as usize]);
            }
            if best.is_none_or(|(least, ..)| distance < least) {
                best = Some((distance, next, *m));
            }
        });
        let (distance, next, m) = best.expect("a won position has a winning move");
        let left = self.left.take().filter(|_| !proved);
        if let Some((key, thought)) = left {
            let lesson = Pursuit::lesson(thought, distance);
            match self.lessons.iter_mut().find(|(other, _)| *other == key) {
                Some(known) => known.1 = lesson,
                None => self.lessons.push((key, lesson)),
            }
        }
        self.left = (!proved).then_some((phase.seen[next as usize], distance));
        self.chosen.extend(self.left.map(|(key, _)| key));
        m
    }
}

/// What the longest resistance leads to, less up to so many plies drawn at
/// random; `None` where it is a conversion or the game is over.
pub(crate) fn resist(
    phase: &Phase,
    position: &Position,
    slack: usize,
    random: &mut Random,
) -> Option<Position> {
    let mut best: Option<(usize, Option<Position>)> = None;
    each_move(position, |m| {
        let next = (!m.is_conversion()).then(|| position.after(m));
        let plies = next.map_or(0, |next| phase.won[phase.rank(&next)].expect("won"));
        let key = 8 * usize::from(plies) + random.below(8 * slack + 8);
        if best.is_none_or(|(most, _)| key > most) {
            best = Some((key, next));
        }
    });
    best.and_then(|(_, next)| next)
}

/// Plays from a position with Black, who wins, to move.
pub(crate) fn play(
    phase: &Phase,
    guesses: &[i32],
    start: u32,
    slack: usize,
    random: &mut Random,
) -> Game {
    let mut player = Player {
        phase,
        guesses,
        lessons: Vec::new(),
        left: None,
        looked_at: Vec::new(),
        chosen: Vec::new(),
    };
    let plies = play_on(&mut player, start, slack, random);
    Game { plies, looked_at: player.looked_at, chosen: player.chosen }
}

/// Plays to the end; the plies to the conversion.
fn play_on(player: &mut Player<'_>, start: u32, slack: usize, random: &mut Random) -> Option<u8> {
    let phase = player.phase;
    let mut position = phase.position(start, Color::Black);
    for moves in 0..(FortyMoveClock::LIMIT / 2) as u8 {
        if phase.won[phase.rank(&position)] == Some(1) {
            return Some(2 * moves + 1);
        }
        let m = player.choose(&position, moves);
        let Some(next) = resist(phase, &position.after(&m), slack, random) else {
            return Some(2 * moves + 2);
        };
        position = next;
    }
    None
}

/// What the defence of a start is drawn by.
pub(crate) fn drawn(start: u32, seed: u64) -> Random {
    Random::new(seed << 32 | u64::from(start))
}

/// Plays from all these positions, of equal defences one drawn by the seed; those that were not won,
/// and the longest game that was.
pub(crate) fn not_won(
    phase: &Phase,
    guesses: &[i32],
    starts: &[u32],
    slack: usize,
    seed: u64,
) -> (Vec<u32>, u8) {
    let plies: Vec<Option<u8>> = starts
        .par_iter()
        .map(|start| play(phase, guesses, *start, slack, &mut drawn(*start, seed)).plies)
        .collect();
    let failed = starts.iter().zip(&plies).filter(|(_, plies)| plies.is_none());
    (failed.map(|(start, _)| *start).collect(), plies.iter().flatten().copied().max().unwrap_or(0))
}
