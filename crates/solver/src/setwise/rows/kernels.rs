//! The loops over lanes. Each does the same to every word of a row, so the compiler turns them into
//! vector code; [`dispatch`](super::super::vector::dispatch) has them compiled for several instruction sets.

#![expect(clippy::too_many_arguments, reason = "one parameter for each plane")]

use super::super::classify::Planes;
use super::super::geometry::{origins, step};

/// Words of one row for one side to move while it is classified, one of each for every lane.
#[derive(Debug, Default)]
pub(in super::super) struct Scratch {
    /// Squares that no numbered piece occupies; none where two numbered pieces share a square.
    pub(super) free: Vec<u32>,
    pub(super) jumps: Jumps,
    pub(super) captures: Vec<u32>,
    pub(super) wins: Vec<u32>,
    pub(super) escapes: Vec<u32>,
    /// Squares of the fast piece where a capture with it goes on: left to the search by word.
    pub(super) fast_goes_on: Vec<u32>,
    /// Not 0 where a capture without the fast piece goes on: left to the search by word.
    pub(super) goes_on: Vec<u32>,
    pub(super) fetched: Fetched,
}

/// Squares from which the mover could jump over a numbered piece.
#[derive(Debug, Default)]
pub(super) struct Jumps {
    /// Those of a king.
    pub(super) king: Vec<u32>,
    /// Those of a man.
    pub(super) man: Vec<u32>,
    /// Those of the fast piece after its first jump, which cannot jump straight back.
    pub(super) fast: Vec<u32>,
}

impl Jumps {
    /// The lanes' squares from which a capture goes on, and which of these count.
    #[inline(always)]
    fn watched(&self, goes_on: GoesOn, landings: u32) -> (&[u32], u32) {
        match goes_on {
            GoesOn::King => (&self.king, landings),
            GoesOn::Man => (&self.man, landings),
            GoesOn::Fast => (&self.fast, landings),
            GoesOn::Never => (&self.fast, 0),
        }
    }
}

/// Looked-up words, brought into the order of lanes.
#[derive(Debug, Default)]
pub(super) struct Fetched {
    pub(super) wins: Vec<u32>,
    pub(super) losses: Vec<u32>,
}

impl Scratch {
    /// Makes room for rows of so many lanes.
    pub(super) fn resize(&mut self, lanes: usize) {
        for plane in [
            &mut self.free,
            &mut self.jumps.king,
            &mut self.jumps.man,
            &mut self.jumps.fast,
            &mut self.captures,
            &mut self.wins,
            &mut self.escapes,
            &mut self.fast_goes_on,
            &mut self.goes_on,
            &mut self.fetched.wins,
            &mut self.fetched.losses,
        ] {
            plane.resize(lanes, 0);
        }
    }
}

/// What the start of a row needs to know.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// Squares of the outer pieces.
    pub(super) occupied: u32,
    /// Those of the mover's enemies.
    pub(super) enemies: u32,
    /// Whether the lanes' pieces are enemies.
    pub(super) lanes_are_enemies: bool,
    /// The two directions of the mover's men begin here.
    pub(super) forward: usize,
    /// Where the fast piece can capture: its squares if it is the mover's, none otherwise.
    pub(super) fast_squares: u32,
    /// Whether the fast piece is a king.
    pub(super) fast_is_king: bool,
}

/// Finds the free squares and the squares from which jumps begin; clears the rest.
#[inline(always)]
pub(super) fn start(scratch: &mut Scratch, sets: &[u32], row: Start) {
    let n = sets.len();
    start_lanes(
        sets,
        row,
        &mut scratch.free[..n],
        &mut scratch.jumps.king[..n],
        &mut scratch.jumps.man[..n],
        &mut scratch.jumps.fast[..n],
        &mut scratch.captures[..n],
    );
    scratch.wins[..n].fill(0);
    scratch.escapes[..n].fill(0);
    scratch.fast_goes_on[..n].fill(0);
    scratch.goes_on[..n].fill(0);
}

// The loops take each plane as a parameter of its own: that is how the compiler knows that they do
// not overlap, without which it does not use vectors.

