//! The header's structures, and from and to the library's own.

use core::mem::size_of;
use core::ops::ControlFlow;

use crownhead_rules::{Bitboard, Color, Move, Outcome, Position, Value};

use crate::status::Status;

/// `CROWNHEAD_PATH`.
pub const PATH: usize = 10;
/// `CROWNHEAD_MOVES`.
pub const MOVES: usize = 48;

/// `crownhead_position`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct CPosition {
    pub black_men: u32,
    pub black_kings: u32,
    pub white_men: u32,
    pub white_kings: u32,
    pub white_to_move: u32,
}

/// `crownhead_move`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct CMove {
    pub path: [u8; PATH],
    pub length: u8,
    pub crowns: u8,
    pub captured: u32,
}

/// `crownhead_outcome`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct COutcome {
    pub value: i32,
    pub plies: u32,
}

const _: () = assert!(size_of::<CPosition>() == 20);
const _: () = assert!(size_of::<CMove>() == 16);
const _: () = assert!(size_of::<COutcome>() == 8);
const _: () = assert!(PATH == Move::MAX_JUMPS + 1);
const _: () = assert!(MOVES == crownhead_rules::MOVE_CAPACITY);

impl From<Position> for CPosition {
    fn from(position: Position) -> Self {
        Self {
            black_men: position.black_men.0,
            black_kings: position.black_kings.0,
            white_men: position.white_men.0,
            white_kings: position.white_kings.0,
            white_to_move: u32::from(position.side_to_move == Color::White),
        }
    }
}

impl From<Outcome> for COutcome {
    fn from(outcome: Outcome) -> Self {
        let value = match outcome.value {
            Value::Loss => -1,
            Value::Draw => 0,
            Value::Win => 1,
        };
        Self { value, plies: outcome.plies.map_or(u32::MAX, u32::from) }
    }
}

/// A legal position from the caller's.
///
/// # Safety
///
/// The pointer is null or valid.
pub(crate) unsafe fn position(from: *const CPosition) -> Result<Position, Status> {
    // SAFETY: null or valid, as the caller says.
    let from = unsafe { from.as_ref() }.ok_or(Status::Null)?;
    let side_to_move = match from.white_to_move {
        0 => Color::Black,
        1 => Color::White,
        _ => return Err(Status::IllegalPosition),
    };
    let position = Position {
        black_men: Bitboard(from.black_men),
        black_kings: Bitboard(from.black_kings),
        white_men: Bitboard(from.white_men),
        white_kings: Bitboard(from.white_kings),
        side_to_move,
    };
    if position.is_legal() { Ok(position) } else { Err(Status::IllegalPosition) }
}

pub(crate) fn c_move(m: &Move) -> CMove {
    let mut path = [0; PATH];
    let mut length = 0;
    for (place, square) in path.iter_mut().zip(m.path()) {
        *place = square.number() as u8;
        length += 1;
    }
    CMove { path, length, crowns: u8::from(m.crowns()), captured: m.captured().0 }
}

/// The caller's position and its legal move.
///
/// # Safety
///
/// Both pointers are null or valid.
pub(crate) unsafe fn find(
    from: *const CPosition,
    wanted: *const CMove,
) -> Result<(Position, Move), Status> {
    // SAFETY: null or valid, as the caller says.
    let position = unsafe { position(from) }?;
    // SAFETY: null or valid, as the caller says.
    let wanted = unsafe { wanted.as_ref() }.ok_or(Status::Null)?;
    let length = usize::from(wanted.length);
    let squares = wanted.path.get(..length).ok_or(Status::IllegalMove)?;
    let end = position.visit_moves(|m| {
        let same = m.path().map(|square| square.number() as u8).eq(squares.iter().copied());
        if same { ControlFlow::Break(m) } else { ControlFlow::Continue(()) }
    });
    match end {
        ControlFlow::Break(m) => Ok((position, m)),
        ControlFlow::Continue(()) => Err(Status::IllegalMove),
    }
}
