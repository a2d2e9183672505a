use crownhead_rules::{Bitboard, Color, Direction, Position};

/// The most pieces of which an image can hold positions.
pub const MAX_PIECES: usize = 8;

/// Features of one piece: row at most 0 to 6, column at most 0 to 6, long diagonal, edge, distance
/// to the nearest square of a double corner at most 0 to 3, empty neighbours to which it could
/// step at most 0 to 3.
pub const ONE: u32 = 24;
/// Those of them that depend on the square alone.
pub const ONE_BY_SQUARE: u32 = 20;
/// Features of two pieces, their differences taken first piece less second piece: distance in
/// rows at most 0 to 4, in columns at most 0 to 4, in king's steps at most 1 to 5, difference of
/// rows at most -3 to 2, of columns at most -3 to 3, rows of different parity, race at most
/// -3 to 2.
pub const TWO: u32 = 35;
/// Features of the whole position: an odd number of pieces on odd rows; an odd number on squares
/// of odd index; the enemy threatens to capture; own steps at most 0 to 7, enemy steps at most
/// 0 to 7; own safe steps at most 0 to 4, enemy safe steps at most 0 to 5; no own safe step
/// threatens a capture; own steps less enemy steps at most -2 to 3.
pub const ALL: u32 = 37;

/// The squares of the two double corners, from which a lone king cannot be driven.
const DOUBLE_CORNERS: [u32; 4] = [0, 4, 27, 31];
/// The squares whose row and column add up to 7.
const LONG_DIAGONAL: u32 = 0x1122_4488;
/// The squares on the edge of the board.
const EDGE: u32 = 0xf818_181f;

/// How many features a position with so many pieces has.
pub const fn feature_count(pieces: u32) -> u32 {
    pieces * ONE + pieces * (pieces - 1) / 2 * TWO + ALL
}

/// What is asked of a position with Black to move while the tree is walked.
#[derive(Clone, Debug)]
pub struct Features {
    position: Position,
    squares: [u8; MAX_PIECES],
    /// Where the kinds begin in `squares`: own kings, enemy men, enemy kings, end.
    starts: [u8; 4],
    /// By colour.
    steps: [Steps; 2],
}

/// What was found of one side's steps, as if it were to move and captures were not forced.
#[derive(Clone, Copy, Default, Debug)]
struct Steps {
    /// All steps.
    all: Option<i8>,
    /// Steps after which the other side has no capture.
    safe: Option<i8>,
}

impl Features {
    /// `position` has Black to move.
    pub fn new(position: &Position) -> Self {
        let mut squares = [0; MAX_PIECES];
        let mut starts = [0; 4];
        let mut n = 0;
        let sets =
            [position.black_men, position.black_kings, position.white_men, position.white_kings];
        for (set, start) in sets.into_iter().zip(&mut starts) {
            for square in set {
                squares[n & 7] = square.index() as u8;
                n += 1;
            }
            *start = n as u8;
        }
        Self { position: *position, squares, starts, steps: Default::default() }
    }

    /// The squares' bit indices: own men, own kings, enemy men, enemy kings, each ascending.
    pub fn squares(&self) -> &[u8; MAX_PIECES] {
        &self.squares
    }

    /// The features of the whole position, the first in the lowest bit.
    pub fn all_bits(&mut self) -> u64 {
        let [own, enemy] = Color::BOTH.map(|color| self.steps(color));
        let mut bits = (0..3).fold(0, |bits, f| bits | u64::from(self.all(f)) << f);
        bits |= at_most(own, 0, 8) << 3 | at_most(enemy, 0, 8) << 11;
        bits |= at_most(self.safe_steps(Color::Black), 0, 5) << 19;
        bits |= at_most(self.safe_steps(Color::White), 0, 6) << 24;
        bits | u64::from(self.all(30)) << 30 | at_most(own - enemy, -2, 6) << 31
    }

    /// Whether the feature of this number, below [`feature_count`], holds.
    ///
    /// Features are numbered piece by piece, then pair by pair (first with second, first with
    /// third, ..., second with third, ...), then those of the whole position.
    pub fn holds(&mut self, feature: u32) -> bool {
        let pieces = u32::from(self.starts[3]);
        let mut id = feature;
        if id < pieces * ONE {
            return self.one(id / ONE, id % ONE);
        }
        id -= pieces * ONE;
        let pairs = pieces * (pieces - 1) / 2;
        if id < pairs * TWO {
            let (mut pair, feature) = (id / TWO, id % TWO);
            let mut first = 0;
            while pair >= pieces - 1 - first {
                pair -= pieces - 1 - first;
                first += 1;
            }
            return self.two(first, first + 1 + pair, feature);
        }
        self.all(id - pairs * TWO)
    }

