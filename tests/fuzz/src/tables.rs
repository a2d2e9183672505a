//! Any bytes as tables: they are refused, or answer something, and never panic.

use crownhead_index::{PerfectIndex, materials_to};
use crownhead_rules::Position;
use crownhead_table::PlainTable;
use crownhead_table::compact::{CompactTable, HEADER_BYTES};

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn half_word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn put(bytes: &mut [u8], at: usize, crc: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&crc.to_le_bytes());
    }
}

fn section(bytes: &[u8], start: u64, len: u64) -> Option<&[u8]> {
    let start = usize::try_from(start).ok()?;
    bytes.get(start..start.checked_add(usize::try_from(len).ok()?)?)
}

/// Puts right checksums over a plain table, so that what lies behind them is reached.
fn seal_plain(bytes: &mut [u8]) {
    for side in [32, 128] {
        let place = word(bytes, side).zip(word(bytes, side + 8));
        if let Some(section) = place.and_then(|(start, len)| section(bytes, start, len)) {
            let crc = crc32fast::hash(section);
            put(bytes, side + 16, crc);
        }
    }
    if bytes.len() >= 256 {
        let crc = crc32fast::hash(&bytes[..252]);
        put(bytes, 252, crc);
    }
}

/// The reader of plain tables.
pub fn plain(bytes: &[u8]) {
    read_plain(bytes);
    let mut sealed = bytes.to_vec();
    seal_plain(&mut sealed);
    read_plain(&sealed);
}

fn read_plain(bytes: &[u8]) {
    let Ok(table) = PlainTable::open(bytes) else { return };
    let header = *table.header();
    let _ = table.verify();
    for &side in header.stored_sides() {
        let last = header.positions.min(4000);
        for rank in (0..last).chain([header.positions - 1, header.positions, u64::MAX]) {
            match table.outcome_at(side, rank) {
                Ok(outcome) => {
                    assert!(rank < header.positions);
                    let position: Position = table.index().unrank(rank, side).expect("a rank");
                    assert_eq!(table.probe(&position).expect("a position"), outcome);
                    assert_eq!(table.probe(&position.mirror()).expect("its mirror"), outcome);
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}

/// Puts right checksums over an image.
fn seal_compact(image: &mut [u8]) {
    for at in (48..112).step_by(16) {
        let place = half_word(image, at).zip(half_word(image, at + 4));
        let (start, len) = place.unwrap_or_default();
        let crc = section(image, start.into(), len.into()).map_or(0, crc32fast::hash);
        put(image, at + 8, crc);
    }
    if image.len() >= HEADER_BYTES {
        let crc = crc32fast::hash(&image[..HEADER_BYTES - 4]);
        put(image, HEADER_BYTES - 4, crc);
    }
}

/// The reader of compact images.
pub fn compact(bytes: &[u8]) {
    read_compact(bytes);
    let mut sealed = bytes.to_vec();
    seal_compact(&mut sealed);
    read_compact(&sealed);
}

/// Positions of more pieces, which an image of any size can say that it knows.
const LARGER: [&str; 4] = [
    "B:WK14,K19:BK10,23",
    "W:W18,K19,22:BK11,K5",
    "B:WK14,K19,K22:BK7,K11,K5",
    "B:WK17,K29,K25,22:BK7,K4,3,K8",
];

fn read_compact(bytes: &[u8]) {
    let Ok(table) = CompactTable::open(bytes) else { return };
    for position in LARGER {
        let position: Position = position.parse().expect("a FEN");
        // Those of a few pieces end by themselves.
        let most = if position.occupied().len() <= 4 { u32::MAX } else { 2000 };
        if let Ok((_, used)) = table.outcome_within(&position, most) {
            assert!(used <= 20_000, "{position}: {used} look-ups");
        }
    }
    for material in materials_to(3) {
        let Ok(index) = PerfectIndex::<u64>::new(material) else { continue };
        for place in 0..4 {
            let rank = index.len() / 5 * place + u64::from(bytes.len() as u32 % 97);
            for &side in index.sides() {
                let Some(position) = index.unrank(rank, side) else { continue };
                if let Ok((_, used)) = table.outcome_within(&position, 300) {
                    assert!(used <= 300, "{position}: {used} look-ups");
                }
            }
        }
    }
}
