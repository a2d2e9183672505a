// Checks a batch before it is packed: the fixed point is closed, and each word keeps the rules of
// its four bitsets. Words that were never written are poisoned so that they break them.
//!include shared/params.wgsl
//!include shared/counters.wgsl
//!include shared/scratch.wgsl
//!include shared/board.wgsl
//!include shared/word.wgsl
//!include shared/step.wgsl

@compute @workgroup_size(256)
fn verify(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let word = dispatched_word(group, groups, lane);
  let side = group.z;
  if (word >= params.end || batch_stalled()) { return; }
  let valid = valid_squares(indexed_sets(word), params.fast);
  let at = side * params.side_words + word;
  let win = wins_at(at);
  let loss = losses_at(at);
  let within = word % params.component_words;
  let offending = (~win & ~valid) | (loss & ~valid) | (win & loss & valid)
    | (quiet_at(at) & ~valid) | (lossable_at(at) & ~quiet_at(at))
    | new_bits(word, within, side, false) | new_bits(word, within, side, true);
  if (offending != 0u) { atomicAdd(&counters[OFFENDING], 1u); }
}
