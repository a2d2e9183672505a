//! A chain of any length that can be changed and tidied.

use std::collections::HashMap;

use crownhead_tictactoe::{Board, Gate, INPUTS, Op, best_moves};

use crate::random::Random;

/// A chain under work.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Network {
    pub(crate) gates: Vec<Gate>,
    pub(crate) outputs: [u16; 9],
}

/// What a gate is replaced by; the signals are those of the network before.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Replacement {
    /// A constant, since nobody looks at the gate.
    Constant(bool),
    /// A signal there is.
    Signal(u16),
    /// A new gate.
    One(Gate),
    /// A new gate over the operand given and a second new gate, which is its first operand when told.
    Two { op: Op, operand: u16, inner: Gate, inner_first: bool },
}

/// A signal of the tidied network, or what it has become.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Constant(bool),
    Signal(u16),
}

impl Network {
    /// The chain, tidied.
    pub(crate) fn new(gates: Vec<Gate>, outputs: [u16; 9]) -> Self {
        Self { gates, outputs }.tidied(None).expect("no gate is constant by its form alone")
    }

    /// The network with one gate replaced, tidied; `None` when an output has become a constant.
    pub(crate) fn with(&self, index: usize, replacement: Replacement) -> Option<Self> {
        self.tidied(Some((index, replacement)))
    }

    /// The chain with its moves looked through in a random order: each is played if none before it is.
    ///
    /// It computes the same, but now a move may be wrong wherever one before it is right.
    pub(crate) fn reordered(mut self, random: &mut Random) -> Self {
        let mut order: [usize; 9] = std::array::from_fn(|cell| cell);
        random.shuffle(&mut order);
        let moves = self.outputs;
        let mut gate = |op, a, b| {
            self.gates.push(Gate { op, a, b });
            (INPUTS + self.gates.len() - 1) as u16
        };
        let mut earlier = moves[order[0]];
        for &cell in &order[1..8] {
            self.outputs[cell] = gate(Op::AndNot, moves[cell], earlier);
            if cell != order[7] {
                earlier = gate(Op::Or, earlier, moves[cell]);
            }
        }
        self.outputs[order[8]] = gate(Op::Nor, earlier, moves[order[7]]);
        Self::new(self.gates, self.outputs)
    }

    /// The network without dead gates, equal gates merged, constants folded, order restored.
    fn tidied(&self, replaced: Option<(usize, Replacement)>) -> Option<Self> {
        let mut tidy = Tidy {
            old: self,
            replaced,
            known: vec![None; self.gates.len()],
            made: HashMap::with_capacity(self.gates.len() + 2),
            gates: Vec::with_capacity(self.gates.len() + 2),
        };
        let mut outputs = [0; 9];
        for (output, &signal) in outputs.iter_mut().zip(&self.outputs) {
            let Known::Signal(signal) = tidy.signal(signal) else { return None };
            *output = signal;
        }
        Some(Self { gates: tidy.gates, outputs })
    }

    /// What is wrong with the chain, looked for with none of the means of the search: board by board,
    /// gate by gate.
    pub(crate) fn fault(&self) -> Option<String> {
        for (index, gate) in self.gates.iter().enumerate() {
            if gate.a == gate.b {
                return Some(format!("gate {} reads one signal twice", index + 1));
            }
            if self.gates[..index].contains(gate) {
                return Some(format!("gate {} is there already", index + 1));
            }
        }
        Board::all_due().find_map(|board| {
            let moves = self.moves(board);
            (moves.count_ones() != 1 || moves & !best_moves(board) != 0)
                .then(|| format!("it plays the cells {moves:#b} at {board}"))
        })
    }

