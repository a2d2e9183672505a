//! What an executable takes of a board's memory, and its bytes as the flash holds them.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use object::read::elf::{ElfFile32, ProgramHeader};
use object::{Endianness, Object, ObjectSection, SectionFlags, elf};

use super::boards::Board;

/// Bytes that a program takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sizes {
    /// Flash: code, constants, and the first values of variables.
    pub(crate) flash: u64,
    /// Code alone.
    pub(crate) code: u64,
    /// RAM of static variables; the stack comes on top.
    pub(crate) ram: u64,
}

/// The sizes of the program in this file.
pub(crate) fn sizes(path: &Path, board: &Board) -> Result<Sizes> {
    let data = read(path)?;
    let file = parse(&data, path)?;
    let mut sizes = Sizes { flash: 0, code: 0, ram: 0 };
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
        // The stack's section only marks the memory that is left.
        if sh_flags & u64::from(elf::SHF_ALLOC) == 0 || section.name()? == ".stack" {
            continue;
        }
        if board.in_ram(section.address()) {
            sizes.ram += section.size();
        } else if sh_flags & u64::from(elf::SHF_EXECINSTR) != 0 {
            sizes.code += section.size();
        }
    }
    let end = chunks(&file, board)?.iter().map(|(at, bytes)| at + bytes.len() as u64).max();
    sizes.flash = end.context("the program has no bytes")?;
    ensure!(
        sizes.flash <= board.flash,
        "{}: {} bytes do not fit {} of flash",
        board.name,
        sizes.flash,
        board.flash
    );
    Ok(sizes)
}

/// The flash's bytes from its beginning; gaps are as erased.
pub(crate) fn flash_bytes(path: &Path, board: &Board) -> Result<Vec<u8>> {
    let data = read(path)?;
    let file = parse(&data, path)?;
    let mut flash = Vec::new();
    for (at, bytes) in chunks(&file, board)? {
        let start = usize::try_from(at)?;
        let end = start + bytes.len();
        if flash.len() < end {
            flash.resize(end, 0xff);
        }
        flash[start..end].copy_from_slice(bytes);
    }
    Ok(flash)
}

/// The loaded parts: where from the flash's beginning, and bytes.
fn chunks<'a>(file: &ElfFile32<'a>, board: &Board) -> Result<Vec<(u64, &'a [u8])>> {
    let endian = file.endian();
    let mut chunks = Vec::new();
    for header in file.elf_program_headers() {
        if header.p_type(endian) != elf::PT_LOAD || header.p_filesz(endian) == 0 {
            continue;
        }
        let at = u64::from(header.p_paddr(endian));
        let bytes = header.data(endian, file.data());
        let bytes = bytes.ok().context("a segment lies outside of the file")?;
        let Some(offset) = board.flash_offset(at) else {
            bail!("a segment is to be loaded at {at:#x}, outside of {}'s flash", board.name);
        };
        chunks.push((offset, bytes));
    }
    Ok(chunks)
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn parse<'a>(data: &'a [u8], path: &Path) -> Result<ElfFile32<'a, Endianness>> {
    ElfFile32::parse(data).with_context(|| format!("{} is no 32-bit ELF file", path.display()))
}