    fn square(&self, piece: u32) -> u32 {
        u32::from(self.squares[piece as usize & 7])
    }

    /// 0 own man, 1 own king, 2 enemy man, 3 enemy king.
    fn kind(&self, piece: u32) -> u32 {
        self.starts.iter().take(3).filter(|start| piece >= u32::from(**start)).count() as u32
    }

    fn one(&self, piece: u32, feature: u32) -> bool {
        let square = self.square(piece);
        match feature {
            20..24 => free_neighbours(&self.position, square, self.kind(piece)) <= feature - 20,
            _ => one(square, feature),
        }
    }

    fn two(&self, first: u32, second: u32, feature: u32) -> bool {
        two(
            (self.square(first), self.kind(first)),
            (self.square(second), self.kind(second)),
            feature,
        )
    }

    fn steps(&mut self, color: Color) -> i8 {
        let Self { position, steps, .. } = self;
        *steps[color as usize].all.get_or_insert_with(|| count_steps(position, color))
    }

    fn safe_steps(&mut self, color: Color) -> i8 {
        let Self { position, steps, .. } = self;
        *steps[color as usize].safe.get_or_insert_with(|| count_safe_steps(position, color))
    }

    fn all(&mut self, feature: u32) -> bool {
        let f = feature as i8;
        match feature {
            0 => (self.position.occupied() & Bitboard::ODD_ROWS).len() & 1 != 0,
            1 => (self.position.occupied().0 & 0xaaaa_aaaa).count_ones() & 1 != 0,
            2 => self.position.has_capture(Color::White),
            3..11 => self.steps(Color::Black) <= f - 3,
            11..19 => self.steps(Color::White) <= f - 11,
            19..24 => self.safe_steps(Color::Black) <= f - 19,
            24..30 => self.safe_steps(Color::White) <= f - 24,
            30 => !has_safe_threat(&self.position),
            // A tree that no packer made can ask for features that there are not.
            _ => self.steps(Color::Black) - self.steps(Color::White) <= f.wrapping_sub(33),
        }
    }
}

/// Whether a number is at most `first`, at most `first + 1` and so on, as this many bits.
const fn at_most(number: i8, first: i8, bits: u32) -> u64 {
    let above = number - first;
    let above = if above < 0 { 0 } else { above as u32 };
    if above < bits { (1 << bits) - (1 << above) } else { 0 }
}

/// Row and column of a square.
const fn row_column(square: u32) -> (i32, i32) {
    let row = square / 4;
    (row as i32, (square % 4 * 2 + (row & 1 ^ 1)) as i32)
}

const fn distance(a: u32, b: u32) -> i32 {
    let ((ra, ca), (rb, cb)) = (row_column(a), row_column(b));
    let (dr, dc) = ((ra - rb).abs(), (ca - cb).abs());
    if dr > dc { dr } else { dc }
}

/// A feature of one square (not those of the neighbours).
pub fn one(square: u32, feature: u32) -> bool {
    let (row, column) = row_column(square);
    let f = feature as i32;
    match feature {
        0..7 => row <= f,
        7..14 => column <= f - 7,
        14 => LONG_DIAGONAL >> square & 1 != 0,
        15 => EDGE >> square & 1 != 0,
        _ => DOUBLE_CORNERS.into_iter().any(|corner| distance(square, corner) <= f - 16),
    }
}

/// A feature of two squares with their kinds.
pub fn two(a: (u32, u32), b: (u32, u32), feature: u32) -> bool {
    let ((ra, ca), (rb, cb)) = (row_column(a.0), row_column(b.0));
    let (dr, dc) = (ra - rb, ca - cb);
    let f = feature as i32;
    match feature {
        0..5 => dr.abs() <= f,
        5..10 => dc.abs() <= f - 5,
        10..15 => dr.abs().max(dc.abs()) <= f - 9,
        15..21 => dr <= f - 18,
        21..28 => dc <= f - 24,
        28 => dr & 1 != 0,
        _ => race(a, b) <= f - 32,
    }
}

/// Rows that a man of this kind still has to go.
fn rows_left(piece: (u32, u32)) -> i32 {
    let (row, _) = row_column(piece.0);
    if piece.1 == 0 { 7 - row } else { row }
}

fn race(a: (u32, u32), b: (u32, u32)) -> i32 {
    let enemies = a.1 / 2 != b.1 / 2;
    match (a.1 & 1 == 0, b.1 & 1 == 0) {
        (true, true) if enemies => rows_left(a) - rows_left(b),
        (true, false) if enemies => distance(a.0, b.0) - rows_left(a),
        (false, true) if enemies => distance(a.0, b.0) - rows_left(b),
        _ => 0,
    }
}

