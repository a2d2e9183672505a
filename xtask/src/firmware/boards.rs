//! The boards, and what each needs to be built and run.

/// How an emulator runs a board's programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Emulation {
    /// There is none: the program is built, sized and packed.
    None,
    /// `qemu-system-arm` with this machine.
    Arm(&'static str),
    /// `qemu-system-riscv32`, its `virt` machine, with the program in its flash.
    RiscvVirt,
}

/// How a board takes its program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    /// As the ELF file.
    Elf,
    /// As a UF2 file copied to the drive that the boot loader shows.
    Uf2,
    /// As the plain bytes of the flash, written from its beginning.
    Binary,
}

/// A board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    /// As in options and files; also the firmware's cargo feature.
    pub(crate) name: &'static str,
    /// The compiler's target.
    pub(crate) target: &'static str,
    /// Bytes of flash.
    pub(crate) flash: u64,
    /// Bytes of RAM.
    pub(crate) ram: u64,
    /// Where the flash begins in the address space.
    pub(crate) flash_start: u64,
    /// Where the RAM begins in the address space.
    pub(crate) ram_start: u64,
    /// Where the same flash appears once more, for constants.
    pub(crate) flash_again: Option<u64>,
    /// Bytes of another flash, which can hold an image apart from the program.
    pub(crate) image_flash: Option<u64>,
    pub(crate) emulation: Emulation,
    pub(crate) packing: Packing,
}

const KIB: u64 = 1024;

/// All boards; those with an emulator first.
pub(crate) const BOARDS: [Board; 8] = [
    Board {
        name: "microbit",
        target: "thumbv6m-none-eabi",
        flash: 256 * KIB,
        ram: 16 * KIB,
        flash_start: 0,
        ram_start: 0x2000_0000,
        flash_again: None,
        image_flash: None,
        emulation: Emulation::Arm("microbit"),
        packing: Packing::Elf,
    },
    Board {
        name: "lm3s6965evb",
        target: "thumbv7m-none-eabi",
        flash: 256 * KIB,
        ram: 64 * KIB,
        flash_start: 0,
        ram_start: 0x2000_0000,
        flash_again: None,
        image_flash: None,
        emulation: Emulation::Arm("lm3s6965evb"),
        packing: Packing::Elf,
    },
    Board {
        name: "mps2-an386",
        target: "thumbv7em-none-eabihf",
        flash: 4096 * KIB,
        ram: 4096 * KIB,
        flash_start: 0,
        ram_start: 0x2000_0000,
        flash_again: None,
        image_flash: None,
        emulation: Emulation::Arm("mps2-an386"),
        packing: Packing::Elf,
    },
    Board {
        name: "riscv32-virt",
        target: "riscv32imac-unknown-none-elf",
        flash: 32 * 1024 * KIB,
        ram: 1024 * KIB,
        flash_start: 0x2000_0000,
        ram_start: 0x8000_0000,
        flash_again: None,
        image_flash: Some(32 * 1024 * KIB),
        emulation: Emulation::RiscvVirt,
        packing: Packing::Elf,
    },
    Board {
        name: "microbit-board",
        target: "thumbv6m-none-eabi",
        flash: 256 * KIB,
        ram: 16 * KIB,
        flash_start: 0,
        ram_start: 0x2000_0000,
        flash_again: None,
        image_flash: None,
        emulation: Emulation::None,
        packing: Packing::Elf,
    },
    Board {
        name: "rp2040",
        target: "thumbv6m-none-eabi",
        flash: 2048 * KIB,
        ram: 256 * KIB,
        flash_start: 0x1000_0000,
        ram_start: 0x2000_0000,
        flash_again: None,
        image_flash: None,
        emulation: Emulation::None,
        packing: Packing::Uf2,
    },
    Board {
        name: "stm32f4discovery",
        target: "thumbv7em-none-eabihf",
        flash: 1024 * KIB,
        ram: 128 * KIB,
        flash_start: 0x0800_0000,
        ram_start: 0x2000_0000,
        flash_again: None,
        image_flash: None,
        emulation: Emulation::None,
        packing: Packing::Elf,
    },
    Board {
        name: "esp32c3",
        target: "riscv32imc-unknown-none-elf",
        flash: 4096 * KIB,
        ram: 400 * KIB,
        flash_start: 0x4200_0000,
        ram_start: 0x3fc8_0000,
        flash_again: Some(0x3c00_0000),
        image_flash: None,
        emulation: Emulation::None,
        packing: Packing::Binary,
    },
];

/// The programs that every board gets.
pub(crate) const PROGRAMS: [&str; 3] = ["endgame", "player", "tictactoe"];

/// The program that fails on purpose.
pub(crate) const MUST_FAIL: &str = "must_fail";

impl Board {
    /// Whether there is an emulator for it.
    pub(crate) fn runs(&self) -> bool {
        self.emulation != Emulation::None
    }

    /// How far from the flash's beginning an address lies, if it lies in the flash.
    pub(crate) fn flash_offset(&self, address: u64) -> Option<u64> {
        let starts = [Some(self.flash_start), self.flash_again];
        let offset = |start| address.checked_sub(start).filter(|offset| *offset < self.flash);
        starts.into_iter().flatten().find_map(offset)
    }

    /// Whether an address lies in the RAM.
    pub(crate) fn in_ram(&self, address: u64) -> bool {
        (self.ram_start..self.ram_start + self.ram).contains(&address)
    }
}
