//! A file written by another program from the description of the format, byte by byte.
//!
//! `data/made_up_KvK.dtc` comes from a script of 20 lines that follows the table in the
//! documentation of `Header` and computes its checksums with zlib. Position 0 is won in 41 plies,
//! 1 lost in 40, 2 drawn, and so on. These tests run without the feature `std` too, where the
//! reader numbers positions in 32 bits and computes checksums itself.

use crownhead_rules::{Color, Outcome, Prober, Value};
use crownhead_table::{Metric, PlainSet, PlainTable, ProbeError};

const FILE: &[u8] = include_bytes!("data/made_up_KvK.dtc");

fn outcome(rank: usize) -> Outcome {
    [
        Outcome { value: Value::Win, plies: Some(41) },
        Outcome { value: Value::Loss, plies: Some(40) },
        Outcome { value: Value::Draw, plies: None },
    ][rank % 3]
}

#[test]
fn reads_what_another_program_wrote() {
    let table = PlainTable::open(FILE).unwrap();
    assert_eq!(table.verify(), Ok(()));
    let header = table.header();
    assert_eq!((header.encoding.metric(), header.encoding.bits()), (Metric::Dtc, 8));
    assert_eq!(
        (header.sides[0].wins, header.sides[0].losses, header.sides[0].draws),
        (331, 331, 330)
    );
    assert_eq!(header.file_bytes(), Some(FILE.len() as u64));

    let tables = [table];
    let set = PlainSet::new(&tables);
    let positions = table.index().positions_from(0, Color::Black);
    let mut last = None;
    for (rank, position) in positions.enumerate() {
        assert_eq!(set.probe(&position), Ok(outcome(rank)));
        assert_eq!(set.probe(&position.mirror()), Ok(outcome(rank)));
        last = Some(position);
    }
    let mut crowded = last.unwrap();
    crowded.black_men = crowded.vacant() & crownhead_rules::Bitboard::row(3);
    assert!(matches!(set.probe(&crowded), Err(ProbeError::NoTable(_))));
}

#[test]
fn every_cut_and_every_bit_is_found() {
    for len in 0..FILE.len() {
        assert!(PlainTable::open(&FILE[..len]).is_err(), "cut to {len} bytes");
    }
    let sound = |bytes: &[u8]| PlainTable::open(bytes).is_ok_and(|table| table.verify().is_ok());
    assert!(sound(FILE));
    for bit in 0..8 * FILE.len() {
        let mut bytes = FILE.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(!sound(&bytes), "bit {bit} was flipped");
    }
}

#[cfg(feature = "std")]
#[test]
fn writes_the_same_bytes() {
    use crownhead_table::{Encoding, PlainWriter, table_path};
    let directory = tempfile::tempdir().unwrap();
    let material = "KvK".parse().unwrap();
    let encoding = Encoding::new(Metric::Dtc, 8).unwrap();
    let mut writer = PlainWriter::create(directory.path(), material, encoding).unwrap();
    writer.write_outcomes((0..992).map(outcome)).unwrap();
    writer.finish().unwrap();
    let path = table_path(directory.path(), material, Metric::Dtc);
    assert!(std::fs::read(path).unwrap() == FILE);
}
