//! Resubstitution with don't-cares, as a random walk.
//!
//! The positions are independent of each other, so for one gate the question "must it be 1, must
//! it be 0, or does it not matter here?" has an exact answer in each position: turn the gate's
//! output round, follow the change to the nine outputs, and see where the move is no longer right.
//! What must be right is only that exactly one of the best moves is chosen, whichever. Then
//! every signal, and every new gate over two signals, that agrees with the gate where it matters
//! can take its place; if the gate's operands die with it, the chain becomes shorter.

use crownhead_tictactoe::{Gate, INPUTS, Op};

use crate::network::{Network, Replacement};
use crate::problem::{Bits, Problem, WORDS};
use crate::random::Random;

/// Most pairs of signals looked at for one gate, and most replacements collected.
const MOST_PAIRS: usize = 20_000;
const MOST_FOUND: usize = 48;

/// Most operands tried below a second gate.
const MOST_OPERANDS: usize = 4;

/// Chances in 65,536: to try two gates instead of one, to look for an exclusive or, to put one on top.
const TWO_GATES: u64 = 0x5000;
const DIFFERENCES: u64 = 0x3000;
const OUTER_XOR: u64 = 0x0400;

/// A chain that is right, and its values in every position.
pub(crate) struct Search<'a> {
    problem: &'a Problem,
    pub(crate) network: Network,
    values: Vec<Bits>,
    turned: Vec<Bits>,
    changed: Vec<bool>,
    random: Random,
    /// Chance in 65,536 to accept a chain that is one gate longer.
    pub(crate) heat: u64,
    /// Length that is never exceeded.
    pub(crate) limit: usize,
}

/// Where a gate matters: for each word that has such positions, those with 1 and those with 0.
type Care = Vec<(usize, u64, u64)>;

impl<'a> Search<'a> {
    /// Starts from a network, which must be right.
    pub(crate) fn new(problem: &'a Problem, network: Network, seed: u64) -> Self {
        let mut search = Self {
            problem,
            network,
            values: Vec::new(),
            turned: Vec::new(),
            changed: Vec::new(),
            random: Random::new(seed),
            heat: 0,
            limit: usize::MAX,
        };
        search.simulate();
        search
    }

    /// Number of positions where the chain is wrong.
    pub(crate) fn wrong(&self) -> u32 {
        let outputs = self.network.outputs.map(|signal| &self.values[signal as usize]);
        self.problem.wrong(outputs).iter().map(|word| word.count_ones()).sum()
    }

    /// Computes every gate in every position.
    fn simulate(&mut self) {
        let signals = INPUTS + self.network.gates.len();
        self.values.clear();
        self.values.extend_from_slice(&self.problem.inputs);
        self.values.resize(signals, [0; WORDS]);
        self.turned.resize(signals.max(self.turned.len()), [0; WORDS]);
        self.changed.resize(signals.max(self.changed.len()), false);
        for (index, gate) in self.network.gates.iter().enumerate() {
            let (before, rest) = self.values.split_at_mut(INPUTS + index);
            compute(gate.op, &before[gate.a as usize], &before[gate.b as usize], &mut rest[0]);
        }
    }

    /// Tries to replace one random gate.
    pub(crate) fn step(&mut self) {
        let index = self.random.below(self.network.gates.len());
        let care = self.care(index);
        let cone = self.cone(index);
        let found = self.replacements(index, &care);
        let Some(replacement) = self.choose(found, &cone) else { return };
        let Some(network) = self.network.with(index, replacement) else { return };
        if network.gates.len() > self.limit {
            return;
        }
        self.network = network;
        self.simulate();
        debug_assert_eq!(self.wrong(), 0);
    }

