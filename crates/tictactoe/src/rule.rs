//! The rules that a person would play by, as chains: the plain one and the one that is always right.
//!
//! Each step of a rule marks cells; the first step that marks any decides, and of the cells it
//! marks the first in the order 5, 1, 3, 9, 7, 2, 6, 8, 4 is played.

use crate::builder::{Builder, Cells, Signal};
use crate::chain::Chain;
use crate::lines::LINES;

/// The order in which cells are preferred (as indices): 5, 1, 3, 9, 7, 2, 6, 8, 4.
const ORDER: [usize; 9] = [4, 0, 2, 8, 6, 1, 5, 7, 3];

/// The cells of each line, in the order of [`LINES`].
const CELLS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The four sides: corner, edge, corner.
const SIDES: [[usize; 3]; 4] = [[0, 1, 2], [2, 5, 8], [8, 7, 6], [6, 3, 0]];

/// x1 to x9.
const MINE: Cells = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/// o1 to o9.
const THEIRS: Cells = [9, 10, 11, 12, 13, 14, 15, 16, 17];

/// Number of gates of [`PLAIN`].
const PLAIN_GATES: usize = plain().0.len();

/// Number of gates of [`MODIFIED`].
const MODIFIED_GATES: usize = modified().0.len();

/// The plain rule: win, block, fork, defend, rest. It is wrong in 50 of the 4,520 positions.
///
/// - *win*: complete a line of mine;
/// - *block*: fill the third cell of a line in which the opponent has two;
/// - *fork*: play where two lines with one mark of mine and none of theirs meet;
/// - *defend*: play where the opponent would fork;
/// - *rest*: any empty cell.
///
/// In 20 of the 50 there are two marks: my corner and another corner of theirs, or my edge and a far
/// corner of theirs. There is a forced win, and taking the centre lets it slip. In 30 there are
/// three; in some the win slips in the same way, in the others the opponent threatens to fork
/// in more than one cell, and filling one of them loses. The opponent in opposite corners with our
/// mark in the centre is the best known of these (x is mine, o theirs, whoever began):
///
/// ```text
///    o │   │
///   ───┼───┼───
///      │ x │        x must play an edge; the plain rule plays 3
///   ───┼───┼───
///      │   │ o
/// ```
pub static PLAIN: Chain<PLAIN_GATES> = {
    let (builder, outputs) = plain();
    builder.finish(outputs)
};

/// The plain rule with two more steps: win, block, fork, *attack*, defend, *pincer*, rest. It is
/// always right.
///
/// - *attack*, before *defend*: make two in a row so that the forced answer helps the opponent to
///   nothing. From a corner of mine, that is the other end of a side without marks (the answer is
///   an edge, the weakest kind of cell); from my centre, one of two opposite empty edges (the
///   answer is the other). Forks of the opponent need not be filled one by one while every move of
///   theirs is forced.
/// - *pincer*, after *defend*: next to my edge, take the corner whose other side holds a mark of
///   theirs, if the far corner of my side is empty.
///
/// Here x is mine and o theirs, whoever began:
///
/// ```text
///    x │   │ 3          │ 2 │ o         1 │ x │
///   ───┼───┼───      ───┼───┼───      ───┼───┼───
///      │   │ o          │ x │            │   │
///   ───┼───┼───      ───┼───┼───      ───┼───┼───
///    o │   │          o │   │          o │   │
///
///   attack at 3:     attack at 2:     pincer at 1: o must
///   o must play 2    o must play 8    play 3, then 5 forks
/// ```
pub static MODIFIED: Chain<MODIFIED_GATES> = {
    let (builder, outputs) = modified();
    builder.finish(outputs)
};

const fn plain() -> (Builder, Cells) {
    let mut builder = Builder::new();
    let facts = Facts::new(&mut builder);
    let mut choice = facts.empty;
    choice = prefer(&mut builder, facts.defend, choice);
    choice = prefer(&mut builder, facts.fork, choice);
    choice = prefer(&mut builder, facts.block, choice);
    choice = prefer(&mut builder, facts.win, choice);
    let outputs = first(&mut builder, choice);
    (builder, outputs)
}