#[inline(always)]
fn start_lanes(
    sets: &[u32],
    row: Start,
    free: &mut [u32],
    king: &mut [u32],
    man: &mut [u32],
    fast: &mut [u32],
    captures: &mut [u32],
) {
    let n = sets.len();
    let (free, king, man) = (&mut free[..n], &mut king[..n], &mut man[..n]);
    let (fast, captures) = (&mut fast[..n], &mut captures[..n]);
    let lane_enemies = if row.lanes_are_enemies { !0 } else { 0 };
    let (down, up) = if row.forward == 0 { (!0, 0) } else { (0, !0) };
    let (as_king, as_man) = if row.fast_is_king { (!0, 0) } else { (0, !0) };
    for lane in 0..n {
        let set = sets[lane];
        let empty = all_if(set & row.occupied == 0) & !(row.occupied | set);
        let enemies = row.enemies | set & lane_enemies;
        let a = origins(0, enemies & origins(0, empty));
        let b = origins(1, enemies & origins(1, empty));
        let c = origins(2, enemies & origins(2, empty));
        let d = origins(3, enemies & origins(3, empty));
        let (by_king, by_man) = (a | b | c | d, (a | b) & down | (c | d) & up);
        let twice = a & b | (a | b) & c | (a | b | c) & d;
        free[lane] = empty;
        king[lane] = by_king;
        man[lane] = by_man;
        fast[lane] = twice & as_king | by_man & as_man;
        captures[lane] = (by_king & as_king | by_man & as_man) & empty & row.fast_squares;
    }
}

/// Which plane tells where a capture goes on.
#[derive(Clone, Copy)]
pub(super) enum GoesOn {
    /// From the squares in [`Jumps::king`].
    King,
    /// From the squares in [`Jumps::man`].
    Man,
    /// From the squares in [`Jumps::fast`].
    Fast,
    /// Nowhere: a man was crowned.
    Never,
}

impl Scratch {
    /// The squares of one lane from which a capture goes on.
    #[inline(always)]
    pub(super) fn jumps(&self, goes_on: GoesOn, lane: usize) -> u32 {
        let (jumps, watched) = self.jumps.watched(goes_on, !0);
        jumps[lane] & watched
    }
}

/// All bits if this holds.
#[inline(always)]
const fn all_if(holds: bool) -> u32 {
    if holds { !0 } else { 0 }
}

/// One capture with the fast piece: it is decided by bit `landing` of the looked-up words, and
/// concerns bit `square`, where the fast piece stands.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) landing: u32,
    pub(super) square: u32,
    /// Squares that must be free: those landed on.
    pub(super) through: u32,
    /// Squares to which the capture goes on where one of them is free.
    pub(super) stops: u32,
    /// Whether a numbered piece has taken a numbered one before.
    pub(super) began_numbered: bool,
}

impl Line {
    /// A capture of one piece.
    pub(super) const fn new(landing: u32, square: u32) -> Self {
        Self { landing, square, through: landing, stops: 0, began_numbered: false }
    }
}

/// The same capture in every lane.
#[inline(always)]
pub(super) fn line(
    scratch: &mut Scratch,
    wins: &[u32],
    losses: &[u32],
    line: Line,
    goes_on: GoesOn,
) {
    let n = wins.len();
    let (jumps, watched) = scratch.jumps.watched(goes_on, line.landing);
    let further = match line.began_numbered {
        false => &mut scratch.fast_goes_on,
        true => &mut scratch.goes_on,
    };
    line_lanes(
        line,
        watched,
        wins,
        losses,
        &scratch.free[..n],
        &jumps[..n],
        &mut scratch.captures[..n],
        &mut further[..n],
        &mut scratch.wins[..n],
        &mut scratch.escapes[..n],
    );
}

