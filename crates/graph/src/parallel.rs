//! The parts that threads share: the reversed rows, and retrograde analysis wave by wave.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;
use std::vec;
use std::vec::Vec;

use crate::retrograde::start;
use crate::rows::{accumulate, restore};
use crate::solution::{LOSS, OPEN, WIN, place};
use crate::{GameGraph, Rows, Solution, Value};

/// Below this many vertices of the same depth, starting threads costs more than it saves.
const WORTH_THREADS: usize = 1 << 14;

/// Each thread reads all edges and fills the reversed rows of its own range of vertices, so no two
/// write to the same place and the order within a row is that of the serial form.
pub(crate) fn reversed(rows: &Rows<'_>, threads: usize) -> Rows<'static> {
    let vertices = rows.vertices();
    let share = vertices.div_ceil(threads);
    let mut offsets = vec![0_u32; vertices + 1];
    thread::scope(|scope| {
        for (i, counts) in offsets[1..].chunks_mut(share).enumerate() {
            scope.spawn(move || {
                let first = (i * share) as u32;
                for &target in rows.targets() {
                    if let Some(count) = counts.get_mut(target.wrapping_sub(first) as usize) {
                        *count += 1;
                    }
                }
            });
        }
    });
    accumulate(&mut offsets);
    let mut sources = vec![0_u32; rows.edges()];
    let starts: Vec<u32> = (0..=threads).map(|i| offsets[(i * share).min(vertices)]).collect();
    thread::scope(|scope| {
        let mut rest = &mut sources[..];
        for (i, cursors) in offsets[..vertices].chunks_mut(share).enumerate() {
            let (own, after) = rest.split_at_mut((starts[i + 1] - starts[i]) as usize);
            rest = after;
            let base = starts[i];
            scope.spawn(move || {
                let first = (i * share) as u32;
                for v in 0..vertices as u32 {
                    for &target in rows.row(v) {
                        if let Some(cursor) = cursors.get_mut(target.wrapping_sub(first) as usize) {
                            own[(*cursor - base) as usize] = v;
                            *cursor += 1;
                        }
                    }
                }
            });
        }
    });
    restore(&mut offsets);
    Rows::from_trusted(offsets, sources)
}

/// [`retrograde`](crate::retrograde()) with `threads` threads; the result is the same.
///
/// All vertices of one depth are told of together, so a depth never hangs on which thread was
/// faster. Few vertices of a depth are left to one thread: a graph that is deep and narrow gains
/// nothing here.
#[must_use]
pub fn retrograde_parallel(graph: &GameGraph<'_>, threads: usize) -> Solution {
    if threads < 2 || graph.vertices() < WORTH_THREADS {
        return crate::retrograde(graph);
    }
    let reverse = graph.rows().reversed_parallel(threads);
    let shared = Shared::new(start(graph).0);
    let over: Vec<u32> = (0..graph.vertices() as u32)
        .filter(|&v| matches!(graph.terminal(v), Some(Value::Win | Value::Loss)))
        .collect();
    let (mut wave, mut plies) = (over, 1);
    while !wave.is_empty() {
        wave = shared.next_wave(&reverse, &wave, plies, threads);
        plies += 1;
    }
    shared.into_solution()
}

/// A solution that several threads decide vertices of.
struct Shared {
    values: Vec<AtomicU32>,
    plies: Vec<AtomicU32>,
}

impl Shared {
    fn new(solution: Solution) -> Self {
        Self {
            values: solution.values.into_iter().map(AtomicU32::new).collect(),
            plies: solution.plies.into_iter().map(AtomicU32::new).collect(),
        }
    }

    fn into_solution(self) -> Solution {
        let mut solution = Solution {
            values: self.values.into_iter().map(AtomicU32::into_inner).collect(),
            plies: self.plies.into_iter().map(AtomicU32::into_inner).collect(),
        };
        solution.settle();
        solution
    }

    fn code(&self, v: u32) -> u32 {
        let (word, shift) = place(v);
        self.values[word].load(Relaxed) >> shift & 3
    }

    fn next_wave(&self, reverse: &Rows<'_>, wave: &[u32], plies: u32, threads: usize) -> Vec<u32> {
        if wave.len() < WORTH_THREADS {
            return self.tell(reverse, wave, plies);
        }
        let share = wave.len().div_ceil(threads);
        thread::scope(|scope| {
            let parts: Vec<_> = wave
                .chunks(share)
                .map(|part| scope.spawn(move || self.tell(reverse, part, plies)))
                .collect();
            let mut next = Vec::new();
            for part in parts {
                next.extend(part.join().expect("a thread that only counts does not panic"));
            }
            next
        })
    }

    /// Tells the sources of `part`, and returns those that this thread decided.
    fn tell(&self, reverse: &Rows<'_>, part: &[u32], plies: u32) -> Vec<u32> {
        let mut decided = Vec::new();
        for &v in part {
            // Only now: while `v` was being decided, another thread could still count down here.
            self.plies[v as usize].store(plies - 1, Relaxed);
            let lost = self.code(v) == LOSS;
            for &u in reverse.row(v) {
                if self.code(u) != OPEN {
                    continue;
                }
                let won = lost && self.decide(u, WIN);
                let beaten = !lost
                    && self.plies[u as usize].fetch_sub(1, Relaxed) == 1
                    && self.decide(u, LOSS);
                if won || beaten {
                    decided.push(u);
                }
            }
        }
        decided
    }

    /// Whether this thread is the one that decides `u`. No two give it different codes: a vertex
    /// that can move to a loss never runs out of moves that do not win.
    fn decide(&self, u: u32, code: u32) -> bool {
        let (word, shift) = place(u);
        let before = self.values[word].fetch_or(code << shift, Relaxed);
        before >> shift & 3 == OPEN
    }
}
