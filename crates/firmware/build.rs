//! Puts the chosen board's memory map where the linker finds it.

use std::path::PathBuf;
use std::{env, fs};

const BOARDS: [&str; 8] = [
    "microbit",
    "lm3s6965evb",
    "mps2-an386",
    "riscv32-virt",
    "microbit-board",
    "rp2040",
    "stm32f4discovery",
    "esp32c3",
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let chosen = |board: &&str| {
        let feature = board.to_uppercase().replace('-', "_");
        env::var_os(format!("CARGO_FEATURE_{feature}")).is_some()
    };
    let boards: Vec<&str> = BOARDS.into_iter().filter(chosen).collect();
    let &[board] = boards.as_slice() else {
        panic!("choose one board as a feature, of {BOARDS:?}; chosen: {boards:?}");
    };
    let map = format!("memory/{board}.x");
    println!("cargo:rerun-if-changed={map}");
    fs::copy(&map, out.join("memory.x")).expect("the memory map can be copied");
    println!("cargo:rustc-link-search={}", out.display());
    // cortex-m-rt's script includes memory.x itself; riscv-rt's does not.
    if env::var_os("CARGO_FEATURE_RISCV").is_some() {
        println!("cargo:rustc-link-arg=-Tmemory.x");
    }
    println!("cargo:rustc-link-arg=-Tlink.x");
}
