//! A draughts engine: principal variation search to perfect endgame tables. no_std, no alloc.
#![no_std]
#![forbid(unsafe_code)]
