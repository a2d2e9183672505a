//! The verifier finds every planted fault, and none where there is none.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crownhead_index::{Material, materials_to};
use crownhead_rules::{Color, Outcome, Position, Value};
use crownhead_solver::{Cpu, Metric, Options, Pipeline, Plan, RULE40_MATTERS};
use crownhead_table::{Check, HeaderError, PlainWriter, TableErrorKind, Tables, table_path};
use crownhead_verify::{
    Fault, Listed, Share, verify_checksums, verify_rule40, verify_share, verify_table,
};

const METRICS: [Metric; 3] = Metric::ALL;

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

fn tables(directory: &Path, metric: Metric) -> Tables {
    Tables::open(directory, metric, Check::Everything)
}

/// Right tables to 3 pieces.
fn build(metric: Metric) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { directory: Some(directory.path()), write: true, ..Options::default() };
    let (plan, stop) = (Plan::to_pieces(3), AtomicBool::new(false));
    let backend = Cpu::new(metric);
    Pipeline { backend: &backend, plan: &plan, options, stop: &stop, observer: &|_| {} }
        .run()
        .unwrap();
    directory
}

/// Writes a table again, with right checksums and counts, after changing what it says.
fn plant(
    directory: &Path,
    metric: Metric,
    material: Material,
    change: impl Fn(Color, u64, Outcome) -> Outcome,
) {
    let table = *tables(directory, metric).table(material).unwrap().header();
    let old = tables(directory, metric);
    let old = old.table(material).unwrap();
    let mut writer = PlainWriter::create(directory, material, table.encoding).unwrap();
    for &side in table.stored_sides() {
        let outcomes = (0..table.positions)
            .map(|rank| change(side, rank, old.outcome_at(side, rank).unwrap()));
        writer.write_outcomes(outcomes).unwrap();
    }
    writer.finish().unwrap();
}

/// What the verifier says of this material in the directory.
fn fault(directory: &Path, metric: Metric, name: &str) -> Fault {
    let found = verify_table(&tables(directory, metric), material(name), &|_| {});
    found.expect_err("the planted fault is found")
}

#[test]
fn right_tables_pass() {
    for metric in METRICS {
        let directory = build(metric);
        let tables = tables(directory.path(), metric);
        let listed = Listed::read(directory.path()).unwrap().unwrap();
        assert!(listed.absent(directory.path()).is_empty());
        for material in materials_to(3) {
            let positions = material.positions::<u64>().unwrap();
            assert_eq!(verify_table(&tables, material, &|_| {}).unwrap(), positions);
            assert_eq!(verify_checksums(&tables, material).unwrap(), positions);
            listed.compare(tables.table(material).unwrap().header()).unwrap();
        }
    }
}

#[test]
fn one_wrong_value_is_found_and_named() {
    for metric in METRICS {
        let directory = build(metric);
        let is_it = |side, rank| side == Color::White && rank == 777;
        plant(directory.path(), metric, material("KMvK"), |side, rank, right| {
            if !is_it(side, rank) {
                return right;
            }
            let wrong = if right.value == Value::Draw { Value::Loss } else { Value::Draw };
            let plies = (metric.has_plies() && wrong == Value::Loss).then_some(2);
            Outcome { value: wrong, plies }
        });
        let position: Position = tables(directory.path(), metric)
            .table(material("KMvK"))
            .unwrap()
            .index()
            .unrank(777, Color::White)
            .unwrap();
        // The first fault found is the position itself, or one that a move leads from to it.
        match fault(directory.path(), metric, "KMvK") {
            Fault::Wrong { position: found, stored, expected } => {
                assert_ne!(stored, expected);
                let leads_there = found.moves().unwrap().iter().any(|m| found.after(m) == position);
                assert!(found == position || leads_there, "{found}");
            }
            other => panic!("{metric}: {other}"),
        }
    }
}

#[test]
fn one_wrong_distance_is_found() {
    for metric in [Metric::Dtc, Metric::Dtw] {
        let directory = build(metric);
        let plies_at = |rank| {
            let tables = tables(directory.path(), metric);
            tables.table(material("KvM")).unwrap().outcome_at(Color::Black, rank).unwrap().plies
        };
        let planted = (0..868).find(|&rank| plies_at(rank).is_some()).unwrap();
        // Two plies more keep the value and its parity.
        plant(directory.path(), metric, material("KvM"), |side, rank, right| {
            let longer = side == Color::Black && rank == planted;
            Outcome { plies: right.plies.map(|plies| plies + 2 * u16::from(longer)), ..right }
        });
        let found = fault(directory.path(), metric, "KvM");
        assert!(matches!(found, Fault::Wrong { .. }), "{metric}: {found}");
    }
}

#[test]
fn swapped_sections_are_found() {
    for metric in METRICS {
        let directory = build(metric);
        let path = table_path(directory.path(), material("KvM"), metric);
        let copy = tempfile::tempdir().unwrap();
        std::fs::copy(&path, table_path(copy.path(), material("KvM"), metric)).unwrap();
        let old = tables(copy.path(), metric);
        let old = old.table(material("KvM")).unwrap();
        plant(directory.path(), metric, material("KvM"), |side, rank, _| {
            old.outcome_at(side.other(), rank).unwrap()
        });
        let found = fault(directory.path(), metric, "KvM");
        assert!(matches!(found, Fault::Wrong { .. }), "{metric}: {found}");
    }
}

