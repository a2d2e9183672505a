use super::{Buffers, place};
use crate::graph::GraphParams;

/// Decides open vertices of the candidate words by what was known before this round.
pub(super) fn graph_decide(buffers: &mut Buffers<'_>, params: &GraphParams) {
    for index in 0..buffers.counters[place::candidates(params.slot)] {
        let word = buffers.lists[buffers.candidate_at(params.round, index)];
        buffers.count(place::VISITED);
        let (mut won, mut lost) = (0u32, 0u32);
        for bit in 0..32 {
            let vertex = 32 * word + bit;
            if !buffers.has(place::OPEN, vertex) {
                continue;
            }
            let row = buffers.rows.row(vertex);
            if row.iter().any(|&to| buffers.has(place::LOST, to)) {
                won |= 1 << bit;
            } else if row.iter().all(|&to| buffers.has(place::WON, to)) {
                lost |= 1 << bit;
            } else {
                continue;
            }
            buffers.plies[vertex as usize] = params.round;
            buffers.count(place::DECIDED);
        }
        if won | lost != 0 {
            buffers.bits[place::NEWLY_WON * buffers.words + word as usize] = won;
            buffers.bits[place::NEWLY_LOST * buffers.words + word as usize] = lost;
            let index = buffers.count(place::changed(params.slot));
            let at = buffers.changed_at(index);
            buffers.lists[at] = word;
        }
    }
}
