//! Every function with whole, null and too little memory; `cargo xtask sanitize` runs this in Miri.
#![allow(clippy::undocumented_unsafe_blocks, reason = "each call is what is tested")]

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::ptr::{null, null_mut};

use super::*;

static IMAGE: &[u8] = include_bytes!("../../../table/images/3.img");

const OK: CStatus = Status::Ok as CStatus;
const NULL: CStatus = Status::Null as CStatus;
const TOO_SMALL: CStatus = Status::TooSmall as CStatus;

fn position(fen: &str) -> CPosition {
    // As C has it: not yet written.
    let mut position = MaybeUninit::uninit();
    let status =
        unsafe { crownhead_parse_fen(fen.as_ptr(), fen.len(), position.as_mut_ptr(), null_mut()) };
    assert_eq!(status, OK, "{fen}");
    unsafe { position.assume_init() }
}

fn fen(position: &CPosition) -> String {
    let mut text = [MaybeUninit::<u8>::uninit(); FEN_BYTES];
    let status = unsafe { crownhead_write_fen(position, text.as_mut_ptr().cast(), text.len()) };
    assert_eq!(status, OK);
    let text = text.map(|byte| unsafe { byte.assume_init() });
    core::ffi::CStr::from_bytes_until_nul(&text).unwrap().to_str().unwrap().to_owned()
}

/// The moves, in room for exactly them.
fn moves(position: &CPosition) -> Vec<CMove> {
    let (mut list, mut count) = ([MaybeUninit::<CMove>::uninit(); MOVES], 0);
    let room = list.as_mut_ptr().cast();
    assert_eq!(unsafe { crownhead_list_moves(position, room, MOVES, &mut count) }, OK);
    let mut exact = Vec::<CMove>::with_capacity(count);
    let room = exact.as_mut_ptr();
    assert_eq!(unsafe { crownhead_list_moves(position, room, count, &mut count) }, OK);
    unsafe { exact.set_len(count) };
    exact
}

#[test]
fn positions_and_moves() {
    let mut at = position("B:W14,15,22,23:B10,11");
    assert_eq!(fen(&at), "B:W14,15,22,23:B10,11");
    let list = moves(&at);
    let mut column = 0;
    let wrong = "W:W15,15:B2";
    let mut unwritten = MaybeUninit::uninit();
    let status = unsafe {
        crownhead_parse_fen(wrong.as_ptr(), wrong.len(), unwritten.as_mut_ptr(), &mut column)
    };
    assert_eq!((status, column), (Status::BadFen.code(), 7));

    // Too little room is used up to its end, not beyond.
    let (mut count, mut few) = (0, [list[0]; 2]);
    let status = unsafe { crownhead_list_moves(&at, few.as_mut_ptr(), 1, &mut count) };
    assert_eq!((status, count, few[1]), (TOO_SMALL, list.len(), list[0]));
    for size in 0..MOVE_BYTES {
        let mut text = vec![b'#'; size];
        let status = unsafe { crownhead_write_move(&list[0], text.as_mut_ptr(), size) };
        let whole = size > "11x18x25".len();
        assert_eq!(status, if whole { OK } else { TOO_SMALL }, "{size}");
    }
    let mut endless = list[0];
    endless.length = PATH as u8 + 1;
    let mut text = [0; MOVE_BYTES];
    let status = unsafe { crownhead_write_move(&endless, text.as_mut_ptr(), text.len()) };
    assert_eq!(status, Status::IllegalMove.code());

    assert_eq!(unsafe { crownhead_apply_move(&mut at, &list[0]) }, OK);
    let again = unsafe { crownhead_apply_move(&mut at, &list[0]) };
    assert_eq!(again, Status::IllegalMove.code());
    let mut no_turn = at;
    no_turn.white_to_move = 2;
    let status = unsafe { crownhead_write_fen(&no_turn, text.as_mut_ptr(), text.len()) };
    assert_eq!(status, Status::IllegalPosition.code());

    unsafe {
        assert_eq!(crownhead_parse_fen(null(), 0, &mut at, null_mut()), NULL);
        assert_eq!(crownhead_parse_fen(wrong.as_ptr(), 1, null_mut(), null_mut()), NULL);
        assert_eq!(crownhead_list_moves(null(), few.as_mut_ptr(), 1, &mut count), NULL);
        assert_eq!(crownhead_list_moves(&at, null_mut(), 1, &mut count), NULL);
        assert_eq!(crownhead_apply_move(null_mut(), &list[0]), NULL);
        assert_eq!(crownhead_apply_move(&mut at, null()), NULL);
        assert_eq!(crownhead_write_fen(&at, null_mut(), 9), NULL);
        assert_eq!(crownhead_write_move(null(), text.as_mut_ptr(), 9), NULL);
    }
}

