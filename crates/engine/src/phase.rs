//! Distances to conversion, found at play where the tables have none.

use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;
use std::vec::Vec;

use crownhead_rules::{Color, Move, Position, Prober, Value};

use crate::search::moves_of;

/// How fast the winner of a table position can force the next conversion (a capture or a man's
/// move that keeps the win, or the end of the game), for every position that its winning play can
/// come to before.
///
/// Tables without distances say which moves keep a win but not which make progress. The moves
/// that can go in circles are those of kings alone; the positions between two conversions are few
/// enough to go through all of them backwards.
#[derive(Debug)]
pub struct Phase {
    winner: Color,
    /// Plies to the conversion.
    distances: Map<u16>,
}

/// By position; most of the time is spent looking positions up.
type Map<T> = HashMap<Position, T, BuildHasherDefault<Mixer>>;

/// A hash of a position's words, for positions that nobody chooses to collide.
#[derive(Clone, Copy, Debug, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, word: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u32(word as u32);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// A position while distances are found.
struct Vertex {
    position: Position,
    /// Positions that a king's move leads here from.
    from: Vec<u32>,
    /// Kings' moves of the loser that have no distance yet.
    open: u32,
    distance: u16,
}

const UNKNOWN: u16 = u16::MAX;

impl Phase {
    /// Goes through the phase that a won or lost table position is in.
    ///
    /// `None` if the position is drawn, a table fails, there are more than `most` positions, or
    /// `stop` says so.
    pub fn solve<P: Prober>(
        position: &Position,
        tables: &P,
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let side = position.side_to_move;
        let winner = match tables.probe(position).ok()?.value {
            Value::Win => side,
            Value::Draw => return None,
            Value::Loss => side.other(),
        };
        let mut builder = Builder { tables, winner, vertices: Vec::new(), numbers: Map::default() };
        builder.number(*position);
        let mut next = 0;
        while next < builder.vertices.len() {
            if builder.vertices.len() > most || (next & 255 == 0 && stop()) {
                return None;
            }
            builder.expand(next as u32)?;
            next += 1;
        }
        builder.propagate();
        let distances =
            builder.vertices.iter().map(|vertex| (vertex.position, vertex.distance)).collect();
        Some(Self { winner, distances })
    }

    /// Plies to the conversion; `None` for a position that is not of this phase.
    pub fn plies(&self, position: &Position) -> Option<u16> {
        self.distances.get(position).copied().filter(|plies| *plies != UNKNOWN)
    }

    /// The move that converts fastest for the winner, or resists longest for the loser; `None` in
    /// a position of another phase.
    ///
    /// Of two conversions at hand the winner plays the one that `better` puts first.
    pub fn best<K: Ord>(
        &self,
        position: &Position,
        tables: &impl Prober,
        better: impl Fn(&Move) -> K,
    ) -> Option<(Move, u16)> {
        self.plies(position)?;
        let wins = position.side_to_move == self.winner;
        let after = |m: &Move| {
            let next = position.after(m);
            if !m.is_conversion() {
                return self.plies(&next).map(|plies| plies + 1);
            }
            let keeps = !wins || tables.probe(&next).is_ok_and(|x| x.value == Value::Loss);
            keeps.then_some(1)
        };
        let moves = moves_of(position);
        let rated = moves.iter().filter_map(|m| Some((*m, after(m)?)));
        let urgency = |plies: u16| if wins { i32::from(plies) } else { -i32::from(plies) };
        rated.min_by_key(|(m, plies)| (urgency(*plies), better(m)))
    }
}

struct Builder<'a, P> {
    tables: &'a P,
    winner: Color,
    vertices: Vec<Vertex>,
    numbers: Map<u32>,
}

impl<P: Prober> Builder<'_, P> {
    fn number(&mut self, position: Position) -> u32 {
        let next = self.vertices.len() as u32;
        let number = *self.numbers.entry(position).or_insert(next);
        if number == next {
            let (from, open) = (Vec::new(), 0);
            self.vertices.push(Vertex { position, from, open, distance: UNKNOWN });
        }
        number
    }

    /// Finds the moves of a position; `None` if a table fails.
    fn expand(&mut self, number: u32) -> Option<()> {
        let position = self.vertices[number as usize].position;
        let wins = position.side_to_move == self.winner;
        let mut distance = UNKNOWN;
        let mut open = 0;
        let moves = moves_of(&position);
        for m in &moves {
            let next = position.after(m);
            if wins && self.tables.probe(&next).ok()?.value != Value::Loss {
                continue;
            }
            if m.is_conversion() {
                distance = 1;
            } else {
                open += 1;
                let next = self.number(next);
                self.vertices[next as usize].from.push(number);
            }
        }
        let vertex = &mut self.vertices[number as usize];
        if wins {
            vertex.distance = distance;
        } else {
            vertex.open = open;
            if open == 0 {
                // Blocked, or every move converts.
                vertex.distance = u16::from(!moves.is_empty());
            }
        }
        Some(())
    }

    /// Gives distances in ascending order.
    fn propagate(&mut self) {
        let mut layer: Vec<u32> = Vec::new();
        let mut distance = 0;
        let mut waiting = self.with_distance();
        while !waiting.is_empty() || !layer.is_empty() {
            let (now, later): (Vec<u32>, Vec<u32>) = waiting
                .into_iter()
                .partition(|&number| self.vertices[number as usize].distance == distance);
            waiting = later;
            layer.extend(now);
            let mut next = Vec::new();
            for number in core::mem::take(&mut layer) {
                for from in core::mem::take(&mut self.vertices[number as usize].from) {
                    let vertex = &mut self.vertices[from as usize];
                    if vertex.distance != UNKNOWN {
                        continue;
                    }
                    if vertex.position.side_to_move != self.winner {
                        vertex.open -= 1;
                        if vertex.open > 0 {
                            continue;
                        }
                    }
                    vertex.distance = distance + 1;
                    next.push(from);
                }
            }
            layer = next;
            distance += 1;
        }
    }

    fn with_distance(&self) -> Vec<u32> {
        let known = |number: &u32| self.vertices[*number as usize].distance != UNKNOWN;
        (0..self.vertices.len() as u32).filter(known).collect()
    }
}
