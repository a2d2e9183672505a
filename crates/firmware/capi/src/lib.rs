//! The library behind `include/crownhead.h`, which documents it for its users.
//!
//! Structures are those of the header, member for member; `cargo xtask firmware` compares both
//! texts. Nothing unwinds: a panic would be a fault of this library, and ends the program.

#![cfg_attr(not(test), no_std)]

mod convert;
mod player;
mod status;
mod table;
#[cfg(test)]
mod tests;
mod text;

use core::ops::ControlFlow;

use crownhead_rules::Position;
use crownhead_tictactoe::{Board, choose};

pub use convert::{CMove, COutcome, CPosition, MOVES, PATH};
pub use player::{CPlayer, crownhead_best_move, crownhead_new_player, crownhead_played};
pub use status::{CStatus, crownhead_error_text};
pub use table::{CRead, CTable, crownhead_open_callback, crownhead_open_memory, crownhead_probe};
pub use text::{FEN_BYTES, MOVE_BYTES, crownhead_write_fen, crownhead_write_move};

use convert::{c_move, find};
use status::Status;

#[cfg(not(test))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// Reads a FEN.
///
/// # Safety
///
/// `text` points to `length` bytes; the other pointers are null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_parse_fen(
    text: *const u8,
    length: usize,
    position: *mut CPosition,
    column: *mut usize,
) -> CStatus {
    if text.is_null() || position.is_null() {
        return Status::Null.code();
    }
    // SAFETY: the caller says that so many bytes are there.
    let bytes = unsafe { core::slice::from_raw_parts(text, length) };
    match Position::from_fen(bytes) {
        Ok(found) => {
            // SAFETY: not null, and valid as the caller says.
            unsafe { position.write(found.into()) };
            Status::Ok.code()
        }
        Err(error) => {
            if !column.is_null() {
                // SAFETY: not null, and valid as the caller says.
                unsafe { column.write(error.column) };
            }
            Status::BadFen.code()
        }
    }
}

/// Lists the legal moves.
///
/// # Safety
///
/// `position` is null or valid, `moves` points to room for `capacity` moves, `count` is null or
/// valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_list_moves(
    position: *const CPosition,
    moves: *mut CMove,
    capacity: usize,
    count: *mut usize,
) -> CStatus {
    if moves.is_null() || count.is_null() {
        return Status::Null.code();
    }
    // SAFETY: null or valid, as the caller says.
    let position = match unsafe { convert::position(position) } {
        Ok(position) => position,
        Err(status) => return status.code(),
    };
    let mut found = 0;
    let _: ControlFlow<()> = position.visit_moves(|m| {
        if found < capacity {
            // SAFETY: below `capacity`, for which the caller has made room.
            unsafe { moves.add(found).write(c_move(&m)) };
        }
        found += 1;
        ControlFlow::Continue(())
    });
    // SAFETY: not null, and valid as the caller says.
    unsafe { count.write(found) };
    if found <= capacity { Status::Ok.code() } else { Status::TooSmall.code() }
}

/// Makes a legal move.
///
/// # Safety
///
/// Both pointers are null or valid, `position` for writing too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_apply_move(
    position: *mut CPosition,
    m: *const CMove,
) -> CStatus {
    // SAFETY: null or valid, as the caller says.
    match unsafe { find(position, m) } {
        Ok((before, m)) => {
            // SAFETY: `find` has read it, so it is not null.
            unsafe { position.write(before.after(&m).into()) };
            Status::Ok.code()
        }
        Err(status) => status.code(),
    }
}

/// The strategy's cell on a tic-tac-toe board.
///
/// # Safety
///
/// `cell` is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_tictactoe_move(x: u16, o: u16, cell: *mut u8) -> CStatus {
    if cell.is_null() {
        return Status::Null.code();
    }
    let Ok(board) = Board::new(x, o) else { return Status::BadBoard.code() };
    match choose(board) {
        Some(chosen) => {
            // SAFETY: not null, and valid as the caller says.
            unsafe { cell.write(chosen.number()) };
            Status::Ok.code()
        }
        None => Status::NoMove.code(),
    }
}
