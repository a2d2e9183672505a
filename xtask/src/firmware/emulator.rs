//! Runs programs in QEMU.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::boards::{Board, Emulation};
use super::elf;
use crate::process::have;

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    /// The emulator's exit status, which is the program's; `None` after the time limit.
    pub(crate) status: Option<i32>,
    /// What the program wrote to its console.
    pub(crate) output: String,
    /// What the emulator itself had to say.
    pub(crate) remarks: String,
}

/// The emulator's program for a board, if it has one.
pub(crate) fn program(board: &Board) -> Option<&'static str> {
    match board.emulation {
        Emulation::None => None,
        Emulation::Arm(_) => Some("qemu-system-arm"),
        Emulation::RiscvVirt => Some("qemu-system-riscv32"),
    }
}

/// Whether the board's emulator is installed.
pub(crate) fn is_here(board: &Board) -> bool {
    program(board).is_some_and(have)
}

/// The command that runs a program; `counting` makes one instruction a nanosecond. The image is
/// put into the board's other flash.
pub(crate) fn command(
    board: &Board,
    elf: &Path,
    image: Option<&Path>,
    counting: bool,
) -> Result<Command> {
    let Some(program) = program(board) else { bail!("{} has no emulator", board.name) };
    let mut command = Command::new(program);
    command.args(["-display", "none", "-monitor", "none", "-serial", "none"]);
    command.args(["-semihosting-config", "enable=on,target=native"]);
    if counting {
        command.args(["-icount", "shift=0"]);
    }
    match board.emulation {
        Emulation::Arm(machine) => command.args(["-machine", machine, "-kernel"]).arg(elf),
        _ => {
            let flash = elf.with_extension("flash");
            let drive = bank(0, &flash, &elf::flash_bytes(elf, board)?, board.flash)?;
            command.args(["-machine", "virt", "-bios", "none", "-drive", &drive])
        }
    };
    if let Some(image) = image {
        let Some(room) = board.image_flash else {
            bail!("{} has no other flash for an image", board.name)
        };
        let bytes = elf::read(image)?;
        if bytes.len() as u64 > room {
            bail!("{} does not fit {room} bytes of flash", image.display());
        }
        command.args(["-drive", &bank(1, &elf.with_extension("image"), &bytes, room)?]);
    }
    Ok(command)
}

/// A bank of flash as a drive: the machine wants a file as large as the bank, of which the rest is
/// a hole.
fn bank(unit: u32, file: &Path, bytes: &[u8], size: u64) -> Result<String> {
    std::fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    std::fs::OpenOptions::new().write(true).open(file)?.set_len(size)?;
    Ok(format!("if=pflash,unit={unit},format=raw,readonly=on,file={}", file.display()))
}

/// Runs a program on some input, counting instructions.
pub(crate) fn run(board: &Board, elf: &Path, input: &str, limit: Duration) -> Result<Run> {
    run_with(board, elf, None, input, limit)
}

/// The same with an image apart from the program.
pub(crate) fn run_with(
    board: &Board,
    elf: &Path,
    image: Option<&Path>,
    input: &str,
    limit: Duration,
) -> Result<Run> {
    let mut command = command(board, elf, image, true)?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("cannot start the emulator")?;
    let mut stdin = child.stdin.take().context("no input")?;
    let input = input.to_owned();
    // A program that ends early closes its input; that is for its output to explain.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let (output, remarks) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let status = wait(&mut child, limit)?;
    let _ = writer.join();
    let output = output.join().unwrap_or_default();
    Ok(Run { status, output, remarks: remarks.join().unwrap_or_default() })
}

fn collect(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits for the end, or ends it after the limit.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<i32>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
