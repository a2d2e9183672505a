//! Writes the rules out as gates, at compile time.

use crate::chain::{Chain, Gate, INPUTS, Op};

/// Most gates that a rule may take.
pub(crate) const CAPACITY: usize = 640;

/// A signal of the chain being built.
pub(crate) type Signal = u16;

/// One signal for each cell.
pub(crate) type Cells = [Signal; 9];

/// A chain being built.
pub(crate) struct Builder {
    gates: [Gate; CAPACITY],
    length: usize,
}

impl Builder {
    /// A chain without gates.
    pub(crate) const fn new() -> Self {
        Self { gates: [Gate { op: Op::And, a: 0, b: 0 }; CAPACITY], length: 0 }
    }

    /// Number of gates so far.
    pub(crate) const fn len(&self) -> usize {
        self.length
    }

    /// Adds a gate.
    const fn gate(&mut self, op: Op, a: Signal, b: Signal) -> Signal {
        self.gates[self.length] = Gate { op, a, b };
        self.length += 1;
        (INPUTS + self.length - 1) as Signal
    }

    pub(crate) const fn and(&mut self, a: Signal, b: Signal) -> Signal {
        self.gate(Op::And, a, b)
    }

    pub(crate) const fn or(&mut self, a: Signal, b: Signal) -> Signal {
        self.gate(Op::Or, a, b)
    }

    /// The or, by the gate that is there already if one is.
    pub(crate) const fn shared_or(&mut self, a: Signal, b: Signal) -> Signal {
        let mut index = 0;
        while index < self.length {
            let Gate { op, a: c, b: d } = self.gates[index];
            if matches!(op, Op::Or) && ((a == c && b == d) || (a == d && b == c)) {
                return (INPUTS + index) as Signal;
            }
            index += 1;
        }
        self.or(a, b)
    }

    pub(crate) const fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        self.gate(Op::Xor, a, b)
    }

    pub(crate) const fn and_not(&mut self, a: Signal, b: Signal) -> Signal {
        self.gate(Op::AndNot, a, b)
    }

    pub(crate) const fn nor(&mut self, a: Signal, b: Signal) -> Signal {
        self.gate(Op::Nor, a, b)
    }

    /// The or of several signals.
    pub(crate) const fn any(&mut self, signals: &[Signal]) -> Signal {
        let (mut all, mut index) = (signals[0], 1);
        while index < signals.len() {
            all = self.or(all, signals[index]);
            index += 1;
        }
        all
    }

    /// Whether at least two of two, three or four signals are set.
    pub(crate) const fn two_of(&mut self, signals: &[Signal]) -> Signal {
        let both = self.and(signals[0], signals[1]);
        match *signals {
            [_, _] => both,
            [a, b, c] => {
                let either = self.or(a, b);
                let third = self.and(either, c);
                self.or(both, third)
            }
            [a, b, c, d] => {
                let (either, last) = (self.or(a, b), self.or(c, d));
                let (across, last_both) = (self.and(either, last), self.and(c, d));
                let within = self.or(both, last_both);
                self.or(within, across)
            }
            _ => panic!("a cell lies on two, three or four lines"),
        }
    }

    /// The finished chain; `N` must be [`len`](Self::len).
    pub(crate) const fn finish<const N: usize>(&self, outputs: Cells) -> Chain<N> {
        assert!(N == self.length);
        let mut gates = [Gate { op: Op::And, a: 0, b: 0 }; N];
        let mut index = 0;
        while index < N {
            gates[index] = self.gates[index];
            index += 1;
        }
        Chain { gates, outputs }
    }
}