const fn modified() -> (Builder, Cells) {
    let mut builder = Builder::new();
    let facts = Facts::new(&mut builder);
    let pincer = pincer(&mut builder, &facts);
    let attack = attack(&mut builder, &facts);
    let mut choice = facts.empty;
    choice = prefer(&mut builder, pincer, choice);
    choice = prefer(&mut builder, facts.defend, choice);
    choice = prefer(&mut builder, attack, choice);
    choice = prefer(&mut builder, facts.fork, choice);
    choice = prefer(&mut builder, facts.block, choice);
    choice = prefer(&mut builder, facts.win, choice);
    let outputs = first(&mut builder, choice);
    (builder, outputs)
}

/// What both rules look at: the cells that each step marks.
struct Facts {
    empty: Cells,
    win: Cells,
    block: Cells,
    fork: Cells,
    defend: Cells,
}

impl Facts {
    const fn new(builder: &mut Builder) -> Self {
        let mut empty = [0; 9];
        let mut cell = 0;
        while cell < 9 {
            empty[cell] = builder.nor(MINE[cell], THEIRS[cell]);
            cell += 1;
        }
        Self {
            empty,
            win: third_cells(builder, &MINE, &THEIRS),
            block: third_cells(builder, &THEIRS, &MINE),
            fork: forks(builder, &MINE, &THEIRS, &empty),
            defend: forks(builder, &THEIRS, &MINE, &empty),
        }
    }
}

/// The empty cells in line with two marks of one side.
///
/// Such a cell holds none of that side's marks, or the game would be over: it is enough that it
/// holds none of the other's.
const fn third_cells(builder: &mut Builder, own: &Cells, other: &Cells) -> Cells {
    let mut third = [0; 9];
    let mut cell = 0;
    while cell < 9 {
        let (lines, count) = through(cell);
        let (mut pairs, mut place) = ([0; 4], 0);
        while place < count {
            let [a, b] = others(CELLS[lines[place]], cell);
            pairs[place] = builder.and(own[a], own[b]);
            place += 1;
        }
        let pair = builder.any(pairs.split_at(count).0);
        third[cell] = builder.and_not(pair, other[cell]);
        cell += 1;
    }
    third
}

/// The empty cells where two lines meet that hold one mark of a side and none of the other.
const fn forks(builder: &mut Builder, own: &Cells, other: &Cells, empty: &Cells) -> Cells {
    let mut single = [0; 8];
    let mut line = 0;
    while line < 8 {
        let [a, b, c] = CELLS[line];
        // Three of one side do not occur: an odd number of marks is one mark.
        let two = builder.xor(own[a], own[b]);
        let odd = builder.xor(two, own[c]);
        let blocked = builder.any(&[other[a], other[b], other[c]]);
        single[line] = builder.and_not(odd, blocked);
        line += 1;
    }
    let mut fork = [0; 9];
    let mut cell = 0;
    while cell < 9 {
        let (lines, count) = through(cell);
        let mut singles = [0; 4];
        let mut place = 0;
        while place < count {
            singles[place] = single[lines[place]];
            place += 1;
        }
        let meeting = builder.two_of(singles.split_at(count).0);
        fork[cell] = builder.and(meeting, empty[cell]);
        cell += 1;
    }
    fork
}

/// The cells of the step *attack* of [`MODIFIED`].
const fn attack(builder: &mut Builder, facts: &Facts) -> Cells {
    let empty = &facts.empty;
    let mut from_corner = [[0; 2]; 9];
    let mut side = 0;
    while side < 4 {
        // The sides follow each other around the board: each corner is the end of one of them and
        // the start of the next.
        let [start, edge, end] = SIDES[side];
        from_corner[end][0] = builder.and(MINE[start], empty[edge]);
        from_corner[start][1] = builder.and(MINE[end], empty[edge]);
        side += 1;
    }
    let mut attack = [0; 9];
    let mut side = 0;
    while side < 4 {
        let [corner, ..] = SIDES[side];
        let seen = builder.any(&from_corner[corner]);
        attack[corner] = builder.and(seen, empty[corner]);
        side += 1;
    }
    let rank = builder.and(empty[3], empty[5]);
    let file = builder.and(empty[1], empty[7]);
    let rank_attack = builder.and(rank, MINE[4]);
    let file_attack = builder.and(file, MINE[4]);
    attack[3] = rank_attack;
    attack[5] = rank_attack;
    attack[1] = file_attack;
    attack[7] = file_attack;
    attack[4] = NOTHING;
    attack
}

