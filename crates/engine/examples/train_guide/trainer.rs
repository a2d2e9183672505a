//! The guide's network with fractions, and how it learns.

use crownhead_engine::guide::{self, FIRST, SECOND};
use crownhead_rules::Position;
use rayon::prelude::*;

use crate::random::Random;

/// A position as the guide sees it, and its true distance in plies.
pub(crate) type Example = (Position, u8);

/// The examples of a step, and in how many parts they are learned from side by side.
const BATCH: usize = 1024;
const SIDE_BY_SIDE: usize = 2;
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

/// Where the parts of [`Numbers`] begin.
#[derive(Clone, Copy)]
struct Layout {
    inputs: usize,
    /// The numbers of the first hidden layer.
    first: usize,
    second: usize,
    third: usize,
    biases: usize,
    len: usize,
}

impl Layout {
    fn new(inputs: usize, first: usize) -> Self {
        let second = inputs * first;
        let third = second + first * SECOND;
        let biases = third + SECOND;
        Self { inputs, first, second, third, biases, len: biases + first + SECOND + 1 }
    }

    /// By what a number is multiplied to be stored as a whole number, and the most that this can be.
    fn stored(&self, at: usize) -> (f32, f32) {
        match at {
            _ if at < self.second => (SCALE, 127.0),
            _ if at < self.biases => (WEIGHT, 127.0),
            _ if at < self.biases + self.first => (SCALE, 32767.0),
            _ => (SCALE * WEIGHT, 32767.0),
        }
    }
}

/// A network that learns by Adam (Kingma and Ba, 2015).
pub(crate) struct Trainer {
    layout: Layout,
    numbers: Numbers,
    /// Running means of slopes and of their squares.
    means: Numbers,
    squares: Numbers,
    steps: i32,
}

impl Trainer {
    /// A network that knows nothing, with so many numbers in its first hidden layer.
    pub(crate) fn new(inputs: usize, first: usize) -> Self {
        let layout = Layout::new(inputs, first);
        let mut random = Random::new(12345);
        let mut within = |most: f32| (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) * most;
        let mut numbers = Vec::new();
        numbers.extend((0..layout.second).map(|_| within(0.5)));
        let spread = (3.0 / first as f32).sqrt();
        numbers.extend((layout.second..layout.third).map(|_| within(spread)));
        let spread = (3.0 / SECOND as f32).sqrt();
        numbers.extend((layout.third..layout.biases).map(|_| within(spread)));
        numbers.resize(layout.len - 1, 0.1);
        numbers.push(2.0);
        Self::with(layout, numbers)
    }

    /// A trainer that goes on from these weights.
    pub(crate) fn of(bytes: &[u8], inputs: usize, first: usize) -> Self {
        let layout = Layout::new(inputs, first);
        let (weights, biases) = bytes.split_at(layout.biases);
        let weights = weights.iter().map(|byte| f32::from(*byte as i8));
        let biases = biases.as_chunks().0.iter().map(|pair| f32::from(i16::from_le_bytes(*pair)));
        let numbers = weights.chain(biases).enumerate().map(|(at, x)| x / layout.stored(at).0);
        Self::with(layout, numbers.collect())
    }

    fn with(layout: Layout, numbers: Numbers) -> Self {
        let zeros = vec![0.0; layout.len];
        Self { layout, numbers, means: zeros.clone(), squares: zeros, steps: 0 }
    }

    /// The numbers as they are stored, whole.
    fn whole_numbers(&self) -> Numbers {
        let whole = |(at, x): (usize, &f32)| {
            let (scale, most) = self.layout.stored(at);
            (x * scale).round().clamp(-most, most)
        };
        self.numbers.iter().enumerate().map(whole).collect()
    }

