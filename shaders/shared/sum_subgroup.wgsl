// Adds up a value over the workgroup with one atomic a subgroup. Every lane must take part.
fn sum_up(slot: u32, amount: u32) {
  let total = subgroupAdd(amount);
  if (subgroupExclusiveAdd(1u) == 0u && total != 0u) { atomicAdd(&sums[slot], total); }
}
