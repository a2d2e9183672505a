use crownhead_index::Material;
use crownhead_rules::Color;
use crownhead_table::compact::feature::feature_count;
use crownhead_table::compact::tree::{LEAF_BITS, feature_bits};
use crownhead_table::compact::{Forces, Predicate};

use crate::flat::{FlatTree, Tally};
use crate::log::{BIT, Logarithms};
use crate::rows::RowMaker;
use crate::section::{Positions, fulfils};
use crate::tree::{Growth, Rows, Tree};
use crate::{PackError, Source, Watch};

/// From so many stored positions on, the predicate is chosen by trees for a sample.
const CHOICE_SAMPLE: u64 = 1 << 18;
/// From so many stored positions on, trees are grown for a sample, which bounds the memory.
const GROWTH_SAMPLE: u64 = 4 << 20;
/// No path is longer.
const DEPTH: u32 = 24;

/// A trained tree with what it says of all positions.
pub(crate) struct Trained {
    pub(crate) forces: Forces,
    pub(crate) material: Material,
    pub(crate) side: Color,
    pub(crate) predicate: Predicate,
    pub(crate) tree: FlatTree,
}

/// The forces for a material with this side to move.
pub(crate) fn forces(material: Material, side: Color) -> Forces {
    let (own, enemy) = (material.side(side), material.side(side.other()));
    Forces {
        men: own.men.into(),
        kings: own.kings.into(),
        enemy_men: enemy.men.into(),
        enemy_kings: enemy.kings.into(),
    }
}

/// The sides to move of a material: one where colours are symmetric.
pub(crate) fn sides(material: Material) -> &'static [Color] {
    if material.is_symmetric() { &[Color::Black] } else { &Color::BOTH }
}

/// Trains the trees of one canonical material, one for each side to move, for the predicate that
/// makes them and their exceptions smaller. The watch hears of four passes.
pub(crate) fn train(
    source: &dyn Source,
    material: Material,
    logs: &Logarithms,
    watch: &Watch<'_>,
) -> Result<Vec<Trained>, PackError> {
    match material.pieces() {
        2..=4 => train_wide::<6>(source, material, logs, watch),
        5 => train_wide::<8>(source, material, logs, watch),
        6 => train_wide::<12>(source, material, logs, watch),
        _ => train_wide::<19>(source, material, logs, watch),
    }
}

/// Rows of stored positions by code: draws, wins, losses.
type Data<const W: usize> = [Vec<[u64; W]>; 3];

struct Sample<const W: usize> {
    rows: Data<W>,
    /// Stored positions for each row.
    scale: u64,
}

fn train_wide<const W: usize>(
    source: &dyn Source,
    material: Material,
    logs: &Logarithms,
    watch: &Watch<'_>,
) -> Result<Vec<Trained>, PackError> {
    let positions: Vec<_> =
        sides(material).iter().map(|side| Positions::new(source, material, *side)).collect();
    let samples: Vec<Sample<W>> =
        positions.iter().map(|p| sample(p, watch)).collect::<Result<_, _>>()?;
    watch.advance(material, 1);
    let cost = |predicate| {
        samples
            .iter()
            .map(|sample| grow(sample, CHOICE_SAMPLE, material, predicate, logs).1)
            .sum::<u64>()
    };
    let (lost, won) = rayon::join(|| cost(Predicate::Lost), || cost(Predicate::Won));
    let predicate = if won < lost { Predicate::Won } else { Predicate::Lost };
    let grown: Vec<_> = samples
        .into_iter()
        .map(|sample| (sample.scale, grow(&sample, u64::MAX, material, predicate, logs).0))
        .collect();
    watch.advance(material, 2);
    let mut trained = Vec::new();
    for (positions, (scale, tree)) in positions.iter().zip(grown) {
        let mut tree = FlatTree::new(&tree);
        if scale > 1 {
            tree.leaves = recount(positions, &tree, predicate, watch)?;
        }
        let forces = forces(material, positions.side);
        trained.push(Trained { forces, material, side: positions.side, predicate, tree });
    }
    watch.advance(material, 1);
    Ok(trained)
}

/// A number that looks random, for a sample of positions.
fn scatter(i: u64) -> u64 {
    let x = (i ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ (x >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32
}

fn sample<const W: usize>(
    positions: &Positions<'_>,
    watch: &Watch<'_>,
) -> Result<Sample<W>, PackError> {
    let forces = forces(positions.material, positions.side);
    let maker = RowMaker::new([forces.men, forces.kings, forces.enemy_men, forces.enemy_kings]);
    let all = positions.material.placements::<u64>().unwrap_or(u64::MAX);
    let scale = (all / 4).div_ceil(GROWTH_SAMPLE).max(1);
    let parts = positions.fold(watch, Data::<W>::default, |rows, position, at, code| {
        if scatter(at).is_multiple_of(scale) {
            rows[code as usize % 3].push(maker.row(position));
        }
    })?;
    let mut rows = Data::<W>::default();
    for part in parts {
        for (all, part) in rows.iter_mut().zip(part) {
            all.extend(part);
        }
    }
    Ok(Sample { rows, scale })
}

/// Grows and prunes a tree from at most about so many rows; returns it with its estimated cost.
fn grow<const W: usize>(
    sample: &Sample<W>,
    most: u64,
    material: Material,
    predicate: Predicate,
    logs: &Logarithms,
) -> (Tree, u64) {
    let all: u64 = sample.rows.iter().map(|rows| rows.len() as u64).sum();
    let step = all.div_ceil(most).max(1) as usize;
    let mut parts = [Vec::new(), Vec::new()];
    for (code, rows) in sample.rows.iter().enumerate() {
        parts[usize::from(fulfils(code as u16, predicate))].extend(rows.iter().step_by(step));
    }
    let [mut zeros, mut ones] = parts;
    let scale = sample.scale * step as u64;
    let split = u64::from(2 + feature_bits(material.pieces()) + LEAF_BITS) * BIT;
    // A sample overfits: its gains must be clearly above what chance gives the best feature.
    let least_gain = match scale {
        1 => 10 * BIT,
        _ => (9 + 2 * u64::from(scale.ilog2())) * BIT,
    };
    let growth =
        Growth { logs, least_gain, depth: DEPTH, features: feature_count(material.pieces()) };
    let mut tree = growth.grow(Rows { zeros: &mut zeros, ones: &mut ones }, 0);
    tree.scale(scale);
    let cost = tree.prune(split);
    (tree, cost)
}

/// Counts again, on all positions, what comes to each leaf.
fn recount(
    positions: &Positions<'_>,
    tree: &FlatTree,
    predicate: Predicate,
    watch: &Watch<'_>,
) -> Result<Vec<Tally>, PackError> {
    let new = || vec![Tally::default(); tree.leaves.len()];
    let parts = positions.fold(watch, new, |tallies, position, _, code| {
        let tally = &mut tallies[tree.leaf(position)];
        tally.n += 1;
        tally.ones += u64::from(fulfils(code, predicate));
    })?;
    let mut tallies = new();
    for part in parts {
        for (sum, part) in tallies.iter_mut().zip(part) {
            sum.n += part.n;
            sum.ones += part.ones;
        }
    }
    Ok(tallies)
}
