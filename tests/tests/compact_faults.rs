//! A damaged image is an error, never a wrong value and never a panic.

use crownhead_index::{PerfectIndex, materials_to};
use crownhead_rules::Position;
use crownhead_table::compact::{
    CompactError, CompactOpenError, CompactTable, HEADER_BYTES, ImageError, SectionKind,
};
use crownhead_table::embedded::{IMAGE_3, IMAGE_4};

#[test]
fn every_flipped_byte_is_an_error() {
    let mut image = IMAGE_4.to_vec();
    for at in 0..image.len() {
        image[at] ^= 1 << (at % 8);
        assert!(CompactTable::open(&image[..]).is_err(), "byte {at}");
        image[at] ^= 1 << (at % 8);
    }
    assert!(CompactTable::open(&image[..]).is_ok(), "the control opens");
}

#[test]
fn a_cut_or_lengthened_image_is_an_error() {
    for len in 0..IMAGE_3.len() {
        assert!(CompactTable::open(&IMAGE_3[..len]).is_err(), "{len} bytes");
    }
    let longer = [IMAGE_3, &[0]].concat();
    assert!(matches!(
        CompactTable::open(&longer[..]),
        Err(CompactOpenError::Image(ImageError::Length { .. }))
    ));
}

#[test]
fn errors_name_what_is_wrong() {
    let with = |at: usize, byte: u8| {
        let mut image = IMAGE_3.to_vec();
        image[at] = byte;
        match CompactTable::open(&image[..]) {
            Err(CompactOpenError::Image(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(with(0, b'X'), ImageError::NotAnImage);
    assert_eq!(with(8, 2), ImageError::Version(2));
    assert_eq!(with(11, 9), ImageError::HeaderChecksum);
    assert_eq!(with(HEADER_BYTES, 0xff), ImageError::Checksum(SectionKind::Trees));
    assert_eq!(with(IMAGE_3.len() - 1, 0xff), ImageError::Checksum(SectionKind::Distances));
}

/// Puts right checksums over whatever the bytes are.
fn seal(image: &mut [u8]) {
    for at in (48..112).step_by(16) {
        let word = |at: usize| u32::from_le_bytes(image[at..at + 4].try_into().expect("4 bytes"));
        let (start, bytes) = (word(at) as usize, word(at + 4) as usize);
        let crc = image.get(start..start.saturating_add(bytes)).map_or(0, crc32fast::hash);
        image[at + 8..at + 12].copy_from_slice(&crc.to_le_bytes());
    }
    let crc = crc32fast::hash(&image[..124]);
    image[124..128].copy_from_slice(&crc.to_le_bytes());
}

/// Numbers that look random, the same each time.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn no_bytes_make_a_probe_panic() {
    let positions: Vec<Position> = materials_to(3)
        .flat_map(|material| {
            let index = PerfectIndex::<u64>::new(material).expect("an index");
            let step = (index.len() / 9) as usize;
            let ranks = (0..index.len()).step_by(step);
            ranks.filter_map(move |rank| index.unrank(rank, index.sides()[0])).collect::<Vec<_>>()
        })
        .collect();
    let mut state = 1;
    let mut opened = 0;
    for _ in 0..2000 {
        let mut image = IMAGE_3.to_vec();
        for _ in 0..1 + random(&mut state) % 4 {
            // Mostly the header, the directory and the first tables, where lengths are.
            let most = if random(&mut state).is_multiple_of(2) { 400 } else { image.len() as u64 };
            let at = (random(&mut state) % most) as usize;
            image[at] = random(&mut state) as u8;
        }
        seal(&mut image);
        let Ok(table) = CompactTable::open(&image[..]) else { continue };
        opened += 1;
        for position in &positions {
            // Any value or error will do.
            let _ = table.outcome_within(position, 500);
        }
    }
    assert!(opened > 100, "the control: {opened} of the mutated images open");
}

#[test]
fn what_the_image_does_not_know_is_an_error() {
    let table = CompactTable::open(IMAGE_3).expect("a sound image");
    let four: Position = "W:WK1,K2:BK31,K32".parse().expect("a FEN");
    assert_eq!(table.value(&four), Err(CompactError::TooManyPieces { pieces: 4, known: 3 }));
    let mut illegal: Position = "W:WK1:BK31".parse().expect("a FEN");
    illegal.black_kings = illegal.white_kings;
    assert_eq!(table.value(&illegal), Err(CompactError::Illegal));
}
