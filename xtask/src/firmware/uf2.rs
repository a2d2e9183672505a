//! UF2 files, which boot loaders take from a drive: 512-byte blocks with 256 bytes each.
//!
//! Format: <https://github.com/microsoft/uf2>.

use anyhow::{Result, ensure};

const BLOCK: usize = 512;
const PAYLOAD: usize = 256;
const MAGIC: [u32; 2] = [0x0a32_4655, 0x9e5d_5157];
const MAGIC_END: u32 = 0x0ab1_6f30;
/// The last field before the bytes is a family and not a file's size.
const FAMILY_PRESENT: u32 = 0x2000;
/// The boot loader of the RP2040 takes blocks of its own family only.
pub(crate) const RP2040: u32 = 0xe48b_ff56;

/// The file that writes these bytes to flash from this address on.
pub(crate) fn pack(flash: &[u8], address: u32, family: u32) -> Result<Vec<u8>> {
    ensure!(!flash.is_empty(), "nothing to pack");
    ensure!(address.is_multiple_of(PAYLOAD as u32), "UF2 blocks begin at multiples of {PAYLOAD}");
    let count = u32::try_from(flash.len().div_ceil(PAYLOAD))?;
    let mut file = Vec::with_capacity(count as usize * BLOCK);
    for (number, bytes) in (0..count).zip(flash.chunks(PAYLOAD)) {
        let at = address + number * PAYLOAD as u32;
        let head = [MAGIC[0], MAGIC[1], FAMILY_PRESENT, at, PAYLOAD as u32, number, count, family];
        for word in head {
            file.extend(word.to_le_bytes());
        }
        let start = file.len();
        file.extend(bytes);
        // The flash is written in pages; what is left of the last one is as erased.
        file.resize(start + PAYLOAD, 0xff);
        file.resize(start + BLOCK - 36, 0);
        file.extend(MAGIC_END.to_le_bytes());
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(file: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(file[at..at + 4].try_into().unwrap())
    }

    #[test]
    fn blocks_are_as_the_format_says() {
        let flash: Vec<u8> = (0..600).map(|i| i as u8).collect();
        let file = pack(&flash, 0x1000_0000, RP2040).unwrap();
        assert_eq!(file.len(), 3 * 512);
        for block in 0..3 {
            let start = 512 * block;
            let head: Vec<u32> = (0..8).map(|i| word(&file, start + 4 * i)).collect();
            let at = 0x1000_0000 + 256 * block as u32;
            let want = [0x0a32_4655, 0x9e5d_5157, 0x2000, at, 256, block as u32, 3, 0xe48b_ff56];
            assert_eq!(head, want);
            assert_eq!(word(&file, start + 508), 0x0ab1_6f30);
            let bytes = &flash[256 * block..flash.len().min(256 * (block + 1))];
            assert_eq!(&file[start + 32..start + 32 + bytes.len()], bytes);
        }
        let rest = &file[1024 + 32 + 88..1024 + 32 + 256];
        assert!(rest.iter().all(|byte| *byte == 0xff), "the last page is filled up as erased");
    }

    #[test]
    fn addresses_between_pages_and_nothing_are_refused() {
        assert!(pack(&[1], 0x1000_0004, RP2040).is_err());
        assert!(pack(&[], 0x1000_0000, RP2040).is_err());
    }
}
