//! Every vector path computes what the reference does; in Miri too (`cargo xtask sanitize`), which
//! checks the calls of functions that are compiled for more instructions.

use crownhead_index::{Material, materials_to};
use crownhead_solver::{Backend, Control, Cpu, Entry, Job, Metric, Reference, Summary, VectorPath};

/// To 3 pieces; Miri takes minutes for what takes a second elsewhere.
fn materials() -> impl Iterator<Item = Material> {
    materials_to(if cfg!(miri) { 2 } else { 3 })
}

/// Every value and distance, in the order of tables.
fn entries(backend: &dyn Backend) -> Vec<Entry> {
    let mut all = Vec::new();
    for material in materials() {
        backend.build(Job::finish(material), &Control::default()).unwrap();
        for &side in Summary::sides_of(material) {
            let mut keep = |some: &[Entry]| {
                all.extend_from_slice(some);
                Ok(())
            };
            backend.export(material, side, &mut keep).unwrap();
        }
    }
    all
}

#[test]
fn every_path_equals_the_reference() {
    let here: Vec<_> = VectorPath::ALL.into_iter().filter(|path| path.is_available()).collect();
    // Miri has what it is told to have.
    assert!(!cfg!(target_feature = "avx512f") || here == VectorPath::ALL, "{here:?}");
    for metric in [Metric::Wld, Metric::Dtc, Metric::Dtw] {
        let right = entries(&Reference::new(metric));
        for &path in &here {
            eprintln!("{metric}, {}", path.name());
            assert!(
                entries(&Cpu::new(metric).with_path(path)) == right,
                "{metric}, {}",
                path.name()
            );
        }
    }
}
