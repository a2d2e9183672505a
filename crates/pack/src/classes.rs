use crownhead_table::compact::ribbon::{BAND, CLASSES};

use crate::flat::Tally;
use crate::log::BIT;
use crate::tree::storage;

/// What a ribbon takes beyond its keys' share, in parts of a bit: entries in the table of shards,
/// slots that fill the last block, and slots that a band of few keys leaves empty.
fn overhead(class: usize, keys: u64) -> u64 {
    let empty = u64::from(BAND).saturating_sub(keys);
    (class as u64 * (24 + empty) + 64) * BIT
}

/// The fingerprint length for each leaf such that all leaves together take least. A length that
/// few leaves would use is given up, since each has a ribbon of its own.
pub(crate) fn choose_classes(leaves: &[Tally]) -> Vec<u32> {
    let mut allowed = vec![true; CLASSES];
    let (mut best, mut chosen) = assign(leaves, &allowed);
    loop {
        let mut better = None;
        for class in 1..CLASSES {
            if !allowed[class] {
                continue;
            }
            allowed[class] = false;
            let (cost, classes) = assign(leaves, &allowed);
            allowed[class] = true;
            if cost < best {
                best = cost;
                better = Some((class, classes));
            }
        }
        match better {
            Some((class, classes)) => {
                allowed[class] = false;
                chosen = classes;
            }
            None => return chosen,
        }
    }
}

/// The cost with these lengths, and the length for each leaf.
fn assign(leaves: &[Tally], allowed: &[bool]) -> (u64, Vec<u32>) {
    let mut keys = [0; CLASSES];
    let mut cost = 0;
    let classes = leaves
        .iter()
        .map(|leaf| {
            let exceptions = leaf.exceptions();
            if exceptions == 0 {
                return 0;
            }
            let lengths = (0..CLASSES as u32).filter(|class| allowed[*class as usize]);
            let price = |class: &u32| storage(leaf.n, exceptions, *class);
            let class = lengths.min_by_key(price).unwrap_or(0);
            cost += price(&class);
            if class > 0 {
                keys[class as usize] += exceptions;
            }
            class
        })
        .collect();
    for (class, keys) in keys.into_iter().enumerate() {
        if keys > 0 {
            cost += overhead(class, keys);
        }
    }
    (cost, classes)
}