#[inline(always)]
fn line_lanes(
    line: Line,
    watched: u32,
    wins: &[u32],
    losses: &[u32],
    free: &[u32],
    jumps: &[u32],
    captures: &mut [u32],
    further: &mut [u32],
    found_wins: &mut [u32],
    found_escapes: &mut [u32],
) {
    let n = wins.len();
    let (losses, free, jumps) = (&losses[..n], &free[..n], &jumps[..n]);
    let (captures, further) = (&mut captures[..n], &mut further[..n]);
    let (found_wins, found_escapes) = (&mut found_wins[..n], &mut found_escapes[..n]);
    let needed = line.square | line.through;
    for lane in 0..n {
        let unfit = !free[lane] & needed | free[lane] & line.stops;
        let able = all_if(unfit == 0) & line.square;
        let on = all_if(jumps[lane] & watched != 0);
        let ends = able & !on;
        captures[lane] |= able;
        further[lane] |= able & on;
        found_wins[lane] |= ends & all_if(losses[lane] & line.landing != 0);
        found_escapes[lane] |= ends & all_if(wins[lane] & line.landing == 0);
    }
}

/// A capture in which a piece of the lanes takes part: in direction `d` from each lane's piece.
#[derive(Clone, Copy)]
pub(super) struct LaneLine {
    pub(super) d: usize,
    /// Squares where the capturing piece may land.
    pub(super) landings: u32,
    /// Whether the lane's piece jumps over the fast one; if not, the fast one jumps over it.
    pub(super) lane_moves: bool,
}

/// A capture by or of the piece that `bits` gives for each lane.
#[inline(always)]
pub(super) fn lane_line(scratch: &mut Scratch, bits: &[u32], line: LaneLine, goes_on: GoesOn) {
    let n = bits.len();
    let (jumps, watched) = scratch.jumps.watched(goes_on, !0);
    // Each direction has its own shifts, so each has its own loop.
    let lanes = match (line.d, line.lane_moves) {
        (0, true) => lane_line_lanes::<0, true>,
        (1, true) => lane_line_lanes::<1, true>,
        (2, true) => lane_line_lanes::<2, true>,
        (_, true) => lane_line_lanes::<3, true>,
        (0, false) => lane_line_lanes::<0, false>,
        (1, false) => lane_line_lanes::<1, false>,
        (2, false) => lane_line_lanes::<2, false>,
        (_, false) => lane_line_lanes::<3, false>,
    };
    lanes(
        line.landings,
        watched,
        bits,
        &scratch.fetched.wins[..n],
        &scratch.fetched.losses[..n],
        &scratch.free[..n],
        &jumps[..n],
        &mut scratch.captures[..n],
        &mut scratch.fast_goes_on[..n],
        &mut scratch.wins[..n],
        &mut scratch.escapes[..n],
    );
}

#[inline(always)]
fn lane_line_lanes<const D: usize, const LANE_MOVES: bool>(
    landings: u32,
    watched: u32,
    bits: &[u32],
    wins: &[u32],
    losses: &[u32],
    free: &[u32],
    jumps: &[u32],
    captures: &mut [u32],
    further: &mut [u32],
    found_wins: &mut [u32],
    found_escapes: &mut [u32],
) {
    let n = bits.len();
    let (wins, losses) = (&wins[..n], &losses[..n]);
    let (free, jumps) = (&free[..n], &jumps[..n]);
    let (captures, further) = (&mut captures[..n], &mut further[..n]);
    let (found_wins, found_escapes) = (&mut found_wins[..n], &mut found_escapes[..n]);
    for lane in 0..n {
        let piece = bits[lane];
        let ahead = step(D, piece);
        let (square, landing) =
            if LANE_MOVES { (ahead, step(D, ahead)) } else { (step(3 - D, piece), ahead) };
        let landing = landing & landings & free[lane];
        let square = square & free[lane];
        let able = all_if(landing != 0) & square;
        let on = all_if(jumps[lane] & watched & landing != 0);
        let ends = able & !on;
        captures[lane] |= able;
        further[lane] |= able & on;
        found_wins[lane] |= ends & all_if(losses[lane] & landing != 0);
        found_escapes[lane] |= ends & all_if(wins[lane] & landing == 0);
    }
}

/// A capture of a numbered piece by a numbered one, for every square of the fast piece.
#[derive(Clone, Copy)]
pub(super) struct Sweeping {
    /// Where the capturing piece lands.
    pub(super) landing: u32,
    /// The fast piece's squares.
    pub(super) fast_squares: u32,
    /// Jumps from there over the fast piece: its square and the landing behind it.
    pub(super) over_fast: [[u32; 2]; 4],
}