/// What is behind [`read`]: an image, and how often it was asked.
struct Counted<'a> {
    image: &'a [u8],
    reads: usize,
}

unsafe extern "C" fn read(context: *mut c_void, offset: u32, to: *mut u8, size: usize) -> i32 {
    let source = unsafe { &mut *context.cast::<Counted<'_>>() };
    source.reads += 1;
    let Some(bytes) = source.image.get(offset as usize..offset as usize + size) else { return 1 };
    unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), size) };
    0
}

fn probe(table: *const CTable, at: &CPosition) -> COutcome {
    let mut outcome = MaybeUninit::uninit();
    let status = unsafe { crownhead_probe(table, at, u32::MAX, outcome.as_mut_ptr()) };
    assert_eq!(status, OK);
    unsafe { outcome.assume_init() }
}

#[test]
fn images_and_the_player() {
    let (mut memory, mut behind) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let size = IMAGE.len();
    let mut source = Counted { image: IMAGE, reads: 0 };
    let context = (&raw mut source).cast();
    unsafe {
        let (to, image) = (memory.as_mut_ptr(), IMAGE.as_ptr());
        assert_eq!(crownhead_open_memory(to, image, size - 1), Status::BadImage.code());
        assert_eq!(crownhead_open_memory(to, image, 0), Status::BadImage.code());
        assert_eq!(crownhead_open_memory(to, null(), size), NULL);
        assert_eq!(crownhead_open_memory(null_mut(), image, size), NULL);
        assert_eq!(crownhead_open_memory(to, image, size), OK);
        let to = behind.as_mut_ptr();
        assert_eq!(crownhead_open_callback(to, None, context, size as u32), NULL);
        let more = crownhead_open_callback(to, Some(read), context, size as u32 + 1);
        assert_ne!(more, OK);
        assert_eq!(crownhead_open_callback(to, Some(read), context, size as u32), OK);
    }
    // They stay where they are: the rest of their room is not written.
    let (memory, behind) = (memory.as_ptr(), behind.as_ptr());
    let mut at = position("W:WK14,K18:BK1");
    assert_eq!(probe(memory, &at).value, 1);
    assert_eq!(probe(behind, &at).value, 1);
    assert!(source.reads > 0);
    let mut outcome = COutcome { value: 5, plies: 5 };
    unsafe {
        assert_eq!(crownhead_probe(null(), &at, 9, &mut outcome), NULL);
        assert_eq!(crownhead_probe(memory, null(), 9, &mut outcome), NULL);
        assert_eq!(crownhead_probe(memory, &at, 9, null_mut()), NULL);
        let few = crownhead_probe(memory, &at, 0, &mut outcome);
        assert_eq!(few, Status::OutOfLookups.code());
    }

    let mut player = MaybeUninit::uninit();
    let player: *mut CPlayer = player.as_mut_ptr();
    assert_eq!(unsafe { crownhead_new_player(player) }, OK);
    let mut m = MaybeUninit::uninit();
    unsafe {
        let best = crownhead_best_move(player, memory, &at, m.as_mut_ptr(), &mut outcome);
        assert_eq!((best, outcome.value), (OK, 1));
        let m = m.assume_init();
        assert!(moves(&at).contains(&m));
        assert_eq!(crownhead_played(player, &at, &m), OK);
        assert_eq!(crownhead_apply_move(&mut at, &m), OK);
        assert_eq!(crownhead_played(player, &at, &m), Status::IllegalMove.code());
        assert_eq!(crownhead_played(null_mut(), &at, &m), NULL);
        assert_eq!(crownhead_new_player(null_mut()), NULL);
    }
    let mut cell = 0;
    unsafe {
        assert_eq!(crownhead_tictactoe_move(0b11, 0b1_1000, &mut cell), OK);
        assert_eq!(crownhead_tictactoe_move(0, 0, null_mut()), NULL);
        assert!(!crownhead_error_text(99).is_null());
    }
    assert_eq!(cell, 3);
}
