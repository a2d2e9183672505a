use alloc::vec::Vec;

use super::blockers::Blockers;
use super::{Colour, INFINITE, Mark, Variant, Verdict, WinTree};
use crate::{Arena, Ending, Player};

/// The procedure with a stack of its own instead of recursion.
pub(super) struct Search<'a, A> {
    arena: &'a mut A,
    player: Player,
    variant: Variant,
    budget: u64,
    marks: Vec<Mark>,
    bounds: Vec<u32>,
    stack: Vec<Frame>,
    blockers: Blockers,
    visits: u64,
    peak_bytes: usize,
}

/// A gray vertex and its next successor.
struct Frame {
    vertex: u32,
    next: u32,
    degree: u32,
}

impl<'a, A: Arena> Search<'a, A> {
    pub(super) fn new(arena: &'a mut A, player: Player, variant: Variant, budget: u64) -> Self {
        Self {
            arena,
            player,
            variant,
            budget,
            marks: Vec::new(),
            bounds: Vec::new(),
            stack: Vec::new(),
            blockers: Blockers::default(),
            visits: 0,
            peak_bytes: 0,
        }
    }

    pub(super) fn run(mut self, root: u32) -> WinTree {
        assert!((root as usize) < self.arena.known(), "vertex {root} is not in the game");
        let finished = self.search(root);
        self.note_peak();
        let mark = self.marks.get(root as usize).copied().unwrap_or_default();
        let verdict = match mark.won {
            _ if !finished => Verdict::BudgetSpent,
            Some(true) => Verdict::Wins { bound: self.bounds[root as usize] },
            _ => Verdict::DoesNotWin,
        };
        WinTree {
            player: self.player,
            root,
            verdict,
            marks: self.marks,
            bounds: self.bounds,
            visits: self.visits,
            peak_bytes: self.peak_bytes,
        }
    }

    /// Whether it came to an end within the budget.
    fn search(&mut self, root: u32) -> bool {
        if !self.enter(root) {
            return false;
        }
        while let Some(frame) = self.stack.last_mut() {
            if frame.next == frame.degree {
                self.leave();
                continue;
            }
            let w = self.arena.successor(frame.vertex, frame.next);
            frame.next += 1;
            let mark = self.marks[w as usize];
            match mark.colour {
                Some(Colour::Gray) => {
                    // The winning tree has no cycles.
                    if self.variant == Variant::GrayReached {
                        self.blockers.add(w);
                    }
                    self.apply(None, INFINITE);
                }
                Some(Colour::Black) => self.apply(mark.won, self.after(w)),
                Some(Colour::White) if self.is_still_blocked(w) => self.apply(None, INFINITE),
                _ => {
                    if !self.enter(w) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// d of the move to `w`.
    fn after(&self, w: u32) -> u32 {
        self.bounds[w as usize].saturating_add(1)
    }

    fn is_still_blocked(&mut self, w: u32) -> bool {
        let marks = &self.marks;
        self.variant == Variant::GrayReached
            && self.blockers.pass_on(w, |b| marks[b as usize].colour == Some(Colour::Gray))
    }

    /// Starts a visit; false if the budget is spent.
    fn enter(&mut self, v: u32) -> bool {
        if self.visits == self.budget {
            return false;
        }
        self.visits += 1;
        let degree = self.arena.expand(v);
        if self.marks.len() < self.arena.known() {
            self.marks.resize(self.arena.known(), Mark::default());
            self.bounds.resize(self.arena.known(), INFINITE);
        }
        let won = match self.arena.ending(v) {
            Some(ending) => ending == Ending::Won(self.player),
            None => self.arena.turn(v) != self.player,
        };
        self.marks[v as usize] = Mark { colour: Some(Colour::Gray), won: Some(won) };
        self.bounds[v as usize] = if won { 0 } else { INFINITE };
        self.stack.push(Frame { vertex: v, next: 0, degree });
        if self.variant == Variant::GrayReached {
            self.blockers.open();
        }
        if self.variant != Variant::Plain {
            self.look_at_black(v, degree);
        }
        true
    }

    /// What is black costs no visit. Looking at it again later changes nothing.
    fn look_at_black(&mut self, v: u32, degree: u32) {
        for i in 0..degree {
            let w = self.arena.successor(v, i);
            let mark = self.marks[w as usize];
            if mark.colour == Some(Colour::Black) {
                self.apply(mark.won, self.after(w));
            }
        }
    }

    /// Ends the visit of the topmost vertex and tells the one below of its result.
    fn leave(&mut self) {
        if self.visits.is_multiple_of(1024) {
            self.note_peak();
        }
        let Some(Frame { vertex: v, .. }) = self.stack.pop() else { return };
        let mark = &mut self.marks[v as usize];
        let won = mark.won;
        mark.colour = Some(if won.is_none() { Colour::White } else { Colour::Black });
        if self.variant == Variant::GrayReached {
            self.blockers.close(v, won.is_none());
        }
        if !self.stack.is_empty() {
            self.apply(won, self.after(v));
        }
    }

    /// Takes one successor's result into that of the topmost vertex: lines 36 to 44.
    fn apply(&mut self, won: Option<bool>, d: u32) {
        let Some(frame) = self.stack.last_mut() else { return };
        let v = frame.vertex;
        let waits_for_all = self.arena.turn(v) != self.player;
        if won != Some(waits_for_all) {
            self.marks[v as usize].won = won;
            self.bounds[v as usize] = d;
            if won.is_some() {
                frame.next = frame.degree;
            }
        } else if waits_for_all && d > self.bounds[v as usize] {
            self.bounds[v as usize] = d;
        }
    }

    fn note_peak(&mut self) {
        let bytes = self.marks.capacity() * size_of::<Mark>()
            + self.bounds.capacity() * 4
            + self.stack.capacity() * size_of::<Frame>()
            + self.blockers.bytes();
        self.peak_bytes = self.peak_bytes.max(bytes);
    }
}
