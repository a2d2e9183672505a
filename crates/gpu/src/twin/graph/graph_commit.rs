use super::{Buffers, place};
use crate::graph::GraphParams;

/// Makes known what a round decided, and lists the words of all predecessors as candidates of the
/// next round, each word once.
pub(super) fn graph_commit(buffers: &mut Buffers<'_>, params: &GraphParams) {
    let words = buffers.words;
    for index in 0..buffers.counters[place::changed(params.slot)] {
        let word = buffers.lists[buffers.changed_at(index)] as usize;
        let won = buffers.bits[place::NEWLY_WON * words + word];
        let lost = buffers.bits[place::NEWLY_LOST * words + word];
        for bit in (0..32).filter(|bit| (won | lost) >> bit & 1 != 0) {
            list_predecessors(buffers, params, 32 * word as u32 + bit);
        }
        buffers.bits[place::WON * words + word] |= won;
        buffers.bits[place::LOST * words + word] |= lost;
        buffers.bits[place::OPEN * words + word] &= !(won | lost);
    }
}

fn list_predecessors(buffers: &mut Buffers<'_>, params: &GraphParams, vertex: u32) {
    for &predecessor in buffers.reverse.row(vertex) {
        let word = predecessor / 32;
        if core::mem::replace(&mut buffers.stamps[word as usize], params.round) != params.round {
            let index = buffers.count(place::candidates(params.slot + 1));
            let at = buffers.candidate_at(params.round + 1, index);
            buffers.lists[at] = word;
        }
    }
}
