//! CRC-32 (IEEE, reflected, as in zip and PNG) with 64 bytes of constants.
//!
//! The `std` side checks sections with crc32fast, whose tables of 16 KiB are too much for firmware.

const POLYNOMIAL: u32 = 0xedb8_8320;

/// The remainder of each value of four bits.
static NIBBLES: [u32; 16] = {
    let mut table = [0; 16];
    let mut i = 0;
    while i < 16 {
        let mut remainder = i as u32;
        let mut bit = 0;
        while bit < 4 {
            remainder = (remainder >> 1) ^ if remainder & 1 != 0 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        table[i] = remainder;
        i += 1;
    }
    table
};

/// A checksum that grows with the bytes it is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct SmallCrc(u32);

impl SmallCrc {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        let mut state = !self.0;
        for &byte in bytes {
            state ^= u32::from(byte);
            state = (state >> 4) ^ NIBBLES[(state & 15) as usize];
            state = (state >> 4) ^ NIBBLES[(state & 15) as usize];
        }
        self.0 = !state;
    }

    pub(crate) fn finalize(self) -> u32 {
        self.0
    }
}

/// What sections are checked with.
#[cfg(feature = "std")]
pub(crate) type SectionCrc = crc32fast::Hasher;
#[cfg(not(feature = "std"))]
pub(crate) type SectionCrc = SmallCrc;

/// The checksum of these bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = SmallCrc::default();
    crc.update(bytes);
    crc.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_published_check_value() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[cfg(feature = "std")]
    #[test]
    fn agrees_with_crc32fast() {
        let bytes: std::vec::Vec<u8> = (0..1000u32).map(|i| ((i * i) >> 3) as u8).collect();
        for len in [0, 1, 7, 64, 255, 1000] {
            assert_eq!(checksum(&bytes[..len]), crc32fast::hash(&bytes[..len]));
            let mut parts = SmallCrc::default();
            parts.update(&bytes[..len / 3]);
            parts.update(&bytes[len / 3..len]);
            assert_eq!(parts.finalize(), crc32fast::hash(&bytes[..len]));
        }
    }
}
