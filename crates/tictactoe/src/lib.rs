//! A tic-tac-toe strategy as a Boolean chain that always plays correctly, 32 boards in a u32. no_std, no alloc.
#![no_std]
#![forbid(unsafe_code)]