    /// The outputs on one board, as a set of cells.
    fn moves(&self, board: Board) -> u16 {
        let marks = u32::from(board.mine()) | u32::from(board.theirs()) << 9;
        let mut signals: Vec<u8> = (0..INPUTS).map(|input| (marks >> input & 1) as u8).collect();
        for gate in &self.gates {
            let (a, b) = (signals[gate.a as usize], signals[gate.b as usize]);
            signals.push(gate.op.apply(a, b) & 1);
        }
        let outputs = self.outputs.iter().enumerate();
        outputs.map(|(cell, &signal)| u16::from(signals[signal as usize]) << cell).sum()
    }
}

/// Copies a network from the outputs down.
struct Tidy<'a> {
    old: &'a Network,
    replaced: Option<(usize, Replacement)>,
    known: Vec<Option<Known>>,
    made: HashMap<Gate, u16>,
    gates: Vec<Gate>,
}

impl Tidy<'_> {
    fn signal(&mut self, signal: u16) -> Known {
        let Some(index) = (signal as usize).checked_sub(INPUTS) else {
            return Known::Signal(signal);
        };
        if let Some(known) = self.known[index] {
            return known;
        }
        let known = match self.replaced {
            Some((replaced, replacement)) if replaced == index => match replacement {
                Replacement::Constant(value) => Known::Constant(value),
                Replacement::Signal(other) => self.signal(other),
                Replacement::One(gate) => self.old_gate(gate),
                Replacement::Two { op, operand, inner, inner_first } => {
                    let inner = self.old_gate(inner);
                    let operand = self.signal(operand);
                    if inner_first {
                        self.gate(op, inner, operand)
                    } else {
                        self.gate(op, operand, inner)
                    }
                }
            },
            _ => self.old_gate(self.old.gates[index]),
        };
        self.known[index] = Some(known);
        known
    }

    fn old_gate(&mut self, gate: Gate) -> Known {
        let (a, b) = (self.signal(gate.a), self.signal(gate.b));
        self.gate(gate.op, a, b)
    }

    fn gate(&mut self, op: Op, a: Known, b: Known) -> Known {
        use Known::{Constant, Signal};
        match (op, a, b) {
            (Op::And, Constant(false), _) | (Op::And, _, Constant(false)) => Constant(false),
            (Op::And, Constant(true), other) | (Op::And, other, Constant(true)) => other,
            (Op::Or, Constant(true), _) | (Op::Or, _, Constant(true)) => Constant(true),
            (Op::Or, Constant(false), other) | (Op::Or, other, Constant(false)) => other,
            (Op::Xor, Constant(x), Constant(y)) => Constant(x != y),
            (Op::Xor, Constant(false), other) | (Op::Xor, other, Constant(false)) => other,
            (Op::Xor, Constant(true), Signal(x)) | (Op::Xor, Signal(x), Constant(true)) => {
                self.not(x)
            }
            (Op::AndNot, Constant(false), _) | (Op::AndNot, _, Constant(true)) => Constant(false),
            (Op::AndNot, other, Constant(false)) => other,
            (Op::AndNot, Constant(true), Signal(x)) => self.not(x),
            (Op::Nor, Constant(true), _) | (Op::Nor, _, Constant(true)) => Constant(false),
            (Op::Nor, Constant(false), Constant(false)) => Constant(true),
            (Op::Nor, Constant(false), Signal(x)) | (Op::Nor, Signal(x), Constant(false)) => {
                self.not(x)
            }
            (Op::And | Op::Or, Signal(x), Signal(y)) if x == y => Signal(x),
            (Op::Xor | Op::AndNot, Signal(x), Signal(y)) if x == y => Constant(false),
            (_, Signal(a), Signal(b)) => Signal(self.push(Gate { op, a, b })),
        }
    }

    /// A gate that negates: it reads one signal twice, and the search gets rid of it.
    fn not(&mut self, signal: u16) -> Known {
        Known::Signal(self.push(Gate { op: Op::Nor, a: signal, b: signal }))
    }

    fn push(&mut self, gate: Gate) -> u16 {
        let gate = gate.ordered();
        let next = (INPUTS + self.gates.len()) as u16;
        *self.made.entry(gate).or_insert_with(|| {
            self.gates.push(gate);
            next
        })
    }
}
