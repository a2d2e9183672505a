//! Policeman and thief on a board: a game whose endings depend on whose turn it is.
//!
//! The policeman moves first, in eight directions, the thief in four; both may stay. On the same
//! cell the policeman has won; else the thief has won on an exit. Otherwise the game may last for
//! ever.

mod svg;

use alloc::vec::Vec;
use core::fmt;

pub use svg::write_chase_svg;

use crate::{Game, Player, Value};

/// The most free cells of a board: it has 2 · 4096² positions then, and seven times as many moves.
pub const MOST_CELLS: usize = 4096;

/// A board with its two players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chase {
    rows: u32,
    columns: u32,
    /// Row after row: whether a cell is a wall, whether it is an exit.
    walls: Vec<bool>,
    exits: Vec<bool>,
    policeman: u32,
    thief: u32,
}

/// A position: the cells, numbered row after row, and who moves ([`Player::Attacker`] is the
/// policeman).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChaseState {
    /// The policeman's cell.
    pub policeman: u32,
    /// The thief's cell.
    pub thief: u32,
    /// Who moves.
    pub turn: Player,
}

/// What is wrong with a board, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChaseError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong there.
    pub fault: ChaseFault,
}

/// What is wrong with a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChaseFault {
    /// There are no cells.
    Empty,
    /// An unknown character.
    Character(char),
    /// A second policeman or thief.
    Second(char),
    /// No policeman or no thief; the place is the end of the board.
    Missing(char),
    /// The row has another length than the first; the place is where it should or does end.
    Ragged {
        /// The cells of the first row.
        expected: usize,
        /// The cells of this one.
        found: usize,
    },
    /// More free cells than [`MOST_CELLS`]; the place is the first one too many.
    TooLarge,
}

impl fmt::Display for ChaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = |letter| if letter == 'P' { "policeman" } else { "thief" };
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match self.fault {
            ChaseFault::Empty => write!(f, "the board has no cells"),
            ChaseFault::Character(c) => write!(
                f,
                "unknown character {c:?}, expected `.` free, `*` wall, `E` exit, `P` policeman or \
                 `T` thief"
            ),
            ChaseFault::Second(letter) => write!(f, "a second {} (`{letter}`)", who(letter)),
            ChaseFault::Missing(letter) => {
                write!(f, "the board has no {} (`{letter}`)", who(letter))
            }
            ChaseFault::Ragged { expected, found } => {
                write!(f, "the row has {found} cells, the first one has {expected}")
            }
            ChaseFault::TooLarge => write!(f, "more than {MOST_CELLS} free cells"),
        }
    }
}

impl core::error::Error for ChaseError {}

impl Chase {
    /// Reads a board, a line for each row; empty lines at the end do not count.
    ///
    /// ```
    /// use crownhead_graph::{Local, Value, chase::Chase};
    ///
    /// let chase = Chase::parse("P.TE.")?;
    /// let start = chase.start();
    /// assert_eq!(Local::new(chase).value(start), (Value::Loss, Some(2)));
    /// # Ok::<(), crownhead_graph::chase::ChaseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first fault, with its line and column.
    pub fn parse(text: &str) -> Result<Self, ChaseError> {
        let mut lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches('\r')).collect();
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        let columns = lines.first().map_or(0, |line| line.chars().count());
        if columns == 0 {
            return Err(ChaseError { line: 1, column: 1, fault: ChaseFault::Empty });
        }
        let (mut walls, mut exits) = (Vec::new(), Vec::new());
        let mut players = [None; 2];
        let mut free = 0;
        for (row, line) in lines.iter().enumerate() {
            for (column, c) in line.chars().enumerate() {
                let fault = |fault| ChaseError { line: row + 1, column: column + 1, fault };
                match c {
                    '.' | '*' | 'E' => {}
                    'P' | 'T' => {
                        let player = &mut players[usize::from(c == 'T')];
                        if player.replace(walls.len() as u32).is_some() {
                            return Err(fault(ChaseFault::Second(c)));
                        }
                    }
                    _ => return Err(fault(ChaseFault::Character(c))),
                }
                free += usize::from(c != '*');
                if free > MOST_CELLS || walls.len() == 1 << 16 {
                    return Err(fault(ChaseFault::TooLarge));
                }
                walls.push(c == '*');
                exits.push(c == 'E');
            }
            let found = line.chars().count();
            if found != columns {
                let fault = ChaseFault::Ragged { expected: columns, found };
                let column = found.min(columns) + 1;
                return Err(ChaseError { line: row + 1, column, fault });
            }
        }
        let missing = |letter| ChaseError {
            line: lines.len(),
            column: columns,
            fault: ChaseFault::Missing(letter),
        };
        Ok(Self {
            rows: lines.len() as u32,
            columns: columns as u32,
            walls,
            exits,
            policeman: players[0].ok_or_else(|| missing('P'))?,
            thief: players[1].ok_or_else(|| missing('T'))?,
        })
    }

    /// The position that was read, with the policeman to move.
    #[must_use]
    pub fn start(&self) -> ChaseState {
        let (policeman, thief) = (self.policeman, self.thief);
        ChaseState { policeman, thief, turn: Player::Attacker }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The cells without a wall.
    pub fn free_cells(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        (0..self.rows * self.columns).filter(|&cell| !self.walls[cell as usize])
    }

    /// The character of `cell` in `state`: as in the text, and `X` for both players on one cell.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    #[must_use]
    pub fn character(&self, state: ChaseState, cell: u32) -> char {
        match (state.policeman == cell, state.thief == cell) {
            (true, true) => 'X',
            (true, false) => 'P',
            (false, true) => 'T',
            _ if self.walls[cell as usize] => '*',
            _ if self.exits[cell as usize] => 'E',
            _ => '.',
        }
    }

    /// Calls `visit` with each free cell from `cell` by `directions`.
    fn steps(&self, cell: u32, directions: &[(i32, i32)], mut visit: impl FnMut(u32)) {
        let (row, column) = ((cell / self.columns) as i32, (cell % self.columns) as i32);
        for (down, right) in directions {
            let (row, column) = (row + down, column + right);
            let inside = |at: i32, limit: u32| at >= 0 && (at as u32) < limit;
            if inside(row, self.rows) && inside(column, self.columns) {
                let to = row as u32 * self.columns + column as u32;
                if !self.walls[to as usize] {
                    visit(to);
                }
            }
        }
    }
}

const THIEF: [(i32, i32); 5] = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)];
const POLICEMAN: [(i32, i32); 9] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)];

impl Game for Chase {
    type State = ChaseState;

    /// What is decided depends on the turn: it is the value for the side to move. The same cell
    /// goes before the exit.
    fn terminal(&self, state: &ChaseState) -> Option<Value> {
        let policemans = if state.policeman == state.thief {
            Value::Win
        } else if self.exits[state.thief as usize] {
            Value::Loss
        } else {
            return None;
        };
        let policeman_moves = state.turn == Player::Attacker;
        Some(if policeman_moves { policemans } else { policemans.opposite() })
    }

    fn successors(&self, state: &ChaseState, visit: &mut dyn FnMut(ChaseState)) {
        let turn = state.turn.opponent();
        match state.turn {
            Player::Attacker => self.steps(state.policeman, &POLICEMAN, |policeman| {
                visit(ChaseState { policeman, turn, ..*state });
            }),
            Player::Defender => self.steps(state.thief, &THIEF, |thief| {
                visit(ChaseState { thief, turn, ..*state });
            }),
        }
    }

    fn turn(&self, state: &ChaseState) -> Player {
        state.turn
    }
}
