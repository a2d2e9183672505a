// Adds up a value over the workgroup with one atomic a lane.
fn sum_up(slot: u32, amount: u32) {
  if (amount != 0u) { atomicAdd(&sums[slot], amount); }
}
