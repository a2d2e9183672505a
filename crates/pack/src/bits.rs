/// A string of bits: bit `i` is bit `i % 8` of byte `i / 8`.
#[derive(Default, Debug)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    len: u32,
}

impl BitWriter {
    /// Appends the `count` lowest bits, the lowest first.
    pub(crate) fn push(&mut self, bits: u32, count: u32) {
        for i in 0..count {
            if self.len.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((bits >> i & 1) as u8) << (self.len % 8);
            }
            self.len += 1;
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
