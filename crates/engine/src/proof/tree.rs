use crownhead_rules::{Color, MOVE_CAPACITY, Move, Position, Prober, Value};

use super::slot::{Lean, NEVER, Numbers, ProofSlot, keep, recall};
use crate::Limits;
use crate::search::moves_of;

/// No line is longer, in plies.
const MAX_PLY: usize = 256;

/// Rests on no earlier position.
const ALONE: i16 = i16::MAX;
/// Rests on the limit of the line's length: holds nowhere else.
const ON_THE_LIMIT: i16 = -1;

/// What is known of a position on this line.
#[derive(Clone, Copy, Debug)]
struct Known {
    numbers: Numbers,
    /// For a *no*: the earliest and the latest ply of the line whose positions it takes to be
    /// *no* as well.
    rests_on: i16,
    up_to: i16,
}

impl Known {
    const fn lasting(numbers: Numbers) -> Self {
        Self { numbers, rests_on: ALONE, up_to: 0 }
    }
}

/// One question while it is looked into.
pub(super) struct Tree<'a, 's, P> {
    tables: &'a P,
    slots: &'s mut [ProofSlot],
    winner: Color,
    limits: &'s Limits<'s>,
    nodes: u64,
    /// Visits before this question: the number of a visit is never used again.
    visits_before: u64,
    stopped: bool,
    /// Each position with the number of its visit.
    line: heapless::Vec<(Position, u64), { MAX_PLY + 1 }>,
}

struct Children {
    moves: heapless::Vec<(Move, Known), MOVE_CAPACITY>,
    /// Whether one yes is enough: the side that is to win moves.
    any: bool,
}

impl<'a, 's, P: Prober> Tree<'a, 's, P> {
    pub(super) fn new(
        tables: &'a P,
        slots: &'s mut [ProofSlot],
        winner: Color,
        limits: &'s Limits<'s>,
        visits_before: u64,
    ) -> Self {
        let line = heapless::Vec::new();
        Self { tables, slots, winner, limits, nodes: 0, visits_before, stopped: false, line }
    }

    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn prove(&mut self, root: &Position) -> Option<bool> {
        let mut known = self.first_look(root);
        if !known.numbers.is_settled() {
            known = self.visit(root, Numbers { yes: NEVER, no: NEVER }, 0);
        }
        match known.numbers {
            Numbers { yes: 0, .. } => Some(true),
            Numbers { no: 0, .. } if known.rests_on >= 0 => Some(false),
            _ => None,
        }
    }

    /// Looks below a position until its numbers reach these limits.
    fn visit(&mut self, position: &Position, until: Numbers, ply: i16) -> Known {
        self.nodes += 1;
        if self.nodes >= self.limits.nodes || (self.nodes & 63 == 0 && (self.limits.stop)()) {
            self.stopped = true;
        }
        let start = self.nodes;
        if self.line.push((*position, self.visits_before + self.nodes)).is_err() {
            return Known { numbers: Numbers::NO, rests_on: ON_THE_LIMIT, up_to: ON_THE_LIMIT };
        }
        let mut children = self.children(position);
        let known = loop {
            let known = children.sum_up(ply);
            let numbers = known.numbers;
            if numbers.yes >= until.yes || numbers.no >= until.no || self.stopped {
                break known;
            }
            let (next, limits) = children.most_promising(until, numbers);
            let m = children.moves[next].0;
            children.moves[next].1 = self.visit(&position.after(&m), limits, ply + 1);
        };
        self.line.pop();
        let work = (self.nodes - start).min(u64::from(u32::MAX)) as u32;
        if known.numbers.no != 0 || known.rests_on == ALONE {
            keep(self.slots, position, known.numbers, None, work);
        } else if let Some(lean) = self.lean(known) {
            keep(self.slots, position, known.numbers, Some(lean), work);
        }
        known
    }

    /// What is to be kept with a *no* that leans on earlier positions of the line.
    fn lean(&self, known: Known) -> Option<Lean> {
        let (first, last) = (known.rests_on, known.up_to);
        let visit = self.line.get(usize::try_from(last).ok()?)?.1;
        (first >= 0).then_some(Lean { first, last, visit })
    }

    /// Whether the positions that something leans on are still, or again, those of the line.
    fn stands(&self, lean: Lean) -> bool {
        let place = usize::try_from(lean.last).ok().and_then(|ply| self.line.get(ply));
        place.is_some_and(|(_, visit)| *visit == lean.visit)
    }

    fn children(&self, position: &Position) -> Children {
        let look = |m: &Move| (*m, self.look(position, m));
        Children {
            moves: moves_of(position).iter().map(look).collect(),
            any: position.side_to_move == self.winner,
        }
    }

