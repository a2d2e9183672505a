//! Plain tables: what is written comes back, and nothing else is taken for it.
#![cfg(feature = "std")]

use crownhead_index::{Material, materials_to};
use crownhead_rules::{Color, Outcome, Prober, Value};
use crownhead_table::{
    Check, Encoding, Index, Metric, OpenError, PlainSet, PlainTable, PlainWriter, ProbeError,
    ReadFn, Tables, table_path,
};

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

/// Made-up outcomes, different for neighbours, sides and materials, with distances up to `longest`.
fn outcome(
    encoding: Encoding,
    material: Material,
    side: Color,
    rank: u64,
    longest: u16,
) -> Outcome {
    let seed =
        rank * 7 + side as u64 * 3 + u64::from(material.pieces()) + u64::from(material.men());
    let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let plies = if rank == 5 { longest } else { (mixed % u64::from(longest + 1)) as u16 };
    let value = match (mixed >> 16) % 3 {
        0 if rank != 5 => Value::Draw,
        1 if plies % 2 == 1 || encoding.metric() == Metric::Wld => Value::Win,
        _ if plies % 2 == 1 => Value::Win,
        _ => Value::Loss,
    };
    let has_plies = encoding.metric().has_plies() && value != Value::Draw;
    Outcome { value, plies: has_plies.then_some(plies) }
}

fn write(directory: &std::path::Path, material: Material, encoding: Encoding, longest: u16) {
    let mut writer = PlainWriter::create(directory, material, encoding).unwrap();
    let index = Index::new(material).unwrap();
    for &side in index.sides() {
        let outcomes =
            (0..index.len()).map(|rank| outcome(encoding, material, side, rank, longest));
        writer.write_outcomes(outcomes).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn every_position_of_either_colour_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    for (metric, bits, longest) in [
        (Metric::Wld, 2, 9),
        (Metric::Dtw, 8, 254),
        (Metric::Dtw, 16, 300),
        (Metric::Dtc, 8, 126),
        (Metric::Dtc, 16, 300),
    ] {
        let encoding = Encoding::new(metric, bits).unwrap();
        for material in materials_to(3) {
            write(directory.path(), material, encoding, longest);
        }
        let tables = Tables::open(directory.path(), metric, Check::Everything);
        assert_eq!(tables.max_pieces(), 3);
        for material in materials_to(3) {
            let index = Index::new(material).unwrap();
            for &side in index.sides() {
                for rank in (0..index.len()).step_by(3) {
                    let position = index.unrank(rank, side).unwrap();
                    let expected = outcome(encoding, material, side, rank, longest);
                    assert_eq!(tables.probe(&position).unwrap(), expected, "{material} {rank}");
                    assert_eq!(tables.probe(&position.mirror()).unwrap(), expected);
                }
            }
        }
    }
}

#[test]
fn a_set_of_slices_and_callbacks_answers_alike() {
    let directory = tempfile::tempdir().unwrap();
    let encoding = Encoding::new(Metric::Dtw, 8).unwrap();
    let files: Vec<Vec<u8>> = materials_to(3)
        .map(|m| {
            write(directory.path(), m, encoding, 100);
            std::fs::read(table_path(directory.path(), m, Metric::Dtw)).unwrap()
        })
        .collect();
    let slices: Vec<_> = files.iter().map(|f| PlainTable::open(&f[..]).unwrap()).collect();
    let callbacks: Vec<_> = files
        .iter()
        .map(|f| {
            PlainTable::open(ReadFn::new(f.len() as u64, |offset, buffer: &mut [u8]| {
                let start = offset as usize;
                buffer.copy_from_slice(f.get(start..start + buffer.len()).ok_or("past the end")?);
                Ok::<_, &str>(())
            }))
            .unwrap()
        })
        .collect();
    let (slices, callbacks) = (PlainSet::new(&slices), PlainSet::new(&callbacks));
    let tables = Tables::open(directory.path(), Metric::Dtw, Check::Header);
    assert_eq!((slices.max_pieces(), callbacks.max_pieces()), (3, 3));
    let index = Index::new(material("KMvK")).unwrap();
    for rank in (0..index.len()).step_by(11) {
        let position = index.unrank(rank, Color::White).unwrap().mirror();
        let expected = tables.probe(&position).unwrap();
        assert_eq!(slices.probe(&position).unwrap(), expected);
        assert_eq!(callbacks.probe(&position).unwrap(), expected);
    }
}

#[test]
fn any_changed_byte_is_found() {
    let directory = tempfile::tempdir().unwrap();
    for (metric, bits) in [(Metric::Wld, 2), (Metric::Dtw, 8)] {
        let encoding = Encoding::new(metric, bits).unwrap();
        write(directory.path(), material("KvM"), encoding, 100);
        let path = table_path(directory.path(), material("KvM"), metric);
        let bytes = std::fs::read(path).unwrap();
        assert!(PlainTable::open(&bytes[..]).unwrap().verify().is_ok());
        for at in 0..bytes.len() {
            for flip in [0x01, 0x10, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                let found = match PlainTable::open(&changed[..]) {
                    Err(OpenError::Header(_)) => true,
                    Err(OpenError::Read(_)) => false,
                    Ok(table) => at >= 256 && table.verify().is_err(),
                };
                assert!(found, "{metric}: byte {at} xor {flip:#x} was not found");
            }
        }
        for len in 0..bytes.len() {
            assert!(PlainTable::open(&bytes[..len]).is_err(), "cut to {len} bytes");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(PlainTable::open(&longer[..]).is_err(), "one byte too many");
    }
}

/// Many codes at a time are the same numbers as one by one, wherever a run begins and ends.
#[test]
fn runs_of_codes_are_the_codes() {
    let directory = tempfile::tempdir().unwrap();
    for (metric, bits, longest) in
        [(Metric::Wld, 2, 100), (Metric::Dtw, 8, 100), (Metric::Dtw, 16, 300)]
    {
        let encoding = Encoding::new(metric, bits).unwrap();
        write(directory.path(), material("KMvK"), encoding, longest);
        let path = table_path(directory.path(), material("KMvK"), metric);
        let bytes = std::fs::read(path).unwrap();
        let table = PlainTable::open(&bytes[..]).unwrap();
        let len = table.header().positions;
        for side in Color::BOTH {
            let all: Vec<_> = (0..len).map(|rank| table.outcome_at(side, rank).unwrap()).collect();
            for first in [0, 1, 2, 3, 4, 1000, 16_383, len - 5, len - 1] {
                for count in [0, 1, 3, 4, 5, 4096, 16_385, len - first] {
                    let mut codes = vec![0xffff; count as usize];
                    let read = table.codes_from(side, first, &mut codes);
                    if first + count > len {
                        assert_eq!(read, Err(ProbeError::Rank { side, rank: first }));
                        continue;
                    }
                    read.unwrap();
                    let run = &all[first as usize..(first + count) as usize];
                    assert!(
                        codes.iter().map(|c| encoding.outcome(*c)).eq(run.iter().map(|o| Some(*o)))
                    );
                }
            }
        }
    }
}
