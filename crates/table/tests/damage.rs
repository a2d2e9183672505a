//! Wrong bytes, wrong names and wrong use are told apart, named, and never panic.
#![cfg(feature = "std")]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crownhead_index::Material;
use crownhead_rules::{Bitboard, Color, Outcome, Position, Prober, Value};
use crownhead_table::{
    Check, Encoding, HeaderError, Metric, OpenError, PlainTable, PlainWriter, ProbeError,
    TableErrorKind, Tables, TablesError, VerifyError, WriteError, WriteErrorKind, open_table,
    table_path,
};
use proptest::prelude::*;

const HEADER_BYTES: usize = 256;
const DRAW: Outcome = Outcome { value: Value::Draw, plies: None };

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

fn encoding(metric: Metric, bits: u8) -> Encoding {
    Encoding::new(metric, bits).unwrap()
}

/// A small table, KvK: 992 positions, one side to move.
fn write(directory: &Path, metric: Metric, bits: u8, longest: u16) -> Vec<u8> {
    let mut writer =
        PlainWriter::create(directory, material("KvK"), encoding(metric, bits)).unwrap();
    let values = [Value::Win, Value::Loss, Value::Draw];
    let outcomes = (0..992u16).map(|rank| {
        let value = values[usize::from(rank) % 3];
        let plies = match value {
            Value::Draw => None,
            _ if !metric.has_plies() => None,
            Value::Win => Some(longest | 1),
            Value::Loss => Some(longest & !1),
        };
        Outcome { value, plies }
    });
    writer.write_outcomes(outcomes).unwrap();
    writer.finish().unwrap();
    fs::read(table_path(directory, material("KvK"), metric)).unwrap()
}

/// The header's checksum, set right after a change.
fn with_right_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let crc = crc32fast::hash(&bytes[..HEADER_BYTES - 4]);
    bytes[HEADER_BYTES - 4..HEADER_BYTES].copy_from_slice(&crc.to_le_bytes());
    bytes
}

fn header_error(bytes: &[u8]) -> HeaderError {
    match PlainTable::open(bytes) {
        Err(OpenError::Header(error)) => error,
        other => panic!("expected a wrong header, got {:?}", other.map(|table| *table.header())),
    }
}

#[test]
fn each_wrong_field_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let bytes = write(directory.path(), Metric::Dtw, 8, 40);
    let changed = |at: usize, to: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = to;
        header_error(&with_right_checksum(bytes))
    };
    assert_eq!(changed(0, b'c'), HeaderError::Magic);
    assert_eq!(changed(8, 0), HeaderError::Older(0));
    assert_eq!(changed(8, 2), HeaderError::Newer(2));
    assert_eq!(changed(10, 1), HeaderError::Reserved);
    assert_eq!(changed(12, 3), HeaderError::Metric(3));
    assert_eq!(changed(13, 2), HeaderError::Bits(2));
    assert_eq!(changed(14, 2), HeaderError::Reserved);
    assert_eq!(changed(15, 1), HeaderError::Reserved);
    assert_eq!(changed(16, 200), HeaderError::Material(Material::new(200, 1, 0, 1)));
    assert_eq!(changed(17, 0), HeaderError::Material(Material::new(0, 0, 0, 1)));
    assert_eq!(changed(19, 2), HeaderError::Material(Material::new(0, 1, 0, 2)));
    assert_eq!(changed(20, 1), HeaderError::Reserved);
    assert_eq!(changed(24, 0), HeaderError::Positions(768));
    assert_eq!(changed(32, 1), HeaderError::Layout(Color::Black));
    assert_eq!(changed(56, 0), HeaderError::Counts(Color::Black));
    assert_eq!(changed(130, 1), HeaderError::Reserved);
    assert_eq!(changed(230, 1), HeaderError::Reserved);
    let mut unsealed = bytes.clone();
    unsealed[60] ^= 1;
    assert_eq!(header_error(&unsealed), HeaderError::Checksum);
    assert_eq!(header_error(&bytes[..100]), HeaderError::TooShort(100));
    let (found, expected) = (HEADER_BYTES as u64 + 991, HEADER_BYTES as u64 + 992);
    assert_eq!(header_error(&bytes[..1247]), HeaderError::Size { expected, found });
    for error in [HeaderError::Older(0), HeaderError::Size { expected, found }] {
        assert!(error.to_string().len() > 20, "{error}");
    }
}

