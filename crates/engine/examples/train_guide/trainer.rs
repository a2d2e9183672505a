//! The guide's network with fractions, and how it learns.

use crownhead_engine::guide::{self, FIRST, SECOND};
use crownhead_rules::Position;

use super::{BATCH, Example, Random};

/// Sums are taken in so many parts, which fit vectors.
const PARTS: usize = 16;
/// Whole numbers of the first layer's outputs and weights are multiplied by this.
const SCALE: f32 = 32.0;
/// And all other weights by this.
const WEIGHT: f32 = 64.0;
/// The network's outputs are tens of plies.
const TENS: f32 = 10.0;

/// All numbers of a network: rows of the first layer, of the second, the weights of the output,
/// then the biases in the same order.
type Numbers = Vec<f32>;

/// A network that learns by Adam (Kingma and Ba, 2015).
pub(super) struct Trainer {
    inputs: usize,
    numbers: Numbers,
}

/// Where the parts of [`Numbers`] begin.
struct Layout {
    second: usize,
    third: usize,
    biases: usize,
}

impl Layout {
    fn new(inputs: usize) -> Self {
        let second = inputs * FIRST;
        let third = second + FIRST * SECOND;
        Self { second, third, biases: third + SECOND }
    }
}

impl Trainer {
    pub(super) fn new(inputs: usize) -> Self {
        let layout = Layout::new(inputs);
        let mut random = Random::new(12345);
        let mut within = |most: f32| (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) * most;
        let mut numbers = Vec::new();
        numbers.extend((0..layout.second).map(|_| within(0.5)));
        let spread = (3.0 / FIRST as f32).sqrt();
        numbers.extend((layout.second..layout.third).map(|_| within(spread)));
        let spread = (3.0 / SECOND as f32).sqrt();
        numbers.extend((layout.third..layout.biases).map(|_| within(spread)));
        numbers.extend([0.1; FIRST + SECOND]);
        numbers.push(2.0);
        Self { inputs, numbers }
    }

    /// A trainer that goes on from these weights.
    pub(super) fn of(bytes: &[u8], inputs: usize) -> Self {
        let layout = Layout::new(inputs);
        let (weights, biases) = bytes.split_at(layout.biases);
        let byte = |scale: f32| move |x: &u8| f32::from(*x as i8) / scale;
        let mut numbers: Numbers = weights[..layout.second].iter().map(byte(SCALE)).collect();
        numbers.extend(weights[layout.second..].iter().map(byte(WEIGHT)));
        let biases = biases.as_chunks().0.iter().map(|pair| f32::from(i16::from_le_bytes(*pair)));
        numbers.extend(
            biases.enumerate().map(|(i, x)| x / if i < FIRST { SCALE } else { SCALE * WEIGHT }),
        );
        Self { inputs, numbers }
    }

    /// Learns from so many batches of examples drawn at random.
    pub(super) fn train(&mut self, data: &[Example], steps: usize, most: f32, seed: u64) {
        let mut random = Random::new(seed);
        let count = self.numbers.len();
        let (mut gradient, mut mean, mut square) =
            (vec![0.0_f32; count], vec![0.0_f32; count], vec![0.0_f32; count]);
        let mut error = 0.0_f64;
        for step in 0..steps {
            gradient.fill(0.0);
            for _ in 0..BATCH {
                let (position, plies) = &data[random.below(data.len())];
                let miss = self.learn(position, f32::from(*plies), &mut gradient);
                error += f64::from(miss * miss);
            }
            // Rises to the full rate, then falls.
            let done = step as f32 / steps as f32;
            let rate = most * if done < 0.05 { done / 0.05 } else { (1.0 - done) / 0.95 }.max(0.01);
            let bias = [0.9_f32, 0.99].map(|keep| 1.0 - keep.powi(step as i32 + 1));
            for (i, number) in self.numbers.iter_mut().enumerate() {
                let slope = gradient[i] / BATCH as f32;
                mean[i] = 0.9 * mean[i] + 0.1 * slope;
                square[i] = 0.99 * square[i] + 0.01 * slope * slope;
                *number -= rate * (mean[i] / bias[0]) / ((square[i] / bias[1]).sqrt() + 1e-8);
            }
            self.keep_within();
        }
        let error = (error / (steps * BATCH) as f64).sqrt();
        println!("  {} examples, error {:.2} plies", data.len(), error * f64::from(TENS));
    }