    /// Where the gate matters. Leaves the signals that depend on it marked in `changed`.
    fn care(&mut self, index: usize) -> Care {
        let root = INPUTS + index;
        self.changed[..=root].fill(false);
        self.changed[root] = true;
        for (turned, value) in self.turned[root].iter_mut().zip(&self.values[root]) {
            *turned = !value;
        }
        for (later, gate) in self.network.gates.iter().enumerate().skip(index + 1) {
            let (a, b) = (gate.a as usize, gate.b as usize);
            let depends = self.changed[a] || self.changed[b];
            self.changed[INPUTS + later] = depends;
            if depends {
                let (before, rest) = self.turned.split_at_mut(INPUTS + later);
                let a = if self.changed[a] { &before[a] } else { &self.values[a] };
                let b = if self.changed[b] { &before[b] } else { &self.values[b] };
                compute(gate.op, a, b, &mut rest[0]);
            }
        }
        let outputs = self.network.outputs.map(|signal| {
            let signal = signal as usize;
            if self.changed[signal] { &self.turned[signal] } else { &self.values[signal] }
        });
        let wrong = self.problem.wrong(outputs);
        let value = &self.values[root];
        (0..WORDS)
            .filter(|&word| wrong[word] != 0)
            .map(|word| (word, wrong[word] & value[word], wrong[word] & !value[word]))
            .collect()
    }

    /// The gates that only this one needs, itself included: marked for each signal.
    fn cone(&self, index: usize) -> Vec<bool> {
        let signals = INPUTS + self.network.gates.len();
        let mut readers = vec![0_u16; signals];
        for gate in &self.network.gates {
            readers[gate.a as usize] += 1;
            readers[gate.b as usize] += 1;
        }
        for &output in &self.network.outputs {
            readers[output as usize] += 1;
        }
        let mut cone = vec![false; signals];
        cone[INPUTS + index] = true;
        for signal in (INPUTS..=INPUTS + index).rev() {
            if signal != INPUTS + index && readers[signal] != 0 {
                continue;
            }
            cone[signal] = true;
            let gate = self.network.gates[signal - INPUTS];
            readers[gate.a as usize] -= 1;
            readers[gate.b as usize] -= 1;
        }
        cone
    }

    /// Replacements that agree with the gate where it matters.
    fn replacements(&mut self, index: usize, care: &Care) -> Vec<Replacement> {
        if let Some(value) = constant(care) {
            return vec![Replacement::Constant(value)];
        }
        let mut usable: Vec<u16> = (0..self.values.len() as u16)
            .filter(|&signal| !self.changed[signal as usize])
            .collect();
        self.random.shuffle(&mut usable);
        if self.random.chance(TWO_GATES) {
            self.two_gates(&usable, care)
        } else {
            let skip = self.network.gates[index].ordered();
            let mut found = self.one_gate(&usable, care);
            found.retain(|replacement| !matches!(replacement, Replacement::One(gate) if gate.ordered() == skip));
            found
        }
    }

    /// Signals, and gates over two signals, that agree with what is asked for.
    fn one_gate(&mut self, usable: &[u16], care: &Care) -> Vec<Replacement> {
        let mut found = Vec::new();
        let (mut holds_ones, mut no_ones, mut no_zeros) = (Vec::new(), Vec::new(), Vec::new());
        for &signal in usable {
            let meeting = Meeting::of(&self.values[signal as usize], care);
            if meeting.holds_ones && meeting.no_zeros {
                found.push(Replacement::Signal(signal));
            }
            for (is, list) in [
                (meeting.holds_ones, &mut holds_ones),
                (meeting.no_ones, &mut no_ones),
                (meeting.no_zeros, &mut no_zeros),
            ] {
                if is {
                    list.push(signal);
                }
            }
        }
        let mut pairs = MOST_PAIRS;
        let start = self.random.below(4);
        for kind in 0..4 {
            let (op, left, right) = match (start + kind) % 4 {
                0 => (Op::And, &holds_ones, &holds_ones),
                1 => (Op::AndNot, &holds_ones, &no_ones),
                2 => (Op::Nor, &no_ones, &no_ones),
                _ => (Op::Or, &no_zeros, &no_zeros),
            };
            self.pairs(op, left, right, care, &mut pairs, &mut found);
        }
        if self.random.chance(DIFFERENCES) {
            self.differences(usable, care, &mut found);
        }
        found
    }