#[test]
fn a_number_without_meaning_is_no_value() {
    let directory = tempfile::tempdir().unwrap();
    let mut bytes = write(directory.path(), Metric::Wld, 2, 0);
    bytes[HEADER_BYTES + 1] |= 0b1100;
    let table = PlainTable::open(&bytes[..]).unwrap();
    assert_eq!(
        table.outcome_at(Color::Black, 5),
        Err(ProbeError::Damaged { side: Color::Black, rank: 5 })
    );
    assert_eq!(table.verify(), Err(VerifyError::Checksum(Color::Black)));
    let none = |side, rank| Err(ProbeError::Rank { side, rank });
    assert_eq!(table.outcome_at(Color::Black, 992), none(Color::Black, 992));
    assert_eq!(table.outcome_at(Color::White, 0), none(Color::White, 0));
}

#[test]
fn wrong_files_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let open = |name: &str, metric| {
        let error = open_table(directory.path(), material(name), metric, Check::Everything);
        let error = error.unwrap_err();
        let file = format!("{}.{metric}", material(name).canonical());
        assert!(error.to_string().contains(&file), "{error}");
        error.kind
    };
    let bytes = write(directory.path(), Metric::Wld, 2, 0);
    let put = |name: &str, bytes: &[u8]| fs::write(directory.path().join(name), bytes).unwrap();
    put("KKvK.wld", &bytes);
    put("KvK.dtc", &bytes);
    put("KvK.dtw", &[]);
    put("KvM.wld", b"not a table, but longer than a header".repeat(9).as_slice());
    let mut damaged = bytes.clone();
    damaged[300] ^= 4;
    put("KvK.wld", &damaged);
    assert!(matches!(open("MMvM", Metric::Wld), TableErrorKind::Missing));
    assert!(
        matches!(open("KKvK", Metric::Wld), TableErrorKind::Material(m) if m == material("KvK"))
    );
    assert!(matches!(open("KvK", Metric::Dtc), TableErrorKind::Metric(Metric::Wld)));
    assert!(matches!(open("KvK", Metric::Dtw), TableErrorKind::Header(HeaderError::TooShort(0))));
    assert!(matches!(open("MvK", Metric::Wld), TableErrorKind::Header(HeaderError::Magic)));
    assert!(matches!(open("KvK", Metric::Wld), TableErrorKind::Verify(_)));
    assert!(open_table(directory.path(), material("KvK"), Metric::Wld, Check::Header).is_ok());
}

#[test]
fn positions_without_a_table() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), Metric::Dtw, 8, 40);
    let tables = Tables::open(directory.path(), Metric::Dtw, Check::Everything);
    assert_eq!(tables.max_pieces(), 1, "KvM is missing");
    assert_eq!(tables.materials(4).collect::<Vec<_>>(), [material("KvK")]);
    let probe = |white_kings: u32, black_kings: u32, side_to_move| {
        tables.probe(&Position {
            white_kings: Bitboard(white_kings),
            black_kings: Bitboard(black_kings),
            ..Position::empty(side_to_move)
        })
    };
    let over = |value, plies| Outcome { value, plies: Some(plies) };
    assert_eq!(probe(0, 1, Color::White).unwrap(), over(Value::Loss, 0));
    assert_eq!(probe(0, 1, Color::Black).unwrap(), over(Value::Win, 1));
    assert_eq!(probe(0, 0, Color::Black).unwrap(), over(Value::Loss, 0));
    // Twelve pieces in each other's way: four men behind eight kings, and no enemy.
    let mut stuck = Position::empty(Color::Black);
    (stuck.black_men, stuck.black_kings) = (Bitboard::row(5), Bitboard(0xff00_0000));
    assert_eq!(tables.probe(&stuck).unwrap(), over(Value::Loss, 0));
    assert!(matches!(probe(1, 1, Color::Black), Err(TablesError::Illegal)));
    let missing = probe(3, 12, Color::Black).unwrap_err().to_string();
    assert!(missing.contains("KKvKK.dtw") && missing.contains("no such table"), "{missing}");
    let crowded = probe(0x1fff, 0x8000_0000, Color::Black).unwrap_err();
    assert!(matches!(crowded, TablesError::Table(_)), "13 pieces on a side");
}

