//! The captures of one word: all positions that differ in the fast piece's square alone.
//!
//! A capture by a numbered piece over numbered pieces is one for every square of the fast piece
//! that is not in its way: the search carries a mask of those squares. Only where the fast piece
//! moves or is taken, the search is for one square.
//!
//! This is the exact form that [rows](super::rows) fall back on where more than one piece is
//! taken, and their slow twin in tests.

use crownhead_index::product::Group;
use crownhead_rules::{Color, PieceKind};

use super::geometry::{JUMP, NEIGHBOUR, OFF, back, crown_row, forward, squares, steps};
use super::groups::rank;
use super::leaves::{Ending, Leaf, Leaves, Taken};
use super::scores::{Code, NONE, lower_one};

/// What captures have been found: masks over the fast piece's squares.
#[derive(PartialEq, Eq, Default, Debug)]
pub(super) struct Found<'a> {
    /// There is a capture.
    pub(super) captures: u32,
    /// Some capture leads to a loss of the opponent.
    pub(super) wins: u32,
    /// Some capture leads to a position that the opponent does not win.
    pub(super) escapes: u32,
    /// By square: the least code behind a capture, where distances to the end are wanted.
    pub(super) best: Option<&'a mut [Code]>,
}

impl Found<'_> {
    fn add(&mut self, bit: u32, end: End) {
        self.wins |= if end.wins { bit } else { 0 };
        self.escapes |= if end.escapes { bit } else { 0 };
        if let Some(best) = self.best.as_deref_mut() {
            lower_one(best, 0, bit.trailing_zeros(), end.best);
        }
    }
}

/// The same for one position.
#[derive(Clone, Copy)]
struct End {
    wins: bool,
    escapes: bool,
    best: Code,
}

/// Who moves in which material.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) leaves: &'a Leaves,
    pub(super) side: Color,
    pub(super) fast: Group,
}

/// By square: its neighbours.
const KING_STEPS: [u32; 32] = {
    let mut table = [0; 32];
    let mut square = 0;
    while square < 32 {
        table[square] = steps(1 << square);
        square += 1;
    }
    table
};

/// The numbered pieces on the board, without the one that is capturing, and what it has taken.
#[derive(Clone, Copy)]
struct Board {
    sets: [u32; 4],
    taken: Taken,
}

impl Board {
    #[inline]
    fn occupied(&self) -> u32 {
        self.sets[0] | self.sets[1] | self.sets[2] | self.sets[3]
    }
}

