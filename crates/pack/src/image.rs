use crownhead_index::materials_to;
use crownhead_rules::Color;
use crownhead_table::Metric;
use crownhead_table::compact::hash::Key;
use crownhead_table::compact::ribbon::{CLASSES, fingerprint};
use crownhead_table::compact::tree::{LEAF_BITS, LENGTH_BITS, Leaf, feature_bits};
use crownhead_table::compact::{Forces, HEADER_BYTES, ImageHeader, Section};

use crate::bits::BitWriter;
use crate::classes::choose_classes;
use crate::distance::IN_PLACE_PIECES;
use crate::flat::{FlatTree, Node, Tally};
use crate::log::Logarithms;
use crate::ribbon::{BuiltRibbon, Item};
use crate::section::{Positions, fulfils};
use crate::train::{Trained, train};
use crate::{PackError, Source, Watch};

/// Trained trees with the ribbons of all of them, ready to be written.
pub(crate) struct Model {
    trained: Vec<Trained>,
    /// For each tree its leaves' classes.
    classes: Vec<Vec<u32>>,
    ribbons: Vec<BuiltRibbon>,
}

impl Model {
    pub(crate) fn build(
        source: &dyn Source,
        pieces: u32,
        watch: &Watch<'_>,
    ) -> Result<Self, PackError> {
        let logs = Logarithms::new();
        let mut trained = Vec::new();
        for material in materials_to(pieces) {
            trained.extend(train(source, material, &logs, watch)?);
        }
        trained.sort_by_key(|tree| tree.forces.number());
        let leaves: Vec<Tally> =
            trained.iter().flat_map(|tree| tree.tree.leaves.iter().copied()).collect();
        let mut chosen = choose_classes(&leaves).into_iter();
        let classes = trained
            .iter()
            .map(|tree| chosen.by_ref().take(tree.tree.leaves.len()).collect())
            .collect();
        let mut model = Self { trained, classes, ribbons: Vec::new() };
        model.build_ribbons(source, watch)?;
        Ok(model)
    }

    /// First the ribbons of fingerprints, then the ribbon of answers, which must know every key
    /// that the others let pass.
    fn build_ribbons(&mut self, source: &dyn Source, watch: &Watch<'_>) -> Result<(), PackError> {
        self.ribbons = vec_of_ribbons();
        let exceptions = self.collect(source, watch, |_, class, key, exception| {
            (class > 0 && exception).then(|| Item { key, value: fingerprint(key, class) })
        })?;
        for (class, items) in exceptions.iter().enumerate().skip(1) {
            self.ribbons[class] = BuiltRibbon::new(class as u32, class as u32, items, watch)?;
        }
        drop(exceptions);
        let answers = self.collect(source, watch, |model, class, key, exception| {
            let passes = class == 0 || model.ribbons[class as usize].lists(key);
            passes.then(|| Item { key, value: exception.into() })
        })?;
        self.ribbons[0] = BuiltRibbon::new(0, 1, &answers.concat(), watch)?;
        Ok(())
    }

    /// Items for all positions in mixed leaves, by the leaves' classes.
    fn collect(
        &self,
        source: &dyn Source,
        watch: &Watch<'_>,
        item: impl Fn(&Self, u32, Key, bool) -> Option<Item> + Sync,
    ) -> Result<Vec<Vec<Item>>, PackError> {
        let mut items = vec![Vec::new(); CLASSES];
        for (trained, classes) in self.trained.iter().zip(&self.classes) {
            let Trained { material, side, predicate, tree, .. } = trained;
            if tree.leaves.iter().any(|leaf| leaf.exceptions() > 0) {
                let new = || vec![Vec::new(); CLASSES];
                let positions = Positions::new(source, *material, *side);
                let parts = positions.fold(watch, new, |items, position, _, code| {
                    let leaf = tree.leaf(position);
                    let tally = tree.leaves[leaf];
                    if tally.exceptions() > 0 {
                        let exception = fulfils(code, *predicate) != tally.usual();
                        let class = classes[leaf];
                        let key = Key::of(position);
                        items[class as usize].extend(item(self, class, key, exception));
                    }
                })?;
                for part in parts {
                    for (all, part) in items.iter_mut().zip(part) {
                        all.extend(part);
                    }
                }
            }
            // Once a material: its other side has other forces.
            if *side == Color::Black {
                watch.advance(*material, 1);
            }
        }
        Ok(items)
    }