fn kind(result: Result<impl core::fmt::Debug, WriteError>) -> WriteErrorKind {
    let error = result.unwrap_err();
    assert!(error.to_string().contains("KvK."), "{error}");
    error.kind
}

#[test]
fn the_writer_refuses_what_would_be_a_wrong_table() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let create = |metric, bits| PlainWriter::create(path, material("KvK"), encoding(metric, bits));

    let mut short = create(Metric::Wld, 2).unwrap();
    short.write(&[0; 247]).unwrap();
    assert!(matches!(
        kind(short.finish()),
        WriteErrorKind::Length { expected: 248, found: 247, .. }
    ));

    let mut long = create(Metric::Wld, 2).unwrap();
    assert!(matches!(kind(long.write(&[0; 249])), WriteErrorKind::Length { found: 249, .. }));

    let mut meaningless = create(Metric::Wld, 2).unwrap();
    assert!(matches!(kind(meaningless.write(&[3; 248])), WriteErrorKind::Code(Color::Black)));

    let mut wide = create(Metric::Dtw, 16).unwrap();
    wide.write_outcomes((0..992).map(|_| DRAW)).unwrap();
    assert!(matches!(kind(wide.finish()), WriteErrorKind::TooWide));

    let mut narrow = create(Metric::Dtw, 8).unwrap();
    let far = Outcome { value: Value::Win, plies: Some(291) };
    assert!(matches!(kind(narrow.write_outcomes([far])), WriteErrorKind::Outcome(o) if o == far));
    drop((long, meaningless, narrow));

    let weaker = PlainWriter::create(path, material("MvK"), encoding(Metric::Wld, 2));
    assert!(matches!(weaker.unwrap_err().kind, WriteErrorKind::Material(_)));
    assert_eq!(fs::read_dir(path).unwrap().count(), 0, "temporary files are removed");

    fs::write(path.join("file"), "").unwrap();
    let nowhere =
        PlainWriter::create(&path.join("file"), material("KvK"), encoding(Metric::Wld, 2));
    assert!(matches!(kind(nowhere), WriteErrorKind::Io(_)));
}

#[test]
fn pieces_of_any_size_give_the_same_file() {
    let directory = tempfile::tempdir().unwrap();
    let whole = write(directory.path(), Metric::Dtw, 16, 300);
    let sections = &whole[HEADER_BYTES..];
    for size in [1, 3, 64, 1000] {
        let mut writer =
            PlainWriter::create(directory.path(), material("KvK"), encoding(Metric::Dtw, 16))
                .unwrap();
        sections.chunks(size).for_each(|piece| writer.write(piece).unwrap());
        let header = writer.finish().unwrap();
        assert_eq!(header.sides[0].longest_win.unwrap().plies, 301);
        assert_eq!(header.sides[0].longest_loss.unwrap().count, 331);
        assert_eq!(header.sides[0].longest_loss.unwrap().first, 1);
        let path = table_path(directory.path(), material("KvK"), Metric::Dtw);
        assert!(fs::read(path).unwrap() == whole, "pieces of {size}");
    }
}

static TABLE: LazyLock<Vec<u8>> =
    LazyLock::new(|| write(tempfile::tempdir().unwrap().path(), Metric::Dtc, 8, 40));

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..1500)) {
        prop_assert!(PlainTable::open(&bytes[..]).is_err());
    }

    #[test]
    fn random_headers_with_a_right_checksum_never_panic(
        changes in prop::collection::vec((8usize..252, any::<u8>()), 1..6),
        rank in any::<u64>(),
    ) {
        let mut bytes = TABLE.clone();
        for (at, to) in changes {
            bytes[at] = to;
        }
        let bytes = with_right_checksum(bytes);
        if let Ok(table) = PlainTable::open(&bytes[..]) {
            let _ = table.verify();
            let _ = table.outcome_at(Color::Black, rank % 2000);
            let _ = table.outcome_at(Color::White, rank);
        }
    }
}
