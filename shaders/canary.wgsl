// Small computations whose results are known: an adapter that gets one wrong is refused.
@group(0) @binding(0) var<storage, read_write> results: array<atomic<u32>>;

// Adds 1 to 60,000 in one invocation; the kernels stay below that many iterations.
@compute @workgroup_size(1)
fn long_loop() {
  var sum = atomicLoad(&results[0]);
  for (var i = 1u; i <= 60000u; i++) { sum = (sum + i) ^ (sum >> 31u); }
  atomicStore(&results[0], sum);
}

// Sets bit i of results[i / 32] for the lanes whose number is no multiple of 3 or 5.
@compute @workgroup_size(256)
fn ballot_order(@builtin(local_invocation_index) lane: u32) {
  if (lane % 3u != 0u && lane % 5u != 0u) { atomicOr(&results[lane / 32u], 1u << (lane % 32u)); }
}

// Counts the lanes of a dispatch folded into two dimensions, and keeps the largest index.
@compute @workgroup_size(256)
fn folded_dispatch(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + lane;
  atomicMax(&results[0], index);
  atomicAdd(&results[1], 1u);
}

// Bit operations that the kernels rely on, on values that no compiler knows.
@compute @workgroup_size(1)
fn bit_reversal() {
  let x = atomicLoad(&results[0]);
  atomicStore(&results[1], reverseBits(x));
  atomicStore(&results[2], countOneBits(x));
  atomicStore(&results[3], countTrailingZeros(x << 5u));
  atomicStore(&results[4], countTrailingZeros(x & (0u - x)));
}
