//! Counts of positions against published ones, and materials against what moves lead to.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crownhead_index::{
    Count, Material, PerfectIndex, Sides, materials, materials_to, position_count,
};
use crownhead_rules::Color;

/// The rows of position_counts.tsv: pieces, all placements, those with both sides there.
fn published() -> Vec<[u64; 3]> {
    include_str!("data/position_counts.tsv")
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .map(|line| {
            let row: Vec<u64> = line.split('\t').map(|field| field.parse().unwrap()).collect();
            row.try_into().unwrap()
        })
        .collect()
}

fn counts_agree<N: Count + TryFrom<u64>>() -> usize {
    let mut compared = 0;
    for [pieces, all, both] in published() {
        let mut compare = |count: Option<N>, expected: u64| match N::try_from(expected) {
            Ok(expected) => {
                assert_eq!(count, Some(expected), "{pieces} pieces");
                compared += 1;
            }
            Err(_) => assert_eq!(count, None, "{pieces} pieces: too many to fit"),
        };
        compare(position_count(pieces as u32, Sides::MayBeEmpty), all);
        compare(position_count(pieces as u32, Sides::BothThere), both);
    }
    compared
}

#[test]
fn counts_that_fit_32_bits_are_the_published_ones() {
    assert_eq!(counts_agree::<u32>(), 12);
}

#[cfg(feature = "wide")]
#[test]
fn counts_to_12_pieces_are_the_published_ones() {
    assert_eq!(counts_agree::<u64>(), 24);
    assert_eq!(counts_agree::<u128>(), 24);
}

#[cfg(feature = "wide")]
#[test]
fn there_are_5e20_positions_to_24_pieces() {
    let total: u128 = (1..=24).map(|n| position_count::<u128>(n, Sides::MayBeEmpty).unwrap()).sum();
    assert_eq!(total, 500_995_484_682_338_672_639);
    assert_eq!(position_count::<u64>(24, Sides::MayBeEmpty), None, "more than 64 bits");
    assert_eq!(position_count::<u128>(25, Sides::MayBeEmpty), Some(0));
}

#[test]
fn materials_make_up_the_counts_with_both_sides_there() {
    for [pieces, _, both] in published().into_iter().take(5) {
        let positions = |m: Material| u64::from(m.positions::<u32>().unwrap());
        assert_eq!(materials(pieces as u32).map(positions).sum::<u64>(), both);
    }
    let total: u32 = materials_to(4).map(|m| m.positions::<u32>().unwrap()).sum();
    assert_eq!(total, 6_408_836);
}

#[test]
fn each_material_or_its_mirror_is_listed_once() {
    let mut seen = BTreeSet::new();
    for material in materials_to(24) {
        assert!(material.is_canonical() && material.is_possible());
        assert!(
            seen.insert(material)
                && (material.is_symmetric() || !seen.contains(&material.mirror()))
        );
    }
    // Of 90 sides with 1 to 12 pieces: every pair, in one of its two orders.
    assert_eq!(seen.len(), 90 * 91 / 2);
    assert_eq!(materials(1).count(), 0);
    assert_eq!(materials(25).count(), 0);
}

#[test]
fn parts_come_before_the_whole() {
    let order: Vec<Material> = materials_to(8).collect();
    for (at, material) in order.iter().enumerate() {
        for part in material.parts() {
            assert!(order[..at].contains(&part), "{part} comes after {material}");
        }
    }
}

/// The materials that single captures and promotions of these positions lead to.
fn reached(material: Material, step: usize) -> BTreeSet<Material> {
    let index: PerfectIndex = PerfectIndex::new(material).unwrap();
    let mut found = BTreeSet::new();
    for rank in (0..index.len()).step_by(step) {
        for color in Color::BOTH {
            let position = index.unrank(rank, color).unwrap();
            let _: ControlFlow<()> = position.visit_moves(|m| {
                let after = Material::of(&position.after(&m));
                if after != material && after.black.pieces() > 0 && after.white.pieces() > 0 {
                    found.insert(after.canonical());
                }
                ControlFlow::Continue(())
            });
        }
    }
    found
}

#[test]
fn parts_are_what_moves_lead_to() {
    for material in materials_to(4) {
        let parts: BTreeSet<Material> = material.parts().collect();
        assert_eq!(parts, reached(material, 1), "{material}");
    }
}

#[test]
fn samples_of_larger_materials_lead_to_parts_only() {
    for material in materials(5).chain(materials(6)) {
        let step = material.placements::<u32>().unwrap() as usize / 3_000 + 1;
        let parts: BTreeSet<Material> = material.parts().collect();
        let strangers: Vec<_> = reached(material, step).difference(&parts).copied().collect();
        assert!(strangers.is_empty(), "{material} leads to {strangers:?}");
    }
}

#[test]
fn three_men_at_once_can_be_taken_and_the_taker_crowned() {
    let parts: BTreeMap<_, _> = ["MvMMMM", "KvMMMM"]
        .map(|text| {
            let material: Material = text.parse().unwrap();
            (text, material.parts().map(|m| m.to_string()).collect::<Vec<_>>())
        })
        .into();
    // Black takes three of four and is crowned; a man cannot take more.
    assert!(parts["MvMMMM"].contains(&"KvM".to_owned()));
    assert!(parts["KvMMMM"].contains(&"KvM".to_owned()));
    assert!(!Material::new(1, 0, 5, 0).has_part(&"KvM".parse().unwrap()));
    assert!(Material::new(0, 1, 5, 0).has_part(&"KvM".parse().unwrap()));
}