    /// What is known of the position after a move without looking further.
    fn look(&self, position: &Position, m: &Move) -> Known {
        let child = position.after(m);
        if !m.is_conversion()
            && let Some(earlier) = self.line.iter().position(|(before, _)| *before == child)
        {
            let earlier = earlier as i16;
            return Known { numbers: Numbers::NO, rests_on: earlier, up_to: earlier };
        }
        match recall(self.slots, &child) {
            Some((numbers, None)) => Known::lasting(numbers),
            Some((numbers, Some(lean))) if self.stands(lean) => {
                Known { numbers, rests_on: lean.first, up_to: lean.last }
            }
            _ => self.first_look(&child),
        }
    }

    /// A win seems further away the less there is to win with: 4 where the sides are even, 1 where
    /// the winner is a man and a half ahead.
    fn effort(&self, position: &Position) -> u32 {
        let half_men = |color| 2 * position.men(color).len() + 3 * position.kings(color).len();
        let (own, other) = (half_men(self.winner), half_men(self.winner.other()));
        (4 + other).saturating_sub(own).max(1)
    }

    fn first_look(&self, position: &Position) -> Known {
        let wins = |side| if side == self.winner { Numbers::YES } else { Numbers::NO };
        let side = position.side_to_move;
        let table = position.occupied().len() <= self.tables.max_pieces();
        if table && let Ok(outcome) = self.tables.probe(position) {
            return Known::lasting(match outcome.value {
                Value::Win => wins(side),
                Value::Draw => Numbers::NO,
                Value::Loss => wins(side.other()),
            });
        }
        let moves = position.count_moves();
        let effort = self.effort(position);
        Known::lasting(match moves {
            0 => wins(side.other()),
            _ if side == self.winner => Numbers { yes: effort, no: moves },
            _ => Numbers { yes: moves * effort, no: 1 },
        })
    }
}

impl Children {
    /// The position's numbers: the least child for what one child decides; for what takes all
    /// children the greatest and one more for each other open child, so that what several
    /// children share is not counted again and again.
    fn sum_up(&self, ply: i16) -> Known {
        let (mut one, mut all, mut open) = (NEVER, 0, 0);
        for (_, known) in &self.moves {
            let (single, joint) = self.parts(known.numbers);
            one = one.min(single);
            all = all.max(joint);
            open += u32::from(joint != 0);
        }
        let all = if all >= NEVER { NEVER } else { (all + open.saturating_sub(1)).min(NEVER - 1) };
        let numbers =
            if self.any { Numbers { yes: one, no: all } } else { Numbers { yes: all, no: one } };
        let (rests_on, up_to) = if numbers.no == 0 { self.leans_on() } else { (ALONE, 0) };
        if rests_on >= ply {
            // Nothing before this position is needed: the no holds wherever it comes up.
            Known::lasting(numbers)
        } else {
            Known { numbers, rests_on, up_to: up_to.min(ply - 1) }
        }
    }

    /// The earliest and latest ply that a *no* here leans on: of all children, or of the best.
    fn leans_on(&self) -> (i16, i16) {
        let no = self.moves.iter().filter(|(_, known)| known.numbers.no == 0);
        let plies = no.map(|(_, known)| (known.rests_on, known.up_to));
        let found = if self.any {
            plies.reduce(|(first, last), (a, b)| (first.min(a), last.max(b)))
        } else {
            plies.max_by_key(|(first, _)| *first)
        };
        found.unwrap_or((ALONE, 0))
    }

    /// The number that one child is enough for, and the number that takes all.
    fn parts(&self, numbers: Numbers) -> (u32, u32) {
        if self.any { (numbers.yes, numbers.no) } else { (numbers.no, numbers.yes) }
    }

    /// The child to visit, and how long.
    fn most_promising(&self, until: Numbers, now: Numbers) -> (usize, Numbers) {
        let (mut best, mut second, mut at) = ((NEVER, NEVER), NEVER, 0);
        for (i, (_, known)) in self.moves.iter().enumerate() {
            let parts = self.parts(known.numbers);
            if parts < best {
                second = best.0;
                (best, at) = (parts, i);
            } else {
                second = second.min(parts.0);
            }
        }
        let ((until_one, until_all), (_, all)) = (self.parts(until), self.parts(now));
        // A quarter more than the second best, so that we do not go back and forth.
        let one = until_one.min(second.saturating_add(second / 4 + 1));
        let all = if until_all >= NEVER { NEVER } else { until_all - all + best.1 };
        let (one, all) = (one.min(NEVER), all.min(NEVER));
        (at, if self.any { Numbers { yes: one, no: all } } else { Numbers { yes: all, no: one } })
    }
}
