use crownhead_rules::{Color, Position};

use crate::zobrist;

/// How hard a question seems: positions still to be proved at least, for yes and for no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    /// The proof number: 0 once the answer is yes.
    pub(super) yes: u32,
    /// The disproof number: 0 once the answer is no.
    pub(super) no: u32,
}

/// Stands for a number that no effort will bring down.
pub(super) const NEVER: u32 = u32::MAX / 2;

impl Numbers {
    pub(super) const YES: Self = Self { yes: 0, no: NEVER };
    pub(super) const NO: Self = Self { yes: NEVER, no: 0 };

    pub(super) const fn is_settled(self) -> bool {
        self.yes == 0 || self.no == 0
    }
}

/// On which positions of the line a *no* leans: it takes them to be *no* as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lean {
    /// The ply of the earliest, and of the latest.
    pub(super) first: i16,
    pub(super) last: i16,
    /// When the line came to the latest: while that visit lasts, all of them are as they were.
    pub(super) visit: u64,
}

/// One place of a [`Prover`](super::Prover)'s memory, 40 bytes.
///
/// It holds the position itself and not a key, so that no two positions are taken for one.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProofSlot {
    black: u32,
    white: u32,
    kings: u32,
    /// 0 empty, 1 Black, 2 White.
    side: u8,
    yes: u32,
    no: u32,
    /// Positions visited below.
    work: u32,
    /// As in [`Lean`]; a visit of 0 leans on nothing.
    first: i16,
    last: i16,
    visit: u64,
}

const BUCKET: usize = 4;

impl ProofSlot {
    fn of(position: &Position) -> Self {
        Self {
            black: position.side(Color::Black).0,
            white: position.side(Color::White).0,
            kings: position.black_kings.0 | position.white_kings.0,
            side: 1 + position.side_to_move as u8,
            ..Self::default()
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        (self.black, self.white, self.kings, self.side)
            == (other.black, other.white, other.kings, other.side)
    }

    /// What is most worth keeping: answers, and what took most work.
    fn worth(&self) -> u32 {
        let settled = self.yes == 0 || self.no == 0;
        if self.side == 0 { 0 } else { 1 + self.work.min(1 << 30) * if settled { 2 } else { 1 } }
    }
}

fn bucket(position: &Position, len: usize) -> core::ops::Range<usize> {
    let buckets = len.div_ceil(BUCKET) as u64;
    let key = zobrist::key(position) & 0xffff_ffff;
    let start = ((key * buckets) >> 32) as usize * BUCKET;
    start..(start + BUCKET).min(len)
}

/// What is kept of a position, and what it leans on.
pub(super) fn recall(slots: &[ProofSlot], position: &Position) -> Option<(Numbers, Option<Lean>)> {
    let wanted = ProofSlot::of(position);
    let slot = slots[bucket(position, slots.len())].iter().find(|slot| slot.is_same(&wanted))?;
    let lean = Lean { first: slot.first, last: slot.last, visit: slot.visit };
    Some((Numbers { yes: slot.yes, no: slot.no }, (slot.visit != 0).then_some(lean)))
}

/// Keeps the numbers of a position.
pub(super) fn keep(
    slots: &mut [ProofSlot],
    position: &Position,
    numbers: Numbers,
    lean: Option<Lean>,
    work: u32,
) {
    let range = bucket(position, slots.len());
    let Lean { first, last, visit } = lean.unwrap_or(Lean { first: 0, last: 0, visit: 0 });
    let Numbers { yes, no } = numbers;
    let mut new = ProofSlot { yes, no, work, first, last, visit, ..ProofSlot::of(position) };
    let places = &mut slots[range];
    let same = places.iter().position(|slot| slot.is_same(&new));
    let least = || (0..places.len()).min_by_key(|&i| places[i].worth());
    if let Some(place) = same.or_else(least) {
        if same.is_some() {
            new.work = new.work.saturating_add(places[place].work);
        }
        places[place] = new;
    }
}