    /// Keeps weights where whole numbers of a byte reach.
    fn keep_within(&mut self) {
        let layout = Layout::new(self.inputs);
        let (first, rest) = self.numbers.split_at_mut(layout.second);
        first.iter_mut().for_each(|x| *x = x.clamp(-3.95, 3.95));
        rest[..layout.biases - layout.second].iter_mut().for_each(|x| *x = x.clamp(-1.95, 1.95));
    }

    /// Adds an example's slopes; the error of the guess.
    fn learn(&self, position: &Position, plies: f32, gradient: &mut [f32]) -> f32 {
        let layout = Layout::new(self.inputs);
        let numbers = &self.numbers;
        let row = |at: usize| numbers[at..at + FIRST].as_chunks::<PARTS>().0;
        let mut inputs = heapless::Vec::<usize, 32>::new();
        guide::for_each_input(position, self.inputs < guide::INPUTS, |input| {
            inputs.push(input).expect("no more than pieces");
        });
        let mut first = [[0.0; PARTS]; FIRST / PARTS];
        first.copy_from_slice(row(layout.biases));
        for input in &inputs {
            for (sums, weights) in first.iter_mut().zip(row(input * FIRST)) {
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
        }
        first.iter_mut().flatten().for_each(|sum| *sum = sum.max(0.0));
        let mut second = [0.0; SECOND];
        let mut guess = numbers[layout.biases + FIRST + SECOND];
        for (j, number) in second.iter_mut().enumerate() {
            let mut sums = [0.0; PARTS];
            for (numbers, weights) in first.iter().zip(row(layout.second + j * FIRST)) {
                let products = numbers.iter().zip(weights).map(|(x, weight)| x * weight);
                sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
            }
            *number = (numbers[layout.biases + FIRST + j] + sums.iter().sum::<f32>()).max(0.0);
            guess += *number * numbers[layout.third + j];
        }
        let error = guess - plies / TENS;
        gradient[layout.biases + FIRST + SECOND] += error;
        let mut slopes = [0.0; FIRST];
        let first = first.as_flattened();
        for (j, number) in second.iter().enumerate().filter(|(_, number)| **number > 0.0) {
            let slope = error * numbers[layout.third + j];
            gradient[layout.third + j] += error * number;
            gradient[layout.biases + FIRST + j] += slope;
            let at = layout.second + j * FIRST;
            let (weights, changes) = (&numbers[at..at + FIRST], &mut gradient[at..at + FIRST]);
            for (change, number) in changes.iter_mut().zip(first) {
                *change += slope * number;
            }
            for (sum, weight) in slopes.iter_mut().zip(weights) {
                *sum += slope * weight;
            }
        }
        for (slope, number) in slopes.iter_mut().zip(first) {
            *slope = if *number > 0.0 { *slope } else { 0.0 };
        }
        for at in inputs.iter().map(|input| input * FIRST).chain([layout.biases]) {
            gradient[at..at + FIRST].iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
        }
        error
    }

    /// The weights as the guide reads them.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let layout = Layout::new(self.inputs);
        let byte = |x: f32, scale: f32| ((x * scale).round().clamp(-127.0, 127.0) as i8) as u8;
        let mut bytes = Vec::new();
        let (weights, biases) = self.numbers.split_at(layout.biases);
        let (first, rest) = weights.split_at(layout.second);
        bytes.extend(first.iter().map(|x| byte(*x, SCALE)));
        bytes.extend(rest.iter().map(|x| byte(*x, WEIGHT)));
        let (first, rest) = biases.split_at(FIRST);
        let wide = |x: f32, scale: f32| (x * scale).round().clamp(-32767.0, 32767.0) as i16;
        bytes.extend(first.iter().flat_map(|x| wide(*x, SCALE).to_le_bytes()));
        bytes.extend(rest.iter().flat_map(|x| wide(*x, SCALE * WEIGHT).to_le_bytes()));
        bytes
    }
}
