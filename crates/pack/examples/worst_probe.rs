//! Looks for the probe of an image that takes the most look-ups: `worst_probe IMAGE [SAMPLES
//! [CLIMBS [SEED]]]`.
//!
//! Probes random positions with as many pieces as the image knows, half of them with a capture to
//! make (those lead furthest), then climbs from the worst ones: puts one piece elsewhere or makes
//! it another kind, or turns the move over, as long as that takes more look-ups. Prints what was
//! found, worst first: look-ups and FEN.

#![allow(clippy::print_stdout)]

use crownhead_rules::{Bitboard, Color, Position};
use crownhead_table::compact::CompactTable;

type Image = CompactTable<&'static [u8]>;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("worst_probe IMAGE [SAMPLES [CLIMBS [SEED]]]");
    let mut number =
        |default| arguments.next().map_or(default, |n| n.parse().expect("a number")) as u64;
    let (samples, climbs, seed) = (number(100_000), number(40) as usize, number(1));
    let bytes: &'static [u8] = std::fs::read(path).expect("the image").leak();
    let image = CompactTable::open(bytes).expect("an image");
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let pieces = u32::from(image.header().pieces);
    let mut total = 0;
    let mut worst: Vec<(u32, Position)> = Vec::new();
    for sample in 0..samples {
        let position = random.position(pieces, sample % 2 == 1);
        let lookups = lookups(&image, &position);
        // The mean is that of all positions, so of the half that is drawn freely.
        total += if sample % 2 == 0 { u64::from(lookups) } else { 0 };
        worst.push((lookups, position));
        if worst.len() >= 2 * climbs {
            keep_worst(&mut worst, climbs);
        }
    }
    keep_worst(&mut worst, climbs);
    let (mean, most) = (total / samples.div_ceil(2).max(1), worst[0].0);
    println!("# {samples} random positions with {pieces} pieces: {mean} look-ups on average");
    println!("# {most} at worst");
    for (most, position) in &mut worst {
        while let Some(better) = climb(&image, *position, *most) {
            (*most, *position) = better;
        }
    }
    keep_worst(&mut worst, climbs);
    for (lookups, position) in worst.iter().take(10) {
        println!("{lookups}\t{position}");
    }
}

fn lookups(image: &Image, position: &Position) -> u32 {
    image.value_within(position, u32::MAX).expect("the image knows the position").1
}

fn keep_worst(list: &mut Vec<(u32, Position)>, most: usize) {
    list.sort_by_key(|(lookups, position)| (u32::MAX - lookups, position.to_string()));
    list.dedup();
    list.truncate(most);
}

/// The neighbour that takes most look-ups, if that is more than `most`.
fn climb(image: &Image, from: Position, most: u32) -> Option<(u32, Position)> {
    let mut best = None;
    let mut bar = most;
    for position in neighbours(from) {
        let lookups = lookups(image, &position);
        if lookups > bar {
            (bar, best) = (lookups, Some((lookups, position)));
        }
    }
    best
}

/// The position as four sets: men and kings of Black, men and kings of White.
fn sets(position: &Position) -> [u32; 4] {
    let Position { black_men, black_kings, white_men, white_kings, .. } = *position;
    [black_men.0, black_kings.0, white_men.0, white_kings.0]
}

fn of_sets(sets: [u32; 4], side_to_move: Color) -> Option<Position> {
    let [black_men, black_kings, white_men, white_kings] = sets.map(Bitboard);
    let position = Position { black_men, black_kings, white_men, white_kings, side_to_move };
    let both = Color::BOTH.into_iter().all(|color| !position.side(color).is_empty());
    (both && position.is_legal()).then_some(position)
}

/// All positions in which one piece stands elsewhere or is of another kind, or the other side is
/// to move.
fn neighbours(from: Position) -> Vec<Position> {
    let mut all = Vec::new();
    let start = sets(&from);
    for turn in Color::BOTH {
        all.extend(of_sets(start, turn));
        for square in Bitboard(start.into_iter().fold(0, |all, set| all | set)).singles() {
            let left = start.map(|set| set & !square.0);
            for kind in 0..4 {
                for to in 0..32 {
                    let mut sets = left;
                    sets[kind] |= 1 << to;
                    let taken = left.into_iter().any(|set| set & 1 << to != 0);
                    all.extend((!taken).then(|| of_sets(sets, turn)).flatten());
                }
            }
        }
    }
    all
}

/// Numbers that look random and are the same each time (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(end)) >> 32) as u32
    }

    /// A legal position with so many pieces; with a capture to make, if asked for.
    fn position(&mut self, pieces: u32, capture: bool) -> Position {
        loop {
            let mut sets = [0; 4];
            while sets.iter().map(|set: &u32| set.count_ones()).sum::<u32>() < pieces {
                let square = 1 << self.below(32);
                if sets.iter().all(|set| set & square == 0) {
                    sets[self.below(4) as usize] |= square;
                }
            }
            let turn = if self.below(2) == 0 { Color::Black } else { Color::White };
            match of_sets(sets, turn) {
                Some(position) if !capture || position.has_capture(turn) => return position,
                _ => {}
            }
        }
    }
}
