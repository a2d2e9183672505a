//! How calls end.

use core::ffi::CStr;

/// `crownhead_status`.
pub type CStatus = i32;

/// The numbers of the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub(crate) enum Status {
    Ok = 0,
    Null = 1,
    BadFen = 2,
    IllegalPosition = 3,
    IllegalMove = 4,
    NoMove = 5,
    TooSmall = 6,
    BadImage = 7,
    ReadFailed = 8,
    TooManyPieces = 9,
    OutOfLookups = 10,
    BadBoard = 11,
}

impl Status {
    pub(crate) const fn code(self) -> CStatus {
        self as CStatus
    }
}

/// The sentences, by number.
const TEXTS: [&CStr; 12] = [
    c"no error",
    c"a pointer is null",
    c"the text is no FEN; the column says where",
    c"the position is not legal: a square is used twice, or a man stands where it is crowned",
    c"the move is not legal in this position",
    c"there is no move: the game is over",
    c"the room given is too small",
    c"the image is damaged, cut or of another version",
    c"the image could not be read",
    c"the position has more pieces than the image knows",
    c"the answer takes more look-ups than allowed",
    c"no game of tic-tac-toe leads to this board",
];

/// A sentence for a status.
#[unsafe(no_mangle)]
pub extern "C" fn crownhead_error_text(status: CStatus) -> *const u8 {
    let text = usize::try_from(status).ok().and_then(|number| TEXTS.get(number));
    text.map_or(c"no such status", |text| text).as_ptr().cast()
}
