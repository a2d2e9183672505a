//! Mistakes that tests make on purpose: each must be noticed.

/// A mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mutation {
    /// A king's forced loss asks for one move into the opponent's wins, not for all.
    OrForAnd,
    /// A fast man that stands at the edge of the board is held to have a step over it.
    NoManEdge,
    /// A turned view keeps its words as they were.
    MirroredView,
    /// A frontier loses its first word.
    DroppedWord,
    /// A row does not look whether a capture goes on.
    ShortCaptures,
    /// A win by a conversion is due two plies late.
    LateConversion,
    /// A position may be lost before its slowest conversion is.
    OpenAtOnce,
    /// A byte is held to be too small for more than 41 plies. That is slow but no mistake.
    SmallBytes,
}

#[cfg(test)]
std::thread_local! {
    static MADE: core::cell::Cell<Option<Mutation>> = const { core::cell::Cell::new(None) };
}

/// Whether this mistake is made, on this thread of a test.
#[cfg(test)]
pub(super) fn made(mutation: Mutation) -> bool {
    MADE.get() == Some(mutation)
}

/// Whether this mistake is made: never, outside tests.
#[cfg(not(test))]
#[inline(always)]
pub(super) const fn made(_mutation: Mutation) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crownhead_index::materials_to;

    use super::*;
    use crate::{Backend, Control, Cpu, Entry, Job, Metric, Plan, Reference, Summary};

    const ALL: [Mutation; 5] = [
        Mutation::OrForAnd,
        Mutation::NoManEdge,
        Mutation::MirroredView,
        Mutation::DroppedWord,
        Mutation::ShortCaptures,
    ];

    /// Wins, losses and draws by material, the side to move named first.
    type Counts = BTreeMap<String, [u64; 3]>;

    /// Two own solvers, Chinook's, Cake's and two other published tables agree on these.
    fn published() -> Counts {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/wld_2_4.tsv");
        let text = std::fs::read_to_string(path).unwrap();
        let rows = text.lines().filter(|line| !line.starts_with(['#', 'm'])).map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            (fields[0].to_owned(), [2, 3, 4].map(|i: usize| fields[i].parse().unwrap()))
        });
        rows.collect()
    }

    /// The counts to 4 pieces, built on one thread with a mistake or without.
    fn counts(mutation: Option<Mutation>) -> Counts {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            MADE.set(mutation);
            let cpu = Cpu::new(Metric::Wld);
            let mut counts = Counts::new();
            for material in materials_to(4) {
                cpu.build(Job::finish(material), &Control::default()).unwrap();
                let [black, white] = cpu.summary(material).unwrap().sides;
                let of = |side: crate::Counts| [side.wins, side.losses, side.draws];
                if !material.is_symmetric() {
                    counts.insert(material.mirror().to_string(), of(white));
                }
                counts.insert(material.to_string(), of(black));
            }
            counts
        })
    }

    #[test]
    fn counts_are_the_published_ones_and_every_mistake_is_noticed() {
        let published = published();
        assert_eq!(published.len(), 41);
        assert!(counts(None) == published, "without a mistake");
        for mutation in ALL {
            assert!(counts(Some(mutation)) != published, "{mutation:?} is not noticed");
        }
    }

    /// The material whose distances, and those of its parts, are compared.
    const DISTANCES: &str = "KMvKM";

    /// The distances of one backend, built on one thread with a mistake or without.
    fn distances(backend: &dyn Backend, mutation: Option<Mutation>) -> Vec<Entry> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let largest = DISTANCES.parse().unwrap();
        let mut all = Vec::new();
        pool.install(|| {
            MADE.set(mutation);
            for step in Plan::with_parts(&[largest]).steps() {
                let material = step.material;
                backend.build(Job::finish(material), &Control::default()).unwrap();
                for &side in Summary::sides_of(material) {
                    let mut keep = |some: &[Entry]| {
                        all.extend_from_slice(some);
                        Ok(())
                    };
                    backend.export(material, side, &mut keep).unwrap();
                }
            }
        });
        all
    }

    #[test]
    fn a_wrong_schedule_is_noticed() {
        let right = distances(&Reference::new(Metric::Dtw), None);
        let by_words = |mutation| distances(&Cpu::new(Metric::Dtw), mutation);
        assert!(by_words(None) == right, "without a mistake");
        for mutation in [Mutation::LateConversion, Mutation::OpenAtOnce] {
            assert!(by_words(Some(mutation)) != right, "{mutation:?} is not noticed");
        }
    }

    #[test]
    fn distances_that_a_byte_does_not_hold_are_kept_in_two() {
        let right = distances(&Cpu::new(Metric::Dtw), None);
        assert!(right.iter().any(|entry| entry.plies() > 41));
        let wide = distances(&Cpu::new(Metric::Dtw), Some(Mutation::SmallBytes));
        assert!(wide == right);
    }
}
