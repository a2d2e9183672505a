//! Boolean chains: straight-line programs of two-input gates, as data.

use crate::word::{Boards, Word};

/// What a gate computes from its operands a and b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// a and b.
    And,
    /// a or b.
    Or,
    /// a or b, not both.
    Xor,
    /// a and not b.
    AndNot,
    /// neither a nor b.
    Nor,
}

impl Op {
    /// Every operation.
    pub const ALL: [Self; 5] = [Self::And, Self::Or, Self::Xor, Self::AndNot, Self::Nor];

    /// The operation on every bit of two words.
    #[inline(always)]
    pub fn apply<W: Word>(self, a: W, b: W) -> W {
        match self {
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
            Self::AndNot => a & !b,
            Self::Nor => !(a | b),
        }
    }

    /// Whether the operands may change places.
    #[must_use]
    pub const fn commutes(self) -> bool {
        !matches!(self, Self::AndNot)
    }
}

/// Number of inputs: x1 to x9 (mine), then o1 to o9 (theirs).
pub const INPUTS: usize = 18;

/// One gate; an operand is the number of a signal: 0 to 8 are x1 to x9, 9 to 17 are o1 to o9, and
/// 18 + i is gate i.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gate {
    /// What it computes.
    pub op: Op,
    /// First operand.
    pub a: u16,
    /// Second operand.
    pub b: u16,
}

impl Gate {
    /// The gate with operands that may change places in ascending order: equal gates become equal values.
    #[must_use]
    pub const fn ordered(self) -> Self {
        if self.op.commutes() && self.a > self.b {
            Self { op: self.op, a: self.b, b: self.a }
        } else {
            self
        }
    }
}

/// A chain of `N` gates, each over inputs and earlier gates, and the signals y1 to y9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain<const N: usize> {
    /// The gates in the order of computation.
    pub gates: [Gate; N],
    /// The signals that are y1 to y9.
    pub outputs: [u16; 9],
}

impl<const N: usize> Chain<N> {
    /// Computes y1 to y9 on every board of the words, one gate after the other.
    ///
    /// # Panics
    ///
    /// When a signal is none of the chain. A gate that reads itself or a later one reads zeros; a chain
    /// without [`fault`](Self::fault) does neither.
    #[must_use]
    pub fn play<W: Word>(&self, boards: &Boards<W>) -> [W; 9] {
        let mut computed = [W::ZERO; N];
        for (index, gate) in self.gates.iter().enumerate() {
            let (a, b) = (read(boards, &computed, gate.a), read(boards, &computed, gate.b));
            computed[index] = gate.op.apply(a, b);
        }
        self.outputs.map(|signal| read(boards, &computed, signal))
    }

    /// The first thing about the chain that is not as it should be, or `None`.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        for (index, gate) in self.gates.iter().enumerate() {
            if gate.a.max(gate.b) as usize >= INPUTS + index {
                return Some(Fault::Order(index));
            }
            if gate.a == gate.b {
                return Some(Fault::OneOperand(index));
            }
            if self.gates[..index].iter().any(|other| other.ordered() == gate.ordered()) {
                return Some(Fault::Twice(index));
            }
        }
        if let Some(index) = self.outputs.iter().position(|&signal| signal as usize >= INPUTS + N) {
            return Some(Fault::Output(index));
        }
        self.first_dead().map(Fault::Dead)
    }

    /// The first gate that no output depends on.
    fn first_dead(&self) -> Option<usize> {
        let mut live = [false; N];
        let mark = |live: &mut [bool; N], signal: u16| {
            if let Some(index) = (signal as usize).checked_sub(INPUTS) {
                live[index] = true;
            }
        };
        self.outputs.iter().for_each(|&signal| mark(&mut live, signal));
        for index in (0..N).rev() {
            if live[index] {
                mark(&mut live, self.gates[index].a);
                mark(&mut live, self.gates[index].b);
            }
        }
        live.iter().position(|&is_live| !is_live)
    }
}

/// What can be wrong with a [`Chain`]; gates and outputs are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The gate reads itself or a later one.
    Order(usize),
    /// Both operands of the gate are the same signal.
    OneOperand(usize),
    /// An earlier gate computes the same from the same operands.
    Twice(usize),
    /// The output is no signal of the chain.
    Output(usize),
    /// No output depends on the gate.
    Dead(usize),
}

/// The word of a signal.
fn read<W: Word>(boards: &Boards<W>, computed: &[W], signal: u16) -> W {
    match signal as usize {
        index @ 0..9 => boards.mine[index],
        index @ 9..INPUTS => boards.theirs[index - 9],
        index => computed[index - INPUTS],
    }
}
