//! The perfect index against an enumeration that is obviously in order, and against itself where
//! there are too many positions.

use crownhead_index::{Count, Material, PerfectIndex, materials, materials_to};
use crownhead_rules::{Bitboard, Color, Position};
use proptest::prelude::*;

/// All sets of `len` of these squares, in ascending order of their bits as a number.
fn sets(len: u32, squares: u32) -> Vec<u32> {
    fn extend(len: u32, squares: u32, set: u32, out: &mut Vec<u32>) {
        if len == 0 {
            return out.push(set);
        }
        for square in (0..32).filter(|s| squares >> s & 1 != 0) {
            // The square is the highest of those still to choose.
            extend(len - 1, squares & ((1 << square) - 1), set | 1 << square, out);
        }
    }
    let mut out = Vec::new();
    extend(len, squares, 0, &mut out);
    assert!(out.is_sorted());
    out
}

/// Every placement of the material in the documented order: by black men, white men, black kings,
/// white kings.
fn placements(material: Material, mut visit: impl FnMut(Position)) {
    let free = |taken: u32, squares: Bitboard| squares.0 & !taken;
    let all = Bitboard::FULL;
    let (black, white) = (material.black, material.white);
    for bm in sets(black.men.into(), Bitboard::men_squares(Color::Black).0) {
        for wm in sets(white.men.into(), free(bm, Bitboard::men_squares(Color::White))) {
            for bk in sets(black.kings.into(), free(bm | wm, all)) {
                for wk in sets(white.kings.into(), free(bm | wm | bk, all)) {
                    visit(Position {
                        black_men: Bitboard(bm),
                        black_kings: Bitboard(bk),
                        white_men: Bitboard(wm),
                        white_kings: Bitboard(wk),
                        side_to_move: Color::Black,
                    });
                }
            }
        }
    }
}

/// Whether this rank function gives 0, 1, 2, ... on the placements in order, and unrank undoes it.
fn is_the_order(index: &PerfectIndex, rank: impl Fn(&Position) -> Option<u32>) -> bool {
    let mut next = 0;
    let mut right = true;
    placements(index.material(), |position| {
        right &=
            rank(&position) == Some(next) && index.unrank(next, Color::Black) == Some(position);
        next += 1;
    });
    right && next == index.len() && index.unrank(next, Color::Black).is_none()
}

#[test]
fn ranks_count_the_placements_in_order() {
    let four = ["KKvKK", "KMvKM", "MMvMM", "MMMvK", "KMMvM", "KKMvM"];
    let four = four.map(|text| text.parse::<Material>().unwrap());
    for material in materials_to(3).chain(four) {
        for material in [material, material.mirror()] {
            let index = PerfectIndex::new(material).unwrap();
            assert!(is_the_order(&index, |position| index.rank(position)), "{material}");
        }
    }
}

#[test]
fn positions_come_in_order_from_any_rank() {
    for material in materials_to(3).chain(["KMvKM".parse().unwrap(), "MMvMM".parse().unwrap()]) {
        let index: PerfectIndex = PerfectIndex::new(material).unwrap();
        let first = index.len() / 3;
        let mut rank = first;
        for position in index.positions_from(first, Color::White) {
            assert_eq!(index.unrank(rank, Color::White), Some(position), "{material}");
            rank += 1;
        }
        assert_eq!(rank, index.len(), "{material}");
        assert_eq!(index.positions_from(rank, Color::White).next(), None);
    }
}

#[test]
fn crowded_first_rows_are_in_order() {
    // Up to four black men on row 0 and more men than one row holds: each weight is used.
    for (material, step) in [("MMMMMvM", 1_009), ("MMMMvMM", 2_003), ("MMMMMvMM", 30_011)] {
        let index: PerfectIndex = PerfectIndex::new(material.parse().unwrap()).unwrap();
        let mut last = None;
        for rank in (0..index.len()).step_by(step) {
            let position = index.unrank(rank, Color::White).unwrap();
            assert_eq!(index.rank(&position), Some(rank), "{material}");
            let key = Some((position.black_men, position.white_men));
            assert!(key > last, "{material} {rank}");
            last = key;
        }
    }
}

#[test]
fn a_wrong_rank_is_found() {
    let index: PerfectIndex = PerfectIndex::new("KMvM".parse().unwrap()).unwrap();
    let swapped =
        |position: &Position| index.rank(position).map(|rank| rank ^ u32::from(rank > 9_000));
    assert!(!is_the_order(&index, swapped), "two neighbours swapped");
    let unaware_of_men = |position: &Position| {
        let mut moved = *position;
        moved.black_men = Bitboard(position.black_men.0.rotate_left(1));
        index.rank(&moved)
    };
    assert!(!is_the_order(&index, unaware_of_men), "a man on the wrong square");
}

#[test]
fn samples_of_six_pieces_are_in_order() {
    for material in materials(6) {
        let index: PerfectIndex = PerfectIndex::new(material).unwrap();
        let step = index.len() / 997 + 1;
        for rank in (step..index.len()).step_by(step as usize) {
            let position = index.unrank(rank, Color::Black).unwrap();
            let before = index.unrank(rank - 1, Color::Black).unwrap();
            let key = |p: &Position| (p.black_men, p.white_men, p.black_kings, p.white_kings);
            assert!(key(&before) < key(&position), "{material} {rank}");
            assert_eq!(index.rank(&position), Some(rank), "{material}");
        }
    }
}

