use crate::ReadAt;

use super::bits::Part;
use super::hash::Key;
use super::ribbon::{BAND_WORDS, BLOCK, Equation, MOST_BLOCKS, shard};
use super::table::CompactError;

/// The bits of an entry in a table of shards that number a block; the others are the seed.
const BLOCK_BITS: u32 = 26;
const BLOCK_MASK: u32 = (1 << BLOCK_BITS) - 1;

/// One ribbon of an image: where its parts are, from the beginning of its section.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Ribbon {
    /// Its number, by which keys are hashed.
    pub(super) class: u32,
    /// Bits of a value.
    pub(super) width: u32,
    /// How many shards there are; 0 where the ribbon is absent.
    shards: u32,
    /// Where the table of shards begins, in bytes.
    table: u32,
    /// Where the blocks begin, in bytes.
    data: u32,
    /// How many blocks there are.
    blocks: u32,
}

impl Ribbon {
    /// A ribbon that is absent.
    pub(super) fn new(class: u32, width: u32) -> Self {
        Self { class, width, ..Self::default() }
    }
}

/// Finds ribbons that stand together and fill the part up to `end`: first how many shards each
/// has, then all tables of shards, then all blocks. `false` when they do not fit.
pub(super) fn find_ribbons<R: ReadAt>(
    part: &Part<'_, R>,
    start: u32,
    end: u32,
    ribbons: &mut [Ribbon],
) -> Result<bool, R::Error> {
    let mut at = start + 4 * ribbons.len() as u32;
    if at > end {
        return Ok(false);
    }
    for (i, ribbon) in (0..).zip(&mut *ribbons) {
        ribbon.shards = part.word(start + 4 * i)?;
        if ribbon.shards > 0xffff {
            return Ok(false);
        }
        ribbon.table = at;
        if ribbon.shards != 0 {
            // One more entry says where the last shard ends.
            at += 4 * (ribbon.shards + 1);
        }
    }
    if at > end {
        return Ok(false);
    }
    for ribbon in ribbons {
        ribbon.data = at;
        if ribbon.shards != 0 {
            ribbon.blocks = part.word(ribbon.table + 4 * ribbon.shards)? & BLOCK_MASK;
            let bytes = ribbon.blocks.checked_mul(4 * ribbon.width);
            match bytes.and_then(|bytes| at.checked_add(bytes)) {
                Some(next) if next <= end => at = next,
                _ => return Ok(false),
            }
        }
    }
    Ok(at == end)
}

/// The equation of one key, whose bits are read one after the other.
pub(super) struct RibbonBits {
    /// Where the word of the first block that holds this bit is.
    at: u32,
    /// From one block's word to the next one's.
    stride: u32,
    shift: u32,
    coefficients: [u32; BAND_WORDS],
}

impl RibbonBits {
    pub(super) fn find<R: ReadAt>(
        part: &Part<'_, R>,
        ribbon: &Ribbon,
        key: Key,
    ) -> Result<Self, CompactError<R::Error>> {
        if ribbon.shards == 0 {
            return Err(CompactError::Damaged);
        }
        let at = ribbon.table + 4 * shard(key, ribbon.class, ribbon.shards);
        let entry = part.word(at).map_err(CompactError::Read)?;
        let next = part.word(at + 4).map_err(CompactError::Read)?;
        let (first, end) = (entry & BLOCK_MASK, next & BLOCK_MASK);
        let blocks = end.wrapping_sub(first);
        let sound = first <= end && end <= ribbon.blocks;
        if !sound || !(BAND_WORDS as u32..=MOST_BLOCKS).contains(&blocks) {
            return Err(CompactError::Damaged);
        }
        let equation = Equation::of(key, ribbon.class, entry >> BLOCK_BITS, blocks);
        let stride = 4 * ribbon.width;
        Ok(Self {
            at: ribbon.data + (first + equation.start / BLOCK) * stride,
            stride,
            shift: equation.start % BLOCK,
            coefficients: equation.coefficients,
        })
    }

    /// The next bit of the value.
    pub(super) fn next<R: ReadAt>(
        &mut self,
        part: &Part<'_, R>,
    ) -> Result<u32, CompactError<R::Error>> {
        let mut sum = 0;
        let mut at = self.at;
        let mut word = part.word(at).map_err(CompactError::Read)?;
        for (i, coefficients) in self.coefficients.into_iter().enumerate() {
            at += self.stride;
            let mut slots = word >> self.shift;
            // The last block is not touched when the first is used from its first slot on.
            word = match (self.shift, i + 1 == BAND_WORDS) {
                (0, true) => 0,
                _ => part.word(at).map_err(CompactError::Read)?,
            };
            if self.shift != 0 {
                slots |= word << (BLOCK - self.shift);
            }
            sum ^= slots & coefficients;
        }
        self.at += 4;
        Ok(sum.count_ones() & 1)
    }
}