impl Mover<'_> {
    #[inline]
    fn own(&self, kind: PieceKind) -> usize {
        Group::of(self.side, kind) as usize
    }

    #[inline]
    fn enemy(&self, kind: PieceKind) -> usize {
        Group::of(self.side.other(), kind) as usize
    }

    #[inline]
    fn enemies(&self, board: &Board) -> u32 {
        board.sets[self.enemy(PieceKind::Man)] | board.sets[self.enemy(PieceKind::King)]
    }

    pub(super) fn owns_fast(&self) -> bool {
        self.fast.color() == self.side
    }

    pub(super) fn directions(&self, kind: PieceKind) -> core::ops::Range<usize> {
        match kind {
            PieceKind::King => 0..4,
            PieceKind::Man => forward(self.side)[0]..forward(self.side)[0] + 2,
        }
    }

    /// All captures with the numbered pieces on these squares and the fast piece on those of
    /// `valid`.
    pub(super) fn all(&self, sets: [u32; 4], valid: u32, found: &mut Found<'_>) {
        self.by_numbered(sets, valid, found);
        self.with_fast(sets, valid, found);
    }

    /// Captures that a numbered piece begins over a numbered piece.
    pub(super) fn by_numbered(&self, sets: [u32; 4], valid: u32, found: &mut Found<'_>) {
        for kind in [PieceKind::Man, PieceKind::King] {
            for from in squares(sets[self.own(kind)]) {
                let mut board = Board { sets, taken: Taken::default() };
                for d in self.directions(kind) {
                    let (over, to) = (NEIGHBOUR[d][from], JUMP[d][from]);
                    if to == OFF
                        || board.occupied() >> to & 1 != 0
                        || self.enemies(&board) >> over & 1 == 0
                    {
                        continue;
                    }
                    let mask = valid & !(1 << to);
                    found.captures |= mask;
                    board.sets[self.own(kind)] = sets[self.own(kind)] & !(1 << from);
                    if mask != 0 {
                        self.take(board, over, to, kind, mask, found);
                    }
                    board.sets = sets;
                }
            }
        }
    }

    #[inline]
    fn remove(&self, board: &Board, over: u8) -> Board {
        let man = board.sets[self.enemy(PieceKind::Man)] >> over & 1 != 0;
        let kind = if man { PieceKind::Man } else { PieceKind::King };
        let mut after = Board { taken: board.taken.and(kind), ..*board };
        after.sets[self.enemy(kind)] &= !(1 << over);
        after
    }

    fn take(
        &self,
        board: Board,
        over: u8,
        to: u8,
        kind: PieceKind,
        mask: u32,
        found: &mut Found<'_>,
    ) {
        let board = self.remove(&board, over);
        if kind == PieceKind::Man && crown_row(self.side) >> to & 1 != 0 {
            self.look(board, to, PieceKind::King, Ending::KeptCrowned, mask, found);
        } else {
            self.go_on(board, to, kind, mask, found);
        }
    }

    /// The capturing piece, taken off the board, stands on `at`.
    fn go_on(&self, board: Board, at: u8, kind: PieceKind, mask: u32, found: &mut Found<'_>) {
        let mut ends = mask;
        for d in self.directions(kind) {
            let (over, to) = (NEIGHBOUR[d][at as usize], JUMP[d][at as usize]);
            if to == OFF || board.occupied() >> to & 1 != 0 {
                continue;
            }
            if self.enemies(&board) >> over & 1 != 0 {
                let further = mask & !(1 << to);
                ends &= !further;
                if further != 0 {
                    self.take(board, over, to, kind, further, found);
                }
            } else if !self.owns_fast() && mask >> over & 1 != 0 {
                ends &= !(1 << over);
                found.add(1 << over, self.alone(board, to, kind, true));
            }
        }
        if ends != 0 {
            self.look(board, at, kind, Ending::Kept, ends, found);
        }
    }

    fn look(
        &self,
        board: Board,
        at: u8,
        kind: PieceKind,
        ending: Ending,
        mask: u32,
        found: &mut Found<'_>,
    ) {
        let mut sets = board.sets;
        sets[self.own(kind)] |= 1 << at;
        match self.leaves.get(ending, board.taken) {
            Leaf::Impossible => unreachable!("a capture the material does not allow"),
            Leaf::Won => {
                found.wins |= mask;
                found.escapes |= mask;
                if let Some(best) = found.best.as_deref_mut() {
                    squares(mask).for_each(|square| best[square] = 0);
                }
            }
            Leaf::Look(table) => {
                let word = word_of(&table.strides, &sets);
                found.wins |= mask & table.losses()[word];
                found.escapes |= mask & !table.wins()[word];
                if let Some(best) = found.best.as_deref_mut() {
                    table.scores().lower_word(word, mask, best);
                }
            }
        }
    }

    /// Captures that the fast piece, on one of these squares, begins, or that begin over it.
    pub(super) fn with_fast(&self, sets: [u32; 4], bits: u32, found: &mut Found<'_>) {
        let board = Board { sets, taken: Taken::default() };
        for bit in squares(bits) {
            if self.owns_fast() {
                self.by_fast(&board, bit as u8, found);
            } else {
                self.over_fast(&board, bit as u8, found);
            }
        }
    }

    fn by_fast(&self, board: &Board, bit: u8, found: &mut Found<'_>) {
        let kind = self.fast.kind();
        for d in self.directions(kind) {
            let (over, to) = (NEIGHBOUR[d][bit as usize], JUMP[d][bit as usize]);
            if to == OFF || board.occupied() >> to & 1 != 0 || self.enemies(board) >> over & 1 == 0
            {
                continue;
            }
            found.captures |= 1 << bit;
            let end = self.alone(self.remove(board, over), to, kind, false);
            found.add(1 << bit, end);
        }
    }

    fn over_fast(&self, board: &Board, bit: u8, found: &mut Found<'_>) {
        for d in 0..4 {
            let (to, from) = (NEIGHBOUR[d][bit as usize], NEIGHBOUR[back(d)][bit as usize]);
            if to == OFF || from == OFF || board.occupied() >> to & 1 != 0 {
                continue;
            }
            for kind in [PieceKind::Man, PieceKind::King] {
                let able = self.directions(kind).contains(&d);
                if able && board.sets[self.own(kind)] >> from & 1 != 0 {
                    let mut board = *board;
                    board.sets[self.own(kind)] &= !(1 << from);
                    found.captures |= 1 << bit;
                    found.add(1 << bit, self.alone(board, to, kind, true));
                }
            }
        }
    }

    /// The capturing piece stands on `at` and is the fast piece, of the old material or, where it
    /// took the old fast piece, of the new one.
    fn alone(&self, board: Board, at: u8, kind: PieceKind, took_fast: bool) -> End {
        let crowned = kind == PieceKind::Man && crown_row(self.side) >> at & 1 != 0;
        if crowned || self.enemies(&board) & KING_STEPS[at as usize] == 0 {
            return self.look_alone(&board, at, kind, crowned, took_fast);
        }
        let mut end = End { wins: false, escapes: false, best: NONE };
        let mut further = false;
        for d in self.directions(kind) {
            let (over, to) = (NEIGHBOUR[d][at as usize], JUMP[d][at as usize]);
            if crowned
                || to == OFF
                || board.occupied() >> to & 1 != 0
                || self.enemies(&board) >> over & 1 == 0
            {
                continue;
            }
            further = true;
            let next = self.alone(self.remove(&board, over), to, kind, took_fast);
            end.wins |= next.wins;
            end.escapes |= next.escapes;
            end.best = end.best.min(next.best);
        }
        if further { end } else { self.look_alone(&board, at, kind, crowned, took_fast) }
    }

    fn look_alone(
        &self,
        board: &Board,
        at: u8,
        kind: PieceKind,
        crowned: bool,
        took_fast: bool,
    ) -> End {
        let ending = match (took_fast, crowned, kind) {
            (false, false, _) => Ending::Kept,
            (false, true, _) => Ending::FastCrowned,
            (true, true, _) => Ending::ByCrowned,
            (true, false, PieceKind::Man) => Ending::ByMan,
            (true, false, PieceKind::King) => Ending::ByKing,
        };
        match self.leaves.get(ending, board.taken) {
            Leaf::Impossible => unreachable!("a capture the material does not allow"),
            Leaf::Won => End { wins: true, escapes: true, best: 0 },
            Leaf::Look(table) => {
                let word = word_of(&table.strides, &board.sets);
                End {
                    wins: table.losses()[word] >> at & 1 != 0,
                    escapes: table.wins()[word] >> at & 1 == 0,
                    best: table.scores().at(word, at.into()),
                }
            }
        }
    }
}

/// The word of an arrangement that holds these sets.
fn word_of(strides: &[usize; 4], sets: &[u32; 4]) -> usize {
    let mut word = 0;
    for group in Group::ALL {
        if sets[group as usize] != 0 {
            word += strides[group as usize] * rank(group, sets[group as usize]) as usize;
        }
    }
    word
}
