//! The kernels, and what a dispatch of one passes to the device.

use bytemuck::{Pod, Zeroable};

/// A kernel; each has a shader file and a CPU twin of the same name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kernel {
    /// Marks the entries of a new slice as invalid.
    Fill,
    /// Decides captures and promotions.
    Classify,
    /// Adds man moves inside the slice.
    Men,
    /// Iterates small components to their fixed points.
    Solve,
    /// One half round over large components: wins.
    SweepWins,
    /// One half round over large components: losses.
    SweepLosses,
    /// Checks that the fixed point is closed and the bitsets are sound.
    Verify,
    /// Packs a batch into the arena, counts it, poisons its scratch.
    Finish,
    /// Checks packed positions one at a time against all their successors.
    Audit,
}

impl Kernel {
    /// All kernels in the order in which a batch meets them.
    pub const ALL: [Self; 9] = [
        Self::Fill,
        Self::Classify,
        Self::Men,
        Self::Solve,
        Self::SweepWins,
        Self::SweepLosses,
        Self::Verify,
        Self::Finish,
        Self::Audit,
    ];

    /// The shader file without its ending, and the entry point in it.
    pub const fn shader(self) -> &'static str {
        match self {
            Self::Fill => "fill",
            Self::Classify => "classify",
            Self::Men => "men",
            Self::Solve => "solve",
            Self::SweepWins | Self::SweepLosses => "sweep",
            Self::Verify => "verify",
            Self::Finish => "finish",
            Self::Audit => "audit",
        }
    }

    /// The kernel's own name: the shader's, with the half round for sweeps.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SweepWins => "sweep wins",
            Self::SweepLosses => "sweep losses",
            _ => self.shader(),
        }
    }

    /// Whether the kernel writes the arena; the others read it or leave it alone.
    pub const fn writes_arena(self) -> bool {
        matches!(self, Self::Fill | Self::Finish)
    }

    /// Values of the shader's `override` declarations beside the chunk size.
    pub const fn constants(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::SweepWins => &[("LOSS", 0.0)],
            Self::SweepLosses => &[("LOSS", 1.0)],
            _ => &[],
        }
    }

    /// How many words one workgroup takes; [`Solve`](Self::Solve) takes whole components instead.
    pub const fn group_words(self) -> u32 {
        match self {
            Self::Classify => CLASSIFY_WORDS,
            Self::Audit => AUDIT_WORDS,
            _ => WORKGROUP,
        }
    }

    /// Whether one dispatch takes both sides to move, one in each z layer.
    pub const fn by_side(self) -> bool {
        !matches!(self, Self::Fill | Self::Finish | Self::Solve)
    }

    /// How long a word takes, in words of a half sweep; to bound a submission.
    pub const fn weight(self) -> u64 {
        match self {
            Self::Classify => 24,
            Self::Audit => 64,
            Self::Solve => 32,
            Self::Fill | Self::Men | Self::Verify | Self::Finish => 2,
            Self::SweepWins | Self::SweepLosses => 1,
        }
    }
}

/// Lanes of a workgroup in every kernel.
pub const WORKGROUP: u32 = 256;
/// Words that a workgroup of `classify` takes.
pub const CLASSIFY_WORDS: u32 = 16;
/// Words that a workgroup of `audit` takes: a lane a square.
pub const AUDIT_WORDS: u32 = WORKGROUP / 32;
/// Largest component, in words, that `solve` takes; larger ones are swept. An invocation of
/// `solve` then stays far below 65,535 loop iterations, where llvmpipe stops it silently.
pub const SOLVE_WORDS: u64 = 1024;

/// What one dispatch works on; the same as `Params` in `shaders/shared/params.wgsl`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Params {
    /// Where each indexed group's list of sets begins in the tables.
    pub sets: [u32; 4],
    /// Where each indexed group's list of steps begins in the tables.
    pub steps: [u32; 4],
    /// Chunk and offset of the slice's entries, Black to move, then White.
    pub base: [u32; 4],
    /// First word of the batch that this dispatch covers.
    pub first: u32,
    /// One past the last.
    pub end: u32,
    /// Words of one component.
    pub component_words: u32,
    /// Placements of the indexed white kings.
    pub inner_words: u32,
    /// Where the batch begins in the component list.
    pub components: u32,
    /// Group of the fast piece.
    pub fast: u32,
    /// Distance between the two sides in scratch, in words.
    pub side_words: u32,
    /// Words from one placement of the indexed black men to the next.
    pub black_men_stride: u32,
    /// Words from one placement of the indexed white men to the next.
    pub white_men_stride: u32,
    /// Bit t: side t has pieces that move inside a component.
    pub moving_sides: u32,
    /// Number of the batch in its submission.
    pub batch: u32,
    /// Number of this sweep round.
    pub round: u32,
    /// The round after which an unfinished batch counts as stalled.
    pub rounds: u32,
    /// Where the batch's round flags begin in the counters.
    pub round_flags: u32,
    /// Whole components for each workgroup of `solve`.
    pub group_components: u32,
    /// Every how many words `audit` checks one.
    pub sample: u32,
}

impl Params {
    /// Words of one side to move that a kernel works on: the audit takes one in `sample`.
    pub fn words(&self, kernel: Kernel) -> u64 {
        let words = self.end - self.first;
        u64::from(if kernel == Kernel::Audit { words.div_ceil(self.sample) } else { words })
    }
}

/// Places in the counters, as in `shaders/shared/counters.wgsl`.
pub mod counter {
    /// Lowest batch that needs more rounds; all ones when there is none.
    pub const STALLED: usize = 0;
    /// Accesses outside of the arena.
    pub const MISSED_READS: usize = 1;
    /// Words that break the verifier's rules.
    pub const OFFENDING: usize = 2;
    /// Positions whose value contradicts their successors.
    pub const AUDIT_OFFENDING: usize = 3;
    /// Words audited, both sides to move.
    pub const AUDITED: usize = 4;
    /// Lowest offending word, all ones when there is none.
    pub const AUDIT_FIRST: usize = 5;
    /// Most rounds that a component took.
    pub const ROUNDS: usize = 6;
    /// Words packed into the arena, both sides to move, 64 bits.
    pub const FINISHED: usize = 8;
    /// Positions, then wins and losses with Black and White to move, 64 bits each.
    pub const COUNTS: usize = 10;
    /// Where round flags begin.
    pub const ROUND_FLAGS: usize = 32;
    /// How many counters there are, round flags included.
    pub const LEN: usize = 4096;
}

/// The counters as the host reads them back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counters(pub Vec<u32>);

impl Counters {
    /// What they are before a submission.
    pub fn initial() -> Self {
        let mut counters = vec![0; counter::LEN];
        counters[counter::STALLED] = u32::MAX;
        counters[counter::AUDIT_FIRST] = u32::MAX;
        Self(counters)
    }

    /// The first batch that needs more rounds.
    pub fn stalled(&self) -> Option<u32> {
        let batch = self.0[counter::STALLED];
        (batch != u32::MAX).then_some(batch)
    }

    /// A counter of 64 bits.
    pub fn wide(&self, at: usize) -> u64 {
        u64::from(self.0[at]) | u64::from(self.0[at + 1]) << 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn params_have_no_padding_and_fill_a_uniform_slot() {
        assert_eq!(size_of::<Params>(), 112);
        assert_eq!(size_of::<Params>() % 16, 0);
    }
}
