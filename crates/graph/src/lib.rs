//! Solves two-player games on arbitrary graphs: win, draw or loss and the depth of every vertex. no_std with alloc.
#![no_std]
#![forbid(unsafe_code)]