    /// Pairs whose gate agrees: the first operand leaves some positions to the second, which must be
    /// 0 in all of them (1, for operations that negate it or add to the first).
    fn pairs(
        &self,
        op: Op,
        left: &[u16],
        right: &[u16],
        care: &Care,
        pairs: &mut usize,
        found: &mut Vec<Replacement>,
    ) {
        let wanted = if op == Op::And { 0 } else { !0 };
        let mut rest = Vec::with_capacity(WORDS);
        for (place, &a) in left.iter().enumerate() {
            let value = &self.values[a as usize];
            rest.clear();
            rest.extend(care.iter().filter_map(|&(word, ones, zeros)| {
                let left_over = match op {
                    Op::And | Op::AndNot => zeros & value[word],
                    Op::Nor => zeros & !value[word],
                    _ => ones & !value[word],
                };
                (left_over != 0).then_some((word, left_over))
            }));
            for &b in if op.commutes() { &right[place + 1..] } else { right } {
                if *pairs == 0 || found.len() >= MOST_FOUND {
                    return;
                }
                *pairs -= 1;
                let value = &self.values[b as usize];
                if rest.iter().all(|&(word, bits)| (value[word] ^ wanted) & bits == 0) {
                    found.push(Replacement::One(Gate { op, a, b }));
                }
            }
        }
    }

    /// Pairs whose exclusive or agrees, found through a hash that is linear in it.
    fn differences(&self, usable: &[u16], care: &Care, found: &mut Vec<Replacement>) {
        let fold = |sum: u64, bits: u64| sum.rotate_left(11) ^ bits;
        let target = care.iter().fold(0, |sum, &(_, ones, _)| fold(sum, ones));
        let hash = |signal: u16| {
            let value = &self.values[signal as usize];
            care.iter().fold(0, |sum, &(word, ones, zeros)| fold(sum, value[word] & (ones | zeros)))
        };
        let mut hashes: Vec<(u64, u16)> =
            usable.iter().map(|&signal| (hash(signal), signal)).collect();
        hashes.sort_unstable();
        for &(hash, a) in &hashes {
            let first = hashes.partition_point(|&(other, _)| other < hash ^ target);
            for &(_, b) in hashes[first..].iter().take_while(|&&(other, _)| other == hash ^ target)
            {
                let (a_bits, b_bits) = (&self.values[a as usize], &self.values[b as usize]);
                let agrees = care.iter().all(|&(word, ones, zeros)| {
                    ((a_bits[word] ^ b_bits[word]) ^ ones) & (ones | zeros) == 0
                });
                if a < b && agrees {
                    found.push(Replacement::One(Gate { op: Op::Xor, a, b }));
                }
            }
        }
    }

    /// A gate over a random signal and a new gate.
    fn two_gates(&mut self, usable: &[u16], care: &Care) -> Vec<Replacement> {
        let mut tries = MOST_OPERANDS;
        for &operand in usable {
            let Some((op, inner_first)) = self.outer(operand, care) else { continue };
            let value = &self.values[operand as usize];
            let rest: Care = care
                .iter()
                .map(|&(word, ones, zeros)| {
                    let value = value[word];
                    let (ones, zeros) = match (op, inner_first) {
                        (Op::And, _) => (ones, zeros & value),
                        (Op::AndNot, false) => (zeros & value, ones),
                        (Op::AndNot, true) => (ones, zeros & !value),
                        (Op::Nor, _) => (zeros & !value, ones),
                        (Op::Or, _) => (ones & !value, zeros),
                        (Op::Xor, _) => {
                            ((ones & !value) | (zeros & value), (ones & value) | (zeros & !value))
                        }
                    };
                    (word, ones, zeros)
                })
                .filter(|&(_, ones, zeros)| ones | zeros != 0)
                .collect();
            if constant(&rest).is_some() {
                continue;
            }
            let found = self.one_gate(usable, &rest);
            if !found.is_empty() {
                let outer = |replacement| match replacement {
                    Replacement::One(inner) => Replacement::Two { op, operand, inner, inner_first },
                    Replacement::Signal(a) if inner_first => {
                        Replacement::One(Gate { op, a, b: operand })
                    }
                    Replacement::Signal(b) => Replacement::One(Gate { op, a: operand, b }),
                    other => other,
                };
                return found.into_iter().map(outer).collect();
            }
            tries -= 1;
            if tries == 0 {
                break;
            }
        }
        Vec::new()
    }

