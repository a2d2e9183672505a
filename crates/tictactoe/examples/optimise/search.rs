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
        let limit = network.gates.len();
        let mut search = Self {
            problem,
            network,
            values: Vec::new(),
            turned: Vec::new(),
            changed: Vec::new(),
            random: Random::new(seed),
            heat: 0,
            limit,
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
        for signal in (INPUTS..=INPUTS + index).rev().filter(|_| true) {
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
        if care.iter().all(|&(_, ones, _)| ones == 0) {
            return vec![Replacement::Constant(false)];
        }
        if care.iter().all(|&(_, _, zeros)| zeros == 0) {
            return vec![Replacement::Constant(true)];
        }
        let mut usable: Vec<u16> = (0..self.values.len() as u16)
            .filter(|&signal| !self.changed[signal as usize] || (signal as usize) < INPUTS + index)
            .collect();
        self.random.shuffle(&mut usable);
        if self.random.chance(0x5000) {
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
            let value = &self.values[signal as usize];
            let (mut lacks, mut meets_ones, mut meets_zeros) = (0, 0, 0);
            for &(word, ones, zeros) in care {
                lacks |= ones & !value[word];
                meets_ones |= ones & value[word];
                meets_zeros |= zeros & value[word];
                if lacks != 0 && meets_ones != 0 && meets_zeros != 0 {
                    break;
                }
            }
            if lacks == 0 && meets_zeros == 0 {
                found.push(Replacement::Signal(signal));
            }
            if lacks == 0 {
                holds_ones.push(signal);
            }
            if meets_ones == 0 {
                no_ones.push(signal);
            }
            if meets_zeros == 0 {
                no_zeros.push(signal);
            }
        }
        let mut pairs = MOST_PAIRS;
        let values = &self.values;
        let mut try_pairs = |op: Op, left: &[u16], right: &[u16], found: &mut Vec<Replacement>| {
            for (place, &a) in left.iter().enumerate() {
                let right = if op.commutes() { &left[place + 1..] } else { right };
                for &b in right {
                    if pairs == 0 || found.len() >= MOST_FOUND {
                        return;
                    }
                    pairs -= 1;
                    let (a_bits, b_bits) = (&values[a as usize], &values[b as usize]);
                    if agrees(op, a_bits, b_bits, care) {
                        found.push(Replacement::One(Gate { op, a, b }));
                    }
                }
            }
        };
        let start = self.random.below(4);
        for kind in 0..4 {
            match (start + kind) % 4 {
                0 => try_pairs(Op::And, &holds_ones, &[], &mut found),
                1 => try_pairs(Op::AndNot, &holds_ones, &no_ones, &mut found),
                2 => try_pairs(Op::Nor, &no_ones, &[], &mut found),
                _ => try_pairs(Op::Or, &no_zeros, &[], &mut found),
            }
        }
        if self.random.chance(0x6000) {
            self.differences(usable, care, &mut found);
        }
        found
    }

    /// Pairs whose exclusive or agrees, found through a hash that is linear in it.
    fn differences(&self, usable: &[u16], care: &Care, found: &mut Vec<Replacement>) {
        let hash = |bits: &dyn Fn(usize, u64, u64) -> u64| {
            care.iter().enumerate().fold(0, |sum: u64, (place, &(word, ones, zeros))| {
                sum ^ bits(word, ones, zeros).rotate_left(place as u32 * 11)
            })
        };
        let target = hash(&|_, ones, _| ones);
        let mut hashes: Vec<(u64, u16)> = usable
            .iter()
            .map(|&signal| {
                let value = &self.values[signal as usize];
                (hash(&|word, ones, zeros| value[word] & (ones | zeros)), signal)
            })
            .collect();
        hashes.sort_unstable();
        for &(hash, a) in &hashes {
            let first = hashes.partition_point(|&(other, _)| other < hash ^ target);
            for &(other, b) in &hashes[first..] {
                if other != hash ^ target {
                    break;
                }
                let (a_bits, b_bits) = (&self.values[a as usize], &self.values[b as usize]);
                if a < b && agrees(Op::Xor, a_bits, b_bits, care) {
                    found.push(Replacement::One(Gate { op: Op::Xor, a, b }));
                }
            }
        }
    }

    /// A gate over a random signal and a new gate.
    fn two_gates(&mut self, usable: &[u16], care: &Care) -> Vec<Replacement> {
        for &operand in usable.iter().take(40) {
            let value = &self.values[operand as usize];
            let (mut lacks, mut meets_ones, mut meets_zeros) = (0, 0, 0);
            for &(word, ones, zeros) in care {
                lacks |= ones & !value[word];
                meets_ones |= ones & value[word];
                meets_zeros |= zeros & value[word];
            }
            let rest = |f: &dyn Fn(u64, u64, u64) -> (u64, u64)| -> Care {
                care.iter()
                    .map(|&(word, ones, zeros)| {
                        let (ones, zeros) = f(value[word], ones, zeros);
                        (word, ones, zeros)
                    })
                    .filter(|&(_, ones, zeros)| ones | zeros != 0)
                    .collect()
            };
            let (op, inner_first, rest) = if lacks == 0 && self.random.chance(0x8000) {
                (Op::And, false, rest(&|v, ones, zeros| (ones, zeros & v)))
            } else if lacks == 0 {
                (Op::AndNot, false, rest(&|v, ones, zeros| (zeros & v, ones)))
            } else if meets_ones == 0 && self.random.chance(0x8000) {
                (Op::AndNot, true, rest(&|v, ones, zeros| (ones, zeros & !v)))
            } else if meets_ones == 0 {
                (Op::Nor, false, rest(&|v, ones, zeros| (zeros & !v, ones)))
            } else if meets_zeros == 0 {
                (Op::Or, false, rest(&|v, ones, zeros| (ones & !v, zeros)))
            } else if self.random.chance(0x0800) {
                (
                    Op::Xor,
                    false,
                    rest(&|v, ones, zeros| ((ones & !v) | (zeros & v), (ones & v) | (zeros & !v))),
                )
            } else {
                continue;
            };
            if rest.iter().all(|&(_, ones, _)| ones == 0) || rest.iter().all(|&(_, _, zeros)| zeros == 0)
            {
                continue;
            }
            let found = self.one_gate(usable, &rest);
            if found.is_empty() {
                continue;
            }
            return found
                .into_iter()
                .map(|replacement| match replacement {
                    Replacement::One(inner) => Replacement::Two { op, operand, inner, inner_first },
                    Replacement::Signal(other) if inner_first => {
                        Replacement::One(Gate { op, a: other, b: operand })
                    }
                    Replacement::Signal(other) => Replacement::One(Gate { op, a: operand, b: other }),
                    other => other,
                })
                .collect();
        }
        Vec::new()
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

/// Whether the gate agrees where it matters.
fn agrees(op: Op, a: &Bits, b: &Bits, care: &Care) -> bool {
    care.iter().all(|&(word, ones, zeros)| {
        let value = op.apply(a[word], b[word]);
        (ones & !value) | (zeros & value) == 0
    })
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