impl Sweeping {
    /// The squares of the fast piece over which the capture goes on.
    #[inline(always)]
    pub(super) fn taken_next(&self, free: u32) -> u32 {
        let [a, b, c, d] = self.over_fast;
        all_if(free & a[1] != 0) & a[0]
            | all_if(free & b[1] != 0) & b[0]
            | all_if(free & c[1] != 0) & c[0]
            | all_if(free & d[1] != 0) & d[0]
    }
}

/// The same capture in every lane.
#[inline(always)]
pub(super) fn sweeping(
    scratch: &mut Scratch,
    wins: &[u32],
    losses: &[u32],
    capture: Sweeping,
    goes_on: GoesOn,
) {
    let n = wins.len();
    let (jumps, watched) = scratch.jumps.watched(goes_on, capture.landing);
    sweeping_lanes(
        capture,
        watched,
        wins,
        losses,
        &scratch.free[..n],
        &jumps[..n],
        &mut scratch.captures[..n],
        &mut scratch.goes_on[..n],
        &mut scratch.wins[..n],
        &mut scratch.escapes[..n],
    );
}

#[inline(always)]
fn sweeping_lanes(
    capture: Sweeping,
    watched: u32,
    wins: &[u32],
    losses: &[u32],
    free: &[u32],
    jumps: &[u32],
    captures: &mut [u32],
    further: &mut [u32],
    found_wins: &mut [u32],
    found_escapes: &mut [u32],
) {
    let n = wins.len();
    let (losses, free, jumps) = (&losses[..n], &free[..n], &jumps[..n]);
    let (captures, further) = (&mut captures[..n], &mut further[..n]);
    let (found_wins, found_escapes) = (&mut found_wins[..n], &mut found_escapes[..n]);
    for lane in 0..n {
        let empty = free[lane];
        let able = all_if(empty & capture.landing != 0);
        let mask = empty & able & capture.fast_squares & !capture.landing;
        let on = all_if(jumps[lane] & watched != 0) & able;
        let ends = mask & !capture.taken_next(empty) & !on;
        captures[lane] |= mask;
        further[lane] |= on;
        found_wins[lane] |= ends & losses[lane];
        found_escapes[lane] |= ends & !wins[lane];
    }
}

/// Whether anything is left to the search by word.
#[inline(always)]
pub(super) fn goes_on(scratch: &Scratch, lanes: usize) -> bool {
    let (numbered, fast) = (&scratch.goes_on[..lanes], &scratch.fast_goes_on[..lanes]);
    let mut any = 0;
    for lane in 0..lanes {
        any |= numbered[lane] | fast[lane];
    }
    any != 0
}

/// Enters what was found.
#[inline(always)]
pub(super) fn finish(scratch: &Scratch, fast_squares: u32, planes: &mut Planes<'_>) {
    let n = planes.wins.len();
    finish_lanes(
        fast_squares,
        &scratch.free[..n],
        &scratch.captures[..n],
        &scratch.wins[..n],
        &scratch.escapes[..n],
        planes.wins,
        planes.losses,
        planes.quiet,
        planes.open,
    );
}

#[inline(always)]
fn finish_lanes(
    fast_squares: u32,
    free: &[u32],
    captures: &[u32],
    wins: &[u32],
    escapes: &[u32],
    to_wins: &mut [u32],
    to_losses: &mut [u32],
    quiet: &mut [u32],
    open: &mut [u32],
) {
    let n = free.len();
    let (captures, wins, escapes) = (&captures[..n], &wins[..n], &escapes[..n]);
    let (to_wins, to_losses) = (&mut to_wins[..n], &mut to_losses[..n]);
    let (quiet, open) = (&mut quiet[..n], &mut open[..n]);
    for lane in 0..n {
        let valid = free[lane] & fast_squares;
        to_wins[lane] = !valid | wins[lane];
        to_losses[lane] = captures[lane] & !escapes[lane];
        quiet[lane] = valid & !captures[lane];
        open[lane] = valid & !captures[lane];
    }
}