    /// The directory and the trees.
    fn trees(&self) -> Result<Vec<u8>, PackError> {
        let mut directory = Vec::new();
        let mut bits = BitWriter::default();
        let start = 32 * self.trained.len() as u32;
        for (trained, classes) in self.trained.iter().zip(&self.classes) {
            let at = start.checked_add(bits.len()).filter(|at| at >> 31 == 0);
            let at = at.ok_or(PackError::TooLarge)?;
            directory.extend((at | (trained.predicate as u32) << 31).to_le_bytes());
            write_tree(&mut bits, &trained.tree, classes, &trained.forces)?;
        }
        directory.extend(bits.into_bytes());
        // The reader reads whole words, up to three bytes behind the last bit.
        directory.extend([0; 4]);
        Ok(directory)
    }

    fn ribbon_section(&self) -> Result<Vec<u8>, PackError> {
        let mut bytes = Vec::new();
        for ribbon in &self.ribbons {
            bytes.extend(ribbon.shard_count().to_le_bytes());
        }
        for ribbon in &self.ribbons {
            bytes.extend(ribbon.table()?);
        }
        for ribbon in &self.ribbons {
            bytes.extend(ribbon.blocks());
        }
        Ok(bytes)
    }
}

fn vec_of_ribbons() -> Vec<BuiltRibbon> {
    (0..CLASSES).map(|_| BuiltRibbon::default()).collect()
}

fn write_tree(
    bits: &mut BitWriter,
    tree: &FlatTree,
    classes: &[u32],
    forces: &Forces,
) -> Result<(), PackError> {
    let splits = tree.splits().count() as u32;
    let length = 32 - splits.leading_zeros();
    if length >= 1 << LENGTH_BITS {
        return Err(PackError::TooLarge);
    }
    bits.push(length, LENGTH_BITS);
    bits.push(splits, length);
    for node in &tree.nodes {
        bits.push(matches!(node, Node::Split { .. }).into(), 1);
    }
    for feature in tree.splits() {
        bits.push(feature, feature_bits(forces.pieces()));
    }
    for (tally, &class) in tree.leaves.iter().zip(classes) {
        let usual = tally.usual();
        let mixed = tally.exceptions() > 0;
        let leaf = if mixed { Leaf::Mixed { usual, class } } else { Leaf::Pure(usual) };
        bits.push(leaf.code(), LEAF_BITS);
    }
    Ok(())
}

/// What an image says of values: counts of draws, wins and losses, trees and ribbons.
pub(crate) struct Values {
    counts: [u64; 3],
    sections: [Vec<u8>; 2],
}

impl Values {
    pub(crate) fn new(
        source: &dyn Source,
        pieces: u32,
        watch: &Watch<'_>,
    ) -> Result<Self, PackError> {
        let counts = crate::counts(source, pieces, watch)?;
        let model = Model::build(source, pieces, watch)?;
        Ok(Self { counts, sections: [model.trees()?, model.ribbon_section()?] })
    }
}

/// Puts header and sections together.
pub(crate) fn assemble(
    metric: Metric,
    pieces: u32,
    values: Values,
    distances: [Vec<u8>; 2],
) -> Result<Vec<u8>, PackError> {
    let [draws, wins, losses] = values.counts;
    let has_distances = metric == Metric::Dtw;
    let mut header = ImageHeader {
        metric,
        pieces: pieces as u8,
        distance_pieces: if has_distances { pieces.min(IN_PLACE_PIECES) as u8 } else { 0 },
        wins,
        draws,
        losses,
        sections: Default::default(),
    };
    let parts = [values.sections, distances].concat();
    let mut offset = HEADER_BYTES as u64;
    for (part, section) in parts.iter().zip(&mut header.sections) {
        let end = offset + part.len() as u64;
        let (Ok(at), Ok(_)) = (u32::try_from(offset), u32::try_from(end)) else {
            return Err(PackError::TooLarge);
        };
        if !part.is_empty() {
            *section = Section { offset: at, bytes: part.len() as u32, crc: crc32fast::hash(part) };
        }
        offset = end;
    }
    let mut image = header.to_bytes().to_vec();
    image.extend(parts.concat());
    Ok(image)
}
