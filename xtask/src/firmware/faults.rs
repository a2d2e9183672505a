//! Firmware that must fail: programs that end badly, and images damaged in flash.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use super::boards::{Board, Emulation, MUST_FAIL};
use super::build::{self, output_dir, workspace};
use super::emulator::{self, Run};
use super::{elf, golden};

/// Long enough for a program that ends, short enough to wait for one that does not.
const LIMIT: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(3);

/// The image built into the programs, apart from the program: it must say the same; damaged, it must
/// be refused.
pub(crate) fn image_apart(board: &Board) -> Result<Vec<String>> {
    let image = workspace().join("../table/images/5.img");
    let dir = build::programs_apart(board, &["endgame"])?;
    let (elf, damaged) = (dir.join("endgame.elf"), dir.join("damaged.img"));
    let mut wrong = golden::check_apart(board, "endgame", &image, false)?.faults;
    let whole = elf::read(&image)?;
    for (what, damage) in DAMAGES {
        let mut bytes = whole.clone();
        damage(&mut bytes);
        std::fs::write(&damaged, bytes)?;
        let run = emulator::run_with(board, &elf, Some(&damaged), "W:W14:BK13,23\n", LIMIT)?;
        if !is_refused(&run) {
            wrong.push(format!("an image with {what} gave {run:?}"));
        }
    }
    let place = |what| format!("{}, image apart: {what}", board.name);
    Ok(wrong.into_iter().map(place).collect())
}

/// Whether the image was named as what is wrong, and nothing answered.
fn is_refused(run: &Run) -> bool {
    let said = run.output.starts_with("error: image: ") && run.output.lines().count() == 1;
    run.status == Some(1) && said
}

/// Runs everything that must fail on this board; what did not, or not in the right way.
pub(crate) fn check(board: &Board, programs: &[&str]) -> Result<Vec<String>> {
    let dir = output_dir(board)?;
    let mut wrong = must_fail(board, &dir.join(format!("{MUST_FAIL}.elf")))?;
    // ELF files keep the image in one piece; one family of processors stands for the other.
    if programs.contains(&"endgame") && board.emulation != Emulation::None {
        wrong.extend(damaged_images(board, &dir.join("endgame.elf"))?);
    }
    Ok(wrong.into_iter().map(|what| format!("{}: {what}", board.name)).collect())
}

/// A panic, a failure and an endless loop must each be seen as what it is.
fn must_fail(board: &Board, elf: &Path) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let mut expect = |input: &str, limit, as_wanted: fn(&Run) -> bool| -> Result<()> {
        let run = emulator::run(board, elf, input, limit)?;
        if !as_wanted(&run) {
            wrong.push(format!("{MUST_FAIL} on {input:?} ended as {run:?}"));
        }
        Ok(())
    };
    expect("hello\n", LIMIT, |run| run.status == Some(0) && run.output == "hello\n")?;
    expect("panic\nhello\n", LIMIT, |run| {
        let said = run.output.starts_with("panic at src/bin/must_fail.rs:");
        run.status.is_some_and(|status| status != 0) && said && !run.output.contains("hello")
    })?;
    expect("fail\nhello\n", LIMIT, |run| run.status == Some(1) && run.output.is_empty())?;
    expect("hang\n", SHORT, |run| run.status.is_none())?;
    Ok(wrong)
}

/// A kind of damage: what it is, and what it does to the image.
type Damage = (&'static str, fn(&mut [u8]));

const DAMAGES: [Damage; 7] = [
    ("a flipped bit in the magic bytes", |image| image[0] ^= 1),
    ("another version", |image| image[8] ^= 2),
    ("a flipped bit in the length", |image| image[20] ^= 1),
    ("a flipped bit in the first section", |image| image[200] ^= 0x80),
    ("a flipped bit in the middle", |image| image[image.len() / 2] ^= 1),
    ("a flipped bit in the last byte", |image| image[image.len() - 1] ^= 4),
    ("a cut end: the last quarter erased", |image| {
        let start = image.len() / 4 * 3;
        image[start..].fill(0xff);
    }),
];

/// Each damage must be a message that names the image, and no answer.
fn damaged_images(board: &Board, elf: &Path) -> Result<Vec<String>> {
    let whole = elf::read(elf)?;
    let image = elf::read(&workspace().join("../table/images/5.img"))?;
    let start = whole.windows(image.len()).position(|window| window == image);
    let start = start.context("the image is not in the program")?;
    let path = elf.with_file_name("damaged.elf");
    let mut wrong = Vec::new();
    for (what, damage) in DAMAGES {
        let mut bytes = whole.clone();
        damage(&mut bytes[start..start + image.len()]);
        std::fs::write(&path, bytes)?;
        let run = emulator::run(board, &path, "W:W14:BK13,23\n", LIMIT)?;
        if !is_refused(&run) {
            wrong.push(format!("an image with {what} gave {run:?}"));
        }
    }
    Ok(wrong)
}
