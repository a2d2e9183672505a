//! The player of endgames.

use core::mem::{align_of, size_of};

use crownhead_engine::endgame::Pursuit;

use crate::convert::{CMove, COutcome, CPosition, c_move, find, position};
use crate::status::{CStatus, Status};
use crate::table::{CTable, table};

/// `crownhead_player`.
#[repr(C)]
pub struct CPlayer {
    opaque: [u64; 80],
}

const _: () = assert!(size_of::<CPlayer>() == 640);
const _: () = assert!(size_of::<Pursuit>() <= size_of::<CPlayer>());
const _: () = assert!(align_of::<Pursuit>() <= align_of::<CPlayer>());

/// The library's player in the caller's.
///
/// # Safety
///
/// The pointer is null or to a player that was made, and nothing else uses it now.
unsafe fn player<'a>(from: *mut CPlayer) -> Result<&'a mut Pursuit, Status> {
    // SAFETY: as the caller says; the sizes are compared above.
    unsafe { from.cast::<Pursuit>().as_mut() }.ok_or(Status::Null)
}

/// Makes a player.
///
/// # Safety
///
/// The pointer is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_new_player(to: *mut CPlayer) -> CStatus {
    if to.is_null() {
        return Status::Null.code();
    }
    // SAFETY: not null, and valid as the caller says.
    unsafe { to.cast::<Pursuit>().write(Pursuit::new()) };
    Status::Ok.code()
}

/// The player's move.
///
/// # Safety
///
/// All pointers are null or valid, `m` and `outcome` for writing; the player was made and the
/// table opened.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_best_move(
    with: *mut CPlayer,
    from: *const CTable,
    at: *const CPosition,
    m: *mut CMove,
    outcome: *mut COutcome,
) -> CStatus {
    if m.is_null() || outcome.is_null() {
        return Status::Null.code();
    }
    let choose = || {
        // SAFETY: null or valid, as the caller says.
        let (player, table, position) = unsafe { (player(with)?, table(from)?, position(at)?) };
        player.choose(&position, table)?.ok_or(Status::NoMove)
    };
    match choose() {
        Ok(choice) => {
            // SAFETY: not null, and valid as the caller says.
            unsafe {
                m.write(c_move(&choice.best));
                outcome.write(choice.outcome.into());
            }
            Status::Ok.code()
        }
        Err(status) => status.code(),
    }
}

/// Tells the player of a move.
///
/// # Safety
///
/// All pointers are null or valid; the player was made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crownhead_played(
    with: *mut CPlayer,
    at: *const CPosition,
    m: *const CMove,
) -> CStatus {
    // SAFETY: null or valid, as the caller says.
    let told = unsafe { player(with) }.and_then(|player| {
        // SAFETY: null or valid, as the caller says.
        let (_, m) = unsafe { find(at, m) }?;
        player.played(&m);
        Ok(())
    });
    told.err().unwrap_or(Status::Ok).code()
}
