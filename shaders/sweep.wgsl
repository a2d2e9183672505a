// Half a round of propagation over large components, for both sides: wins, or losses when LOSS is
// set. A round leaves at once when the one before changed nothing.
//!include shared/params.wgsl
//!include shared/counters.wgsl
//!include shared/scratch.wgsl
//!include shared/board.wgsl
//!include shared/step.wgsl

override LOSS: bool = false;

@compute @workgroup_size(256)
fn sweep(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let word = dispatched_word(group, groups, lane);
  let side = group.z;
  if (word >= params.end || earlier_batch_stalled()) { return; }
  let flag = params.round_flags + params.round;
  if (params.round > 0u && atomicLoad(&counters[flag - 1u]) == 0u) { return; }
  if (advance(word, word % params.component_words, side, LOSS) == 0u) { return; }
  if (atomicLoad(&counters[flag]) == 0u) { atomicMax(&counters[flag], 1u); }
  atomicMax(&counters[ROUNDS], params.round + 1u);
  if (params.round + 1u == params.rounds) { atomicMin(&counters[STALLED], params.batch); }
}
