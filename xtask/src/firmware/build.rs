//! Builds the firmware workspace for a board.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::boards::{Board, Packing};
use super::toolchain::Toolchain;
use super::{elf, uf2};
use crate::process::{root, target_dir};

/// Where the firmware's workspace lies.
pub(crate) fn workspace() -> PathBuf {
    root().join("crates/firmware")
}

/// Where a board's finished programs are put.
pub(crate) fn output_dir(board: &Board) -> Result<PathBuf> {
    Ok(target_dir()?.join("firmware").join("boards").join(board.name))
}

/// Where those go that expect their large image apart from the program.
pub(crate) fn apart_dir(board: &Board) -> Result<PathBuf> {
    Ok(output_dir(board)?.join("image-apart"))
}

/// Builds the programs for a board; the files are named like the programs, with `.elf`.
pub(crate) fn programs(board: &Board, programs: &[&str]) -> Result<PathBuf> {
    build(board, programs, false)
}

/// Builds the programs that expect their large image apart.
pub(crate) fn programs_apart(board: &Board, programs: &[&str]) -> Result<PathBuf> {
    build(board, programs, true)
}

fn build(board: &Board, programs: &[&str], apart: bool) -> Result<PathBuf> {
    let toolchain = Toolchain::find(board.target)?;
    eprintln!("{}: {} with {}", board.name, board.target, toolchain.describe());
    let dir = target_dir()?.join("firmware");
    let mut command = toolchain.build(board.target, "core");
    command.current_dir(workspace()).args(["--quiet", "--locked", "--features", board.name]);
    if apart {
        command.args(["--features", "image-apart"]);
    }
    command.arg("--target-dir").arg(&dir);
    for program in programs {
        command.args(["--bin", program]);
    }
    // The example of the README, which must compile too.
    command.args(["--example", "link"]);
    run(&mut command, board.name)?;
    let out = if apart { apart_dir(board)? } else { output_dir(board)? };
    std::fs::create_dir_all(&out)?;
    for program in programs {
        let built = dir.join(board.target).join("release").join(program);
        let elf = out.join(format!("{program}.elf"));
        std::fs::copy(&built, &elf).with_context(|| format!("cannot copy {}", built.display()))?;
    }
    Ok(out)
}

/// Starts a build and fails if it does.
pub(crate) fn run(command: &mut Command, what: &str) -> Result<()> {
    if !command.status().with_context(|| format!("cannot start the build for {what}"))?.success() {
        bail!("the firmware does not build for {what}");
    }
    Ok(())
}

/// Makes the file that the board takes, where it is not the ELF file.
pub(crate) fn pack(board: &Board, elf: &Path) -> Result<Option<PathBuf>> {
    let (ending, bytes) = match board.packing {
        Packing::Elf => return Ok(None),
        Packing::Binary => ("bin", elf::flash_bytes(elf, board)?),
        Packing::Uf2 => {
            let start = u32::try_from(board.flash_start)?;
            ("uf2", uf2::pack(&elf::flash_bytes(elf, board)?, start, uf2::RP2040)?)
        }
    };
    let path = elf.with_extension(ending);
    std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_s_examples_are_those_that_are_compiled() {
        let text = |path: &str| std::fs::read_to_string(workspace().join(path)).unwrap();
        let readme = text("README.md");
        for (fence, path) in
            [("```rust,ignore\n", "examples/link.rs"), ("```c\n", "capi/examples/link.c")]
        {
            let (_, rest) = readme.split_once(fence).unwrap();
            let (shown, _) = rest.split_once("```").unwrap();
            assert!(shown.lines().count() > 5, "{path}");
            assert!(text(path).ends_with(shown), "{path} does not end with what the README shows");
        }
    }
}