/// The cells of the step *pincer* of [`MODIFIED`].
const fn pincer(builder: &mut Builder, facts: &Facts) -> Cells {
    let empty = &facts.empty;
    let (mut into_end, mut into_start) = ([0; 4], [0; 4]);
    let mut side = 0;
    while side < 4 {
        let [start, edge, end] = SIDES[side];
        let ends = builder.and(empty[start], empty[end]);
        let mine = builder.and(ends, MINE[edge]);
        let [_, next_edge, next_end] = SIDES[(side + 1) % 4];
        let [before_start, before_edge, _] = SIDES[(side + 3) % 4];
        let next = builder.shared_or(THEIRS[next_edge], THEIRS[next_end]);
        let before = builder.shared_or(THEIRS[before_edge], THEIRS[before_start]);
        into_end[side] = builder.and(mine, next);
        into_start[side] = builder.and(mine, before);
        side += 1;
    }
    let mut pincer = [NOTHING; 9];
    let mut side = 0;
    while side < 4 {
        let [start, ..] = SIDES[side];
        pincer[start] = builder.or(into_start[side], into_end[(side + 3) % 4]);
        side += 1;
    }
    pincer
}

/// Stands for a cell that a step never marks.
const NOTHING: Signal = Signal::MAX;

/// The cells of the step if it marks any, else the cells of the choice. The cell preferred least is
/// left out: it is played when no other is, and nobody asks whether it is marked.
const fn prefer(builder: &mut Builder, step: Cells, choice: Cells) -> Cells {
    let (mut marked, mut count, mut cell) = ([0; 9], 0, 0);
    while cell < 9 {
        // The edges of an attack come in pairs with one signal: it is asked once.
        if step[cell] != NOTHING && !contains(marked.split_at(count).0, step[cell]) {
            marked[count] = step[cell];
            count += 1;
        }
        cell += 1;
    }
    let any = builder.any(marked.split_at(count).0);
    let mut preferred = [NOTHING; 9];
    let mut place = 0;
    while place < 8 {
        let cell = ORDER[place];
        let later = builder.and_not(choice[cell], any);
        preferred[cell] = if step[cell] == NOTHING { later } else { builder.or(step[cell], later) };
        place += 1;
    }
    preferred
}

/// The first marked cell in the order of preference; there is one, so the last is never asked.
const fn first(builder: &mut Builder, choice: Cells) -> Cells {
    let mut outputs = [0; 9];
    let mut earlier = choice[ORDER[0]];
    outputs[ORDER[0]] = earlier;
    let mut place = 1;
    while place < 8 {
        let cell = ORDER[place];
        outputs[cell] = builder.and_not(choice[cell], earlier);
        if place < 7 {
            earlier = builder.or(earlier, choice[cell]);
        }
        place += 1;
    }
    outputs[ORDER[8]] = builder.nor(earlier, choice[ORDER[7]]);
    outputs
}

/// The two, three or four lines through a cell, and how many they are.
const fn through(cell: usize) -> ([usize; 4], usize) {
    let (mut lines, mut count, mut line) = ([0; 4], 0, 0);
    while line < 8 {
        if LINES[line] >> cell & 1 != 0 {
            lines[count] = line;
            count += 1;
        }
        line += 1;
    }
    (lines, count)
}

/// The two other cells of a line through the cell.
const fn others([a, b, c]: [usize; 3], cell: usize) -> [usize; 2] {
    if a == cell {
        [b, c]
    } else if b == cell {
        [a, c]
    } else {
        [a, b]
    }
}

const fn contains(signals: &[Signal], signal: Signal) -> bool {
    let mut index = 0;
    while index < signals.len() {
        if signals[index] == signal {
            return true;
        }
        index += 1;
    }
    false
}