#[test]
fn a_position_and_its_mirror_are_in_the_same_place() {
    for material in ["KMvKM", "KKMvM", "MMvK"] {
        let index: PerfectIndex = PerfectIndex::new(material.parse().unwrap()).unwrap();
        for rank in (0..index.len()).step_by(97) {
            for &side in index.sides() {
                let position = index.unrank(rank, side).unwrap();
                assert_eq!(index.locate(&position), Some((side, rank)));
                assert_eq!(index.locate(&position.mirror()), Some((side, rank)));
            }
        }
    }
    let symmetric: PerfectIndex = PerfectIndex::new("KvK".parse().unwrap()).unwrap();
    assert_eq!(symmetric.sides(), [Color::Black]);
    let white = symmetric.unrank(17, Color::White).unwrap();
    let (side, rank) = symmetric.locate(&white).unwrap();
    assert_eq!(side, Color::Black);
    assert_eq!(symmetric.unrank(rank, side), Some(white.mirror()));
}

#[test]
fn what_is_not_of_the_material_has_no_rank() {
    let index: PerfectIndex = PerfectIndex::new("KMvK".parse().unwrap()).unwrap();
    let mut position = index.unrank(1234, Color::Black).unwrap();
    assert_eq!(index.rank(&position.mirror()), None, "the mirror has another material");
    position.black_kings = position.white_kings;
    assert_eq!(index.rank(&position), None, "two pieces on one square");
    assert_eq!(index.locate(&position), None);
    position = index.unrank(1234, Color::Black).unwrap();
    position.black_men = Bitboard(1 << 31);
    position.black_kings = Bitboard(1);
    position.white_kings = Bitboard(2);
    assert_eq!(index.rank(&position), None, "a man where it is crowned");
    assert_eq!(index.locate(&Position::START), None);
}

#[test]
fn materials_that_cannot_be_numbered_are_refused() {
    let new = PerfectIndex::<u32>::new;
    assert!(new(Material::new(1, 0, 0, 0)).is_err(), "a side without pieces");
    assert!(new(Material::new(12, 1, 1, 0)).is_err(), "13 pieces on a side");
    assert!(new(Material::new(255, 255, 255, 255)).is_err());
    let large = Material::new(2, 2, 2, 2);
    assert_eq!(large.placements::<u32>(), None);
    let error = new(large).unwrap_err().to_string();
    assert!(error.contains("KKMMvKKMM") && error.contains("wide"), "{error}");
    assert!(new(Material::new(0, 4, 0, 3)).is_ok(), "all 7 pieces' ranks fit 32 bits here");
}

/// Any placement of a material, drawn without the index.
fn any_position() -> impl Strategy<Value = Position> {
    let side = (0u32..=12, 0u32..=12).prop_map(|(pieces, men)| (pieces.max(1), men));
    (side.clone(), side, prop::collection::vec(any::<u32>(), 24), any::<bool>()).prop_map(
        |((black, black_men), (white, white_men), draws, white_to_move)| {
            let turn = if white_to_move { Color::White } else { Color::Black };
            let mut position = Position::empty(turn);
            let mut draws = draws.into_iter();
            let mut place = |taken: u32, squares: u32| {
                let free = squares & !taken;
                let nth = draws.next().unwrap() % free.count_ones();
                1 << (0..32).filter(|s| free >> s & 1 != 0).nth(nth as usize).unwrap()
            };
            // Men first: kings leave them no room at times.
            for _ in 0..black_men.min(black) {
                position.black_men |=
                    Bitboard(place(position.occupied().0, Bitboard::men_squares(Color::Black).0));
            }
            for _ in 0..white_men.min(white) {
                position.white_men |=
                    Bitboard(place(position.occupied().0, Bitboard::men_squares(Color::White).0));
            }
            for _ in black_men.min(black)..black {
                position.black_kings |= Bitboard(place(position.occupied().0, !0));
            }
            for _ in white_men.min(white)..white {
                position.white_kings |= Bitboard(place(position.occupied().0, !0));
            }
            position
        },
    )
}

fn comes_back<N: Count>(position: &Position) -> Result<(), TestCaseError> {
    let material = Material::of(position);
    if material.placements::<N>().is_none() {
        return Ok(());
    }
    let index = PerfectIndex::<N>::new(material).unwrap();
    let rank = index.rank(position).unwrap();
    prop_assert!(rank < index.len());
    prop_assert_eq!(index.unrank(rank, position.side_to_move), Some(*position));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn drawn_positions_come_back(position in any_position()) {
        prop_assert!(position.is_legal());
        comes_back::<u32>(&position)?;
    }

    #[cfg(feature = "wide")]
    #[test]
    fn drawn_positions_of_up_to_24_pieces_come_back(position in any_position()) {
        prop_assert!(PerfectIndex::<u64>::new(Material::of(&position)).is_ok());
        comes_back::<u64>(&position)?;
    }

    #[cfg(feature = "wide")]
    #[test]
    fn ranks_of_large_materials_come_back(
        sides in ((1u8..=12, 0u8..=12), (1u8..=12, 0u8..=12)),
        place in any::<u64>(),
    ) {
        let ((b, bm), (w, wm)) = sides;
        let (bm, wm) = (bm.min(b), wm.min(w));
        let index = PerfectIndex::<u64>::new(Material::new(bm, b - bm, wm, w - wm)).unwrap();
        let rank = place % index.len();
        let position = index.unrank(rank, Color::Black).unwrap();
        prop_assert!(position.is_legal());
        prop_assert_eq!(index.rank(&position), Some(rank));
        prop_assert_eq!(index.unrank(index.len(), Color::Black), None);
    }
}