    /// The weights as the guide reads them.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let numbers = self.whole_numbers();
        let (weights, biases) = numbers.split_at(self.layout.biases);
        let mut bytes: Vec<u8> = weights.iter().map(|x| *x as i8 as u8).collect();
        bytes.extend(biases.iter().flat_map(|x| (*x as i16).to_le_bytes()));
        bytes
    }

    /// Learns from so many batches of examples as `draw` gives them; the error of the guesses, in
    /// plies.
    ///
    /// The errors learned from are those that the stored whole numbers make.
    pub(crate) fn train(
        &mut self,
        steps: usize,
        rate: f32,
        mut draw: impl FnMut() -> Example,
    ) -> f64 {
        let layout = self.layout;
        let mut error = 0.0_f64;
        for step in 0..steps {
            let batch: Vec<Example> = (0..BATCH).map(|_| draw()).collect();
            let mut stored = self.whole_numbers();
            stored.iter_mut().enumerate().for_each(|(at, x)| *x /= layout.stored(at).0);
            let learn_part = |part: &[Example]| {
                let mut slopes = vec![0.0_f32; layout.len];
                let miss = |(position, plies): &Example| {
                    layout.learn(&stored, position, f32::from(*plies), &mut slopes)
                };
                let error = part.iter().map(miss).map(|miss| f64::from(miss * miss)).sum::<f64>();
                (slopes, error)
            };
            let parts: Vec<(Numbers, f64)> =
                batch.par_chunks(BATCH / SIDE_BY_SIDE).map(learn_part).collect();
            error += parts.iter().map(|(_, error)| error).sum::<f64>();
            self.step(&parts, rate * (1.0 - 0.7 * step as f32 / steps as f32));
        }
        (error / (steps * BATCH) as f64).sqrt() * f64::from(TENS)
    }

    /// Takes one step down the slopes.
    fn step(&mut self, parts: &[(Numbers, f64)], rate: f32) {
        self.steps += 1;
        let bias = [0.9_f32, 0.999].map(|keep| 1.0 - keep.powi(self.steps));
        for at in 0..self.layout.len {
            let slope = parts.iter().map(|(slopes, _)| slopes[at]).sum::<f32>() / BATCH as f32;
            let (mean, square) = (&mut self.means[at], &mut self.squares[at]);
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.999 * *square + 0.001 * slope * slope;
            let change = rate * (*mean / bias[0]) / ((*square / bias[1]).sqrt() + 1e-8);
            let (scale, most) = self.layout.stored(at);
            self.numbers[at] = (self.numbers[at] - change).clamp(-most / scale, most / scale);
        }
    }
}

impl Layout {
    /// Adds an example's slopes; the error of the guess.
    fn learn(&self, numbers: &[f32], position: &Position, plies: f32, slopes: &mut [f32]) -> f32 {
        let (width, biases) = (self.first, self.biases);
        let row = |at: usize| numbers[at..at + width].as_chunks::<PARTS>().0;
        let mut inputs = heapless::Vec::<usize, 32>::new();
        guide::for_each_input(position, self.inputs, |input| {
            inputs.push(input).expect("no more than pieces");
        });
        let mut first = [[0.0; PARTS]; FIRST / PARTS];
        let first = &mut first[..width / PARTS];
        first.copy_from_slice(row(biases));
        for input in &inputs {
            for (sums, weights) in first.iter_mut().zip(row(input * width)) {
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
        }
        first.iter_mut().flatten().for_each(|sum| *sum = sum.max(0.0));
        let mut second = [0.0; SECOND];
        let mut guess = numbers[biases + width + SECOND];
        for (j, number) in second.iter_mut().enumerate() {
            let mut sums = [0.0; PARTS];
            for (numbers, weights) in first.iter().zip(row(self.second + j * width)) {
                let products = numbers.iter().zip(weights).map(|(x, weight)| x * weight);
                sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
            }
            *number = (numbers[biases + width + j] + sums.iter().sum::<f32>()).max(0.0);
            guess += *number * numbers[self.third + j];
        }
        let error = guess - plies / TENS;
        slopes[biases + width + SECOND] += error;
        let mut back = [0.0; FIRST];
        let first = first.as_flattened();
        for (j, number) in second.iter().enumerate().filter(|(_, number)| **number > 0.0) {
            let slope = error * numbers[self.third + j];
            slopes[self.third + j] += error * number;
            slopes[biases + width + j] += slope;
            let at = self.second + j * width;
            slopes[at..at + width].iter_mut().zip(first).for_each(|(sum, x)| *sum += slope * x);
            let weights = &numbers[at..at + width];
            back.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += slope * weight);
        }
        for (slope, number) in back.iter_mut().zip(first) {
            *slope = if *number > 0.0 { *slope } else { 0.0 };
        }
        for at in inputs.iter().map(|input| input * width).chain([biases]) {
            slopes[at..at + width].iter_mut().zip(back).for_each(|(sum, slope)| *sum += slope);
        }
        error
    }
}
