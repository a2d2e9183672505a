// The batch at hand as in `scratch.wgsl`, where one binding does not hold a list: each lies in
// chunks of 2^SCRATCH_BITS words. The host says how many there are.
override SCRATCH_BITS: u32 = 24u;

//!for scratch: @group(1) @binding({4i+0}) var<storage, read_write> wins{i}: array<u32>;
//!for scratch: @group(1) @binding({4i+1}) var<storage, read_write> losses{i}: array<u32>;
//!for scratch: @group(1) @binding({4i+2}) var<storage, read_write> quiet{i}: array<u32>;
//!for scratch: @group(1) @binding({4i+3}) var<storage, read_write> lossable{i}: array<u32>;

fn scratch_offset(at: u32) -> u32 { return at & ((1u << SCRATCH_BITS) - 1u); }

fn missed_word() -> u32 {
  atomicAdd(&counters[MISSED_READS], 1u);
  return 0u;
}

fn wins_at(at: u32) -> u32 {
  let offset = scratch_offset(at);
  switch (at >> SCRATCH_BITS) {
    //!for scratch: case {i}u: { return wins{i}[offset]; }
    default: { return missed_word(); }
  }
}

fn put_wins(at: u32, word: u32) {
  let offset = scratch_offset(at);
  switch (at >> SCRATCH_BITS) {
    //!for scratch: case {i}u: { wins{i}[offset] = word; }
    default: { _ = missed_word(); }
  }
}

fn losses_at(at: u32) -> u32 {
  let offset = scratch_offset(at);
  switch (at >> SCRATCH_BITS) {
    //!for scratch: case {i}u: { return losses{i}[offset]; }
    default: { return missed_word(); }
  }
}

fn put_losses(at: u32, word: u32) {
  let offset = scratch_offset(at);
  switch (at >> SCRATCH_BITS) {
    //!for scratch: case {i}u: { losses{i}[offset] = word; }
    default: { _ = missed_word(); }
  }
}

fn quiet_at(at: u32) -> u32 {
  let offset = scratch_offset(at);
  switch (at >> SCRATCH_BITS) {
    //!for scratch: case {i}u: { return quiet{i}[offset]; }
    default: { return missed_word(); }
  }
}

fn put_quiet(at: u32, word: u32) {
  let offset = scratch_offset(at);
  switch (at >> SCRATCH_BITS) {
    //!for scratch: case {i}u: { quiet{i}[offset] = word; }
    default: { _ = missed_word(); }
  }
}

fn lossable_at(at: u32) -> u32 {
  let offset = scratch_offset(at);
  switch (at >> SCRATCH_BITS) {
    //!for scratch: case {i}u: { return lossable{i}[offset]; }
    default: { return missed_word(); }
  }
}

fn put_lossable(at: u32, word: u32) {
  let offset = scratch_offset(at);
  switch (at >> SCRATCH_BITS) {
    //!for scratch: case {i}u: { lossable{i}[offset] = word; }
    default: { _ = missed_word(); }
  }
}

//!include shared/dispatched.wgsl
