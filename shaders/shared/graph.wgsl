// A game graph in rows, and what is known of its vertices, 32 in a word.
struct GraphParams {
  words: u32,  // words of each bitset
  round: u32,  // from 1: the plies of what this round decides
  slot: u32,   // number of the round in its submission
}

@group(0) @binding(0) var<uniform> params: GraphParams;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> successors: array<u32>;
@group(0) @binding(3) var<storage, read> reverse_offsets: array<u32>;
@group(0) @binding(4) var<storage, read> predecessors: array<u32>;
// Five bitsets one after another: open, won, lost, and what this round newly won and lost.
@group(0) @binding(5) var<storage, read_write> bits: array<u32>;
@group(0) @binding(6) var<storage, read_write> plies: array<u32>;
// Three lists of words: candidates of odd and of even rounds, and those that changed.
@group(0) @binding(7) var<storage, read_write> lists: array<u32>;
// The round in which a word was last listed as a candidate.
@group(0) @binding(8) var<storage, read_write> stamps: array<atomic<u32>>;
// How many vertices are decided and words looked at; then for each round its candidates and its
// changed words.
@group(0) @binding(9) var<storage, read_write> counters: array<atomic<u32>>;

const OPEN = 0u;
const WON = 1u;
const LOST = 2u;
const NEWLY_WON = 3u;
const NEWLY_LOST = 4u;

const DECIDED = 0u;
const VISITED = 1u;

fn candidate_count(slot: u32) -> u32 { return 2u + 2u * slot; }
fn changed_count(slot: u32) -> u32 { return 3u + 2u * slot; }

fn candidate_at(round: u32, index: u32) -> u32 { return (round & 1u) * params.words + index; }
fn changed_at(index: u32) -> u32 { return 2u * params.words + index; }

// Whether a vertex is in a bitset.
fn has(bitset: u32, vertex: u32) -> bool {
  return ((bits[bitset * params.words + (vertex >> 5u)] >> (vertex & 31u)) & 1u) != 0u;
}
