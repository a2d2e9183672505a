//! A damaged image is an error, never a wrong value and never a panic.

use crownhead_index::{PerfectIndex, materials_to};
use crownhead_rules::{Position, Value};
use crownhead_table::compact::{
    CompactError, CompactOpenError, CompactTable, Forces, HEADER_BYTES, ImageError, SectionKind,
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

/// The byte of the predicate of these forces, in its highest bit.
fn predicate_at(forces: &Forces) -> usize {
    HEADER_BYTES + 4 * forces.number() as usize + 3
}

/// A material with two predicates would send a probe round in circles until its stack is full.
#[test]
fn both_sides_to_move_of_a_material_have_one_predicate() {
    let mut image = IMAGE_4.to_vec();
    for forces in Forces::to(4) {
        image[predicate_at(&forces)] ^= 0x80;
        seal(&mut image);
        let opened = CompactTable::open(&image[..]).map(|_| ());
        if forces == forces.turned() {
            assert_eq!(opened, Ok(()), "{forces:?}");
        } else {
            assert_eq!(opened, Err(CompactOpenError::Image(ImageError::Predicate)), "{forces:?}");
            image[predicate_at(&forces.turned())] ^= 0x80;
            seal(&mut image);
            assert!(CompactTable::open(&image[..]).is_ok(), "both of {forces:?}");
        }
    }
}

/// An image of so many pieces, few bytes and right checksums whose facts look random.
fn senseless(pieces: u8, distances: bool, state: &mut u64) -> Vec<u8> {
    let words =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let all: Vec<Forces> = Forces::to(pieces.into()).collect();
    let mut entries = vec![32 * all.len() as u32; all.len()];
    for forces in &all {
        let predicate = (random(state) as u32) & 1 << 31;
        for same in [forces, &forces.turned()] {
            let entry = &mut entries[same.number() as usize];
            *entry = *entry & !(1 << 31) | predicate;
        }
    }
    // A leaf for all positions: what the ribbon of answers says.
    let trees = words(&[&entries[..], &[2 << 5, 0, 0]].concat());
    let mut blocks = |len: u32| (0..len).map(|_| random(state) as u32).collect::<Vec<_>>();
    let shards = [&[1][..], &[0; 14], &[0, 64]].concat();
    let ribbons = words(&[shards, blocks(64)].concat());
    let plies = words(&[vec![16, 1, 0, 64], blocks(16 * 64)].concat());
    let mut image = [&b"CROWNIMG"[..], &[1, 0, 2 * u8::from(distances), pieces]].concat();
    image.push(if distances { pieces } else { 0 });
    image.resize(HEADER_BYTES, 0);
    for (section, bytes) in
        [trees, ribbons, plies].iter().enumerate().take(2 + usize::from(distances))
    {
        let place = words(&[image.len() as u32, bytes.len() as u32]);
        image[48 + 16 * section..][..8].copy_from_slice(&place);
        image.extend(bytes);
    }
    let len = image.len() as u32;
    image[20..24].copy_from_slice(&len.to_le_bytes());
    seal(&mut image);
    image
}

/// However senseless an image is, a probe ends: soon, and without using up its stack.
#[test]
fn probes_of_senseless_images_end() {
    let positions = ["B:WK14,K19,K22:BK7,K11,K5", "W:W18,K19,K22:B11,K7,K5", "B:WK14,K19:BK10,K23"];
    let mut state = 1;
    let (mut most, mut decided) = (0, 0);
    for number in 0..40 {
        let image = senseless(6, number % 2 == 0, &mut state);
        let table = CompactTable::open(&image[..]).expect("right checksums");
        for position in positions {
            let position: Position = position.parse().expect("a FEN");
            let (outcome, used) = table.outcome_within(&position, u32::MAX).expect("a probe");
            most = most.max(used);
            decided += u32::from(outcome.value != Value::Draw);
        }
    }
    eprintln!("{most} look-ups at most; {decided} of 120 decided");
    assert!(most < 100_000, "{most} look-ups");
    assert!((20..=119).contains(&decided), "the control: {decided} are decided");
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
