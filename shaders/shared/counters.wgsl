// What the host reads back: a few counters and one flag for each sweep round.
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

const STALLED = 0u;        // lowest batch that needs more rounds; all ones when there is none
const MISSED_READS = 1u;   // reads outside of the arena
const OFFENDING = 2u;      // words that break the verifier's rules
const AUDIT_OFFENDING = 3u; // positions whose value contradicts their successors
const AUDITED = 4u;        // words audited
const AUDIT_FIRST = 5u;    // lowest offending word, all ones when there is none
const ROUNDS = 6u;         // most rounds that a component took
const FINISHED = 8u;       // words packed into the arena, 64 bits
const COUNTS = 10u;        // positions, then wins and losses with Black and White to move, 64 bits each

// Whether an earlier batch stalled, so that what this one reads is not final.
fn earlier_batch_stalled() -> bool {
  return atomicLoad(&counters[STALLED]) < params.batch;
}

// Whether this batch or an earlier one stalled.
fn batch_stalled() -> bool {
  return atomicLoad(&counters[STALLED]) <= params.batch;
}

// Adds to a counter of 64 bits.
fn add_wide(at: u32, amount: u32) {
  if (amount != 0u) {
    let old = atomicAdd(&counters[at], amount);
    if (old + amount < old) { atomicAdd(&counters[at + 1u], 1u); }
  }
}