    /// An operation that may lead from this operand and another to what is asked for, and whether
    /// the other comes first.
    fn outer(&mut self, operand: u16, care: &Care) -> Option<(Op, bool)> {
        let meeting = Meeting::of(&self.values[operand as usize], care);
        let first = self.random.chance(0x8000);
        match meeting {
            Meeting { holds_ones: true, .. } if first => Some((Op::And, false)),
            Meeting { holds_ones: true, .. } => Some((Op::AndNot, false)),
            Meeting { no_ones: true, .. } if first => Some((Op::AndNot, true)),
            Meeting { no_ones: true, .. } => Some((Op::Nor, false)),
            Meeting { no_zeros: true, .. } => Some((Op::Or, false)),
            _ => self.random.chance(OUTER_XOR).then_some((Op::Xor, false)),
        }
    }

    /// One of the replacements that make the chain shortest, or none.
    fn choose(&mut self, found: Vec<Replacement>, cone: &[bool]) -> Option<Replacement> {
        let mut best = None;
        let (mut least, mut ties) = (i32::MAX, 0);
        for replacement in found {
            let growth = self.growth(replacement, cone);
            if growth < least {
                (least, ties) = (growth, 0);
            }
            if growth == least {
                ties += 1;
                if self.random.below(ties) == 0 {
                    best = Some(replacement);
                }
            }
        }
        match least {
            ..=0 => best,
            1 if self.random.chance(self.heat) => best,
            _ => None,
        }
    }

    /// Gates made, less gates that die.
    fn growth(&self, replacement: Replacement, cone: &[bool]) -> i32 {
        let (made, operands) = match replacement {
            Replacement::Constant(_) => (0, vec![]),
            Replacement::Signal(signal) => (0, vec![signal]),
            Replacement::One(gate) => (1, vec![gate.a, gate.b]),
            Replacement::Two { operand, inner, .. } => (2, vec![operand, inner.a, inner.b]),
        };
        let dying = cone.iter().filter(|&&dies| dies).count() as i32;
        let mut kept = 0;
        let mut seen: Vec<u16> = Vec::new();
        let mut todo = operands;
        while let Some(signal) = todo.pop() {
            if cone[signal as usize] && !seen.contains(&signal) {
                seen.push(signal);
                kept += 1;
                let gate = self.network.gates[signal as usize - INPUTS];
                todo.extend([gate.a, gate.b]);
            }
        }
        made + kept - dying
    }
}

/// How a signal meets what is asked for.
struct Meeting {
    /// It is 1 wherever 1 is asked for.
    holds_ones: bool,
    /// It is 0 wherever 1 is asked for.
    no_ones: bool,
    /// It is 0 wherever 0 is asked for.
    no_zeros: bool,
}

impl Meeting {
    fn of(value: &Bits, care: &Care) -> Self {
        let (mut lacks, mut meets_ones, mut meets_zeros) = (0, 0, 0);
        for &(word, ones, zeros) in care {
            lacks |= ones & !value[word];
            meets_ones |= ones & value[word];
            meets_zeros |= zeros & value[word];
            if lacks != 0 && meets_ones != 0 && meets_zeros != 0 {
                break;
            }
        }
        Self { holds_ones: lacks == 0, no_ones: meets_ones == 0, no_zeros: meets_zeros == 0 }
    }
}

/// The constant that agrees, if one does.
fn constant(care: &Care) -> Option<bool> {
    if care.iter().all(|&(_, ones, _)| ones == 0) {
        Some(false)
    } else if care.iter().all(|&(_, _, zeros)| zeros == 0) {
        Some(true)
    } else {
        None
    }
}

/// The gate in every position.
fn compute(op: Op, a: &Bits, b: &Bits, result: &mut Bits) {
    macro_rules! each {
        ($op:expr) => {
            for word in 0..WORDS {
                result[word] = $op.apply(a[word], b[word]);
            }
        };
    }
    match op {
        Op::And => each!(Op::And),
        Op::Or => each!(Op::Or),
        Op::Xor => each!(Op::Xor),
        Op::AndNot => each!(Op::AndNot),
        Op::Nor => each!(Op::Nor),
    }
}
