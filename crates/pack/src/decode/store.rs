use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

use crownhead_index::{Material, PerfectIndex};
use crownhead_rules::{Color, Outcome, Position, Value};

use crate::PackError;
use crate::source::failed;

/// Known to be won for the side to move.
pub(super) const WON: u8 = 1;
/// Known to be lost for the side to move.
pub(super) const LOST: u8 = 2;

/// What is known of the positions of one material.
///
/// Threads that fill a table write one fact and read another, which is final by then, so the order
/// in which they come does not matter and relaxed access is enough.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) index: PerfectIndex<u64>,
    /// By side to move, Black first.
    facts: [Vec<AtomicU8>; 2],
    /// Plies, where there are distances.
    plies: Option<[Vec<AtomicU16>; 2]>,
}

impl Table {
    fn new(material: Material, has_plies: bool) -> Result<Self, PackError> {
        let index = PerfectIndex::<u64>::new(material).map_err(failed)?;
        let len = usize::try_from(index.len()).map_err(|_| PackError::TooLarge)?;
        let len = |side: &Color| if index.sides().contains(side) { len } else { 0 };
        let facts = Color::BOTH.map(|side| (0..len(&side)).map(|_| AtomicU8::new(0)).collect());
        let plies = has_plies
            .then(|| Color::BOTH.map(|side| (0..len(&side)).map(|_| AtomicU16::new(0)).collect()));
        Ok(Self { index, facts, plies })
    }

    /// The positions with one side to move.
    pub(super) fn len(&self) -> usize {
        self.facts[0].len()
    }

    pub(super) fn facts(&self, side: Color, rank: usize) -> u8 {
        self.facts[side as usize][rank].load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, side: Color, rank: usize, fact: u8) {
        self.facts[side as usize][rank].fetch_or(fact, Ordering::Relaxed);
    }

    pub(super) fn plies(&self, side: Color, rank: usize) -> Option<u16> {
        Some(self.plies.as_ref()?[side as usize][rank].load(Ordering::Relaxed))
    }

    pub(super) fn set_plies(&self, side: Color, rank: usize, plies: u16) {
        if let Some(all) = &self.plies {
            all[side as usize][rank].store(plies, Ordering::Relaxed);
        }
    }

    pub(super) fn outcome(&self, side: Color, rank: usize) -> Outcome {
        let facts = self.facts(side, rank);
        let value = match facts {
            WON => Value::Win,
            LOST => Value::Loss,
            _ => Value::Draw,
        };
        let plies = if value == Value::Draw { None } else { self.plies(side, rank) };
        Outcome { value, plies }
    }
}

/// Materials are found by their counts of men and kings, 0 to 8 each.
const COUNTS: usize = 9;

/// The tables done so far, and the one in the works.
#[derive(Debug, Default)]
pub(super) struct Store {
    tables: Vec<Table>,
    /// By the counts of men and kings the table's number and 1, or 0.
    numbers: Vec<u16>,
}

fn place(material: Material) -> usize {
    let Material { black, white } = material;
    [black.men, black.kings, white.men, white.kings]
        .into_iter()
        .fold(0, |place, count| place * COUNTS + usize::from(count))
}

impl Store {
    /// Adds a table in which nothing is known yet; returns its number.
    pub(super) fn add(&mut self, material: Material, has_plies: bool) -> Result<usize, PackError> {
        self.numbers.resize(COUNTS.pow(4), 0);
        self.tables.push(Table::new(material, has_plies)?);
        self.numbers[place(material)] = self.tables.len() as u16;
        Ok(self.tables.len() - 1)
    }

    pub(super) fn find(&self, material: Material) -> Option<usize> {
        usize::from(*self.numbers.get(place(material))?).checked_sub(1)
    }

    pub(super) fn table(&self, number: usize) -> &Table {
        &self.tables[number]
    }

    /// The table, side to move and rank of a position in which both sides have a piece.
    fn locate(&self, position: &Position) -> Option<(&Table, Color, usize)> {
        let table = self.table(self.find(Material::of(position).canonical())?);
        let (side, rank) = table.index.locate(position)?;
        Some((table, side, rank as usize))
    }

    /// What is known of a position by now.
    pub(super) fn facts(&self, position: &Position) -> u8 {
        match self.locate(position) {
            Some((table, side, rank)) => table.facts(side, rank),
            None if ended(position).value == Value::Win => WON,
            None => LOST,
        }
    }

    /// The outcome of a position that is decided, or drawn.
    pub(super) fn outcome(&self, position: &Position) -> Outcome {
        match self.locate(position) {
            Some((table, side, rank)) => table.outcome(side, rank),
            None => ended(position),
        }
    }

    /// The distance of a position that is won or lost.
    pub(super) fn plies(&self, position: &Position) -> u16 {
        match self.locate(position) {
            Some((table, side, rank)) => table.plies(side, rank).unwrap_or(0),
            None => ended(position).plies.unwrap_or(0),
        }
    }
}

/// The outcome where a side has no piece.
fn ended(position: &Position) -> Outcome {
    if !position.side(position.side_to_move).is_empty() && position.has_move() {
        Outcome { value: Value::Win, plies: Some(1) }
    } else {
        Outcome { value: Value::Loss, plies: Some(0) }
    }
}
