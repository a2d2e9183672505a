// Marks every entry of a new slice as invalid (won, not lost): components in which men overlap are
// never solved, and a man move that leads to one must count as no move.
//!include shared/params.wgsl
//!include shared/counters.wgsl
//!include shared/dispatched.wgsl
//!include shared/pack.wgsl

@compute @workgroup_size(256)
fn fill(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let word = dispatched_word(group, groups, lane);
  if (word >= params.end) { return; }
  put_entry(params.base.x, params.base.y, word, vec2<u32>(0xffffffffu, 0u));
  put_entry(params.base.z, params.base.w, word, vec2<u32>(0xffffffffu, 0u));
}