/// Empty squares to which a piece of this kind could step.
pub fn free_neighbours(position: &Position, square: u32, kind: u32) -> u32 {
    let set = Bitboard(1 << square);
    let vacant = position.vacant();
    let all: &[Direction] = match kind {
        0 => &Direction::ALL[..2],
        2 => &Direction::ALL[2..],
        _ => &Direction::ALL,
    };
    all.iter().map(|direction| (direction.step(set) & vacant).len()).sum()
}

/// The pieces of a side that move in this direction.
fn movers(position: &Position, color: Color, direction: Direction) -> Bitboard {
    let forward = Direction::forward(color).contains(&direction);
    if forward { position.side(color) } else { position.kings(color) }
}

fn count_steps(position: &Position, color: Color) -> i8 {
    let vacant = position.vacant();
    let steps =
        |direction| movers(position, color, direction) & Direction::origins(direction, vacant);
    Direction::ALL.into_iter().map(|direction| steps(direction).len() as i8).sum()
}

/// The steps of a side after which the other side has no capture.
fn count_safe_steps(position: &Position, color: Color) -> i8 {
    let enemy = color.other();
    if position.has_capture(enemy) {
        // A step may take the captured piece away or block the way: each is looked at.
        let mut safe = 0;
        visit_steps(position, color, &mut |next| safe += i8::from(!next.has_capture(enemy)));
        return safe;
    }
    // Without a capture now there is one after a step only of the piece that stepped, or over the
    // square that it left.
    let (own, vacant) = (position.side(color), position.vacant());
    let (mut attacked, mut needed) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for direction in Direction::ALL {
        let before = direction.step(movers(position, enemy, direction));
        attacked |= before & direction.origins(vacant);
        needed |= direction.step(before & own);
    }
    let mut safe = 0;
    for direction in Direction::ALL {
        let back = movers(position, enemy, direction.opposite());
        let to = vacant - attacked - direction.origins(back);
        safe += ((movers(position, color, direction) - needed) & direction.origins(to)).len() as i8;
    }
    safe
}

/// Shows the position after each step of a side.
fn visit_steps(position: &Position, color: Color, visit: &mut dyn FnMut(&Position)) {
    let vacant = position.vacant();
    for direction in Direction::ALL {
        for square in movers(position, color, direction) & direction.origins(vacant) {
            let from = Bitboard::of(square);
            let to = direction.step(from);
            let mut next = *position;
            let (men, kings) = match color {
                Color::Black => (&mut next.black_men, &mut next.black_kings),
                Color::White => (&mut next.white_men, &mut next.white_kings),
            };
            if kings.has(square) {
                *kings = (*kings - from) | to;
            } else if (to & Bitboard::crown_row(color)).is_empty() {
                *men = (*men - from) | to;
            } else {
                *men -= from;
                *kings |= to;
            }
            visit(&next);
        }
    }
}

/// Whether Black has a step after which White has no capture and Black has one to threaten with.
fn has_safe_threat(position: &Position) -> bool {
    let mut found = false;
    visit_steps(position, Color::Black, &mut |next| {
        found |= !next.has_capture(Color::White) && next.has_capture(Color::Black);
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random positions, many of them with captures and blocked pieces.
    fn positions() -> impl Iterator<Item = Position> {
        let mut state = 1_u32;
        let mut random = move |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % n
        };
        (0..20_000).map(move |_| {
            let mut position = Position::empty(Color::Black);
            for _ in 0..2 + random(7) {
                let square = Bitboard(1 << random(32)) - position.occupied();
                match random(4) {
                    0 => position.black_men |= square - Bitboard::crown_row(Color::Black),
                    1 => position.white_men |= square - Bitboard::crown_row(Color::White),
                    2 => position.black_kings |= square,
                    _ => position.white_kings |= square,
                }
            }
            position
        })
    }

    #[test]
    fn safe_steps_are_those_after_which_nothing_can_be_captured() {
        let mut seen = [0; 2];
        for position in positions() {
            for color in Color::BOTH {
                let mut safe = 0;
                visit_steps(&position, color, &mut |next| {
                    safe += i8::from(!next.has_capture(color.other()));
                });
                assert_eq!(count_safe_steps(&position, color), safe, "{position} {color:?}");
                seen[usize::from(position.has_capture(color.other()))] += 1;
            }
        }
        assert!(seen[0] > 5000 && seen[1] > 5000, "{seen:?}");
    }
}