#[test]
fn a_changed_byte_is_found_without_looking_at_values() {
    let directory = build(Metric::Wld);
    let path = table_path(directory.path(), material("KKvK"), Metric::Wld);
    let right = std::fs::read(&path).unwrap();
    for at in [8, 40, 255, 256, right.len() - 1] {
        let mut bytes = right.clone();
        bytes[at] ^= 4;
        std::fs::write(&path, &bytes).unwrap();
        let found = verify_checksums(&tables(directory.path(), Metric::Wld), material("KKvK"));
        assert!(matches!(found, Err(Fault::Table(_))), "byte {at}: {found:?}");
    }
}

#[test]
fn another_materials_file_under_this_name_is_found() {
    let directory = build(Metric::Wld);
    let path = |name| table_path(directory.path(), material(name), Metric::Wld);
    std::fs::copy(path("KKvK"), path("KMvK")).unwrap();
    assert!(matches!(fault(directory.path(), Metric::Wld, "KMvK"), Fault::Table(_)));
}

#[test]
fn a_file_of_an_older_version_is_found() {
    let directory = build(Metric::Wld);
    let path = table_path(directory.path(), material("KMvK"), Metric::Wld);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[8] = 0;
    let crc = crc32fast::hash(&bytes[..252]);
    bytes[252..256].copy_from_slice(&crc.to_le_bytes());
    std::fs::write(&path, bytes).unwrap();
    let found = fault(directory.path(), Metric::Wld, "KMvK");
    let older =
        |kind: &TableErrorKind| matches!(kind, TableErrorKind::Header(HeaderError::Older(0)));
    assert!(matches!(&found, Fault::Table(error) if older(&error.kind)), "{found}");
    assert!(found.to_string().contains("build it again"), "{found}");
}

/// Counts that are not those of the values, under right checksums.
#[test]
fn wrong_counts_in_the_header_are_found() {
    for metric in METRICS {
        let directory = build(metric);
        let path = table_path(directory.path(), material("KvM"), metric);
        let mut bytes = std::fs::read(&path).unwrap();
        // One win more and one draw less, of Black to move.
        for (at, by) in [(56, 1), (72, -1)] {
            let number = i64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) + by;
            bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
        }
        let crc = crc32fast::hash(&bytes[..252]);
        bytes[252..256].copy_from_slice(&crc.to_le_bytes());
        std::fs::write(&path, bytes).unwrap();
        let found = fault(directory.path(), metric, "KvM");
        assert!(matches!(found, Fault::Counts(Color::Black)), "{metric}: {found}");
    }
}

#[test]
fn a_share_compares_that_many_and_counts_all() {
    let directory = build(Metric::Dtc);
    let tables = tables(directory.path(), Metric::Dtc);
    let all = material("KMvK").positions::<u64>().unwrap();
    let (told, share) = (AtomicU64::new(0), Share::new(0.25, 7));
    let advance = |positions| {
        told.fetch_add(positions, Ordering::Relaxed);
    };
    let compared = verify_share(&tables, material("KMvK"), share, &advance).unwrap();
    assert!((all / 5..all / 3).contains(&compared), "{compared} of {all}");
    assert_eq!(told.into_inner(), all);
}

/// The list of the materials in which the 40-move rule matters, right and wrong.
#[test]
fn what_is_said_of_the_40_move_rule_is_checked() {
    let directory = build(Metric::Dtc);
    let right = |m: Material| RULE40_MATTERS.contains(&m.to_string().as_str());
    for material in materials_to(3) {
        let tables = tables(directory.path(), Metric::Dtc);
        verify_rule40(&tables, material, &right).unwrap();
    }
    let wrong = |m: Material| m == material("KKvK");
    let check =
        |name| verify_rule40(&tables(directory.path(), Metric::Dtc), material(name), &wrong);
    assert!(matches!(check("KKvK"), Err(Fault::Rule40 { said: true })));
    assert!(check("KMvK").is_ok(), "a conversion leads to a material of the list");
    // Distances of 90 plies, longer than the rule allows.
    plant(directory.path(), Metric::Dtc, material("KvM"), |_, _, right| Outcome {
        plies: right.plies.map(|_| 90),
        ..right
    });
    assert!(matches!(check("KvM"), Err(Fault::Rule40 { said: false })));
}

#[test]
fn a_missing_part_is_named() {
    let directory = build(Metric::Wld);
    std::fs::remove_file(table_path(directory.path(), material("KvK"), Metric::Wld)).unwrap();
    match fault(directory.path(), Metric::Wld, "KKvK") {
        Fault::PartMissing(part) => assert_eq!(part, material("KvK")),
        other => panic!("{other}"),
    }
    let listed = Listed::read(directory.path()).unwrap().unwrap();
    assert_eq!(listed.absent(directory.path()), ["KvK.wld"]);
}

#[test]
fn a_manifest_that_disagrees_is_found() {
    let directory = build(Metric::Dtw);
    let path = directory.path().join("manifest.tsv");
    let text = std::fs::read_to_string(&path).unwrap();
    // One digit of a count and of a checksum.
    for (right, wrong) in [("\t230\t", "\t231\t"), ("\tblack\t", "\twhite\t")] {
        assert!(text.contains(right), "{text}");
        std::fs::write(&path, text.replacen(right, wrong, 1)).unwrap();
        let listed = Listed::read(directory.path()).unwrap().unwrap();
        let tables = tables(directory.path(), Metric::Dtw);
        let disagree = materials_to(3)
            .filter(|&m| listed.compare(tables.table(m).unwrap().header()).is_err())
            .count();
        assert_eq!(disagree, 1, "{wrong}");
    }
}
