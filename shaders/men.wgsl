// Man moves inside the slice: they lead to components that are more advanced and already solved,
// at the same placement of the kings.
//!include shared/params.wgsl
//!include shared/counters.wgsl
//!include shared/scratch.wgsl
//!include shared/arena.wgsl

@compute @workgroup_size(256)
fn men(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let word = dispatched_word(group, groups, lane);
  let side = group.z;
  if (word >= params.end || earlier_batch_stalled()) { return; }
  let at = side * params.side_words + word;
  let is_quiet = quiet_at(at);
  if (is_quiet == 0u) { return; }
  let component = word / params.component_words;
  let within = word - component * params.component_words;
  let ranks = components[params.components + component];
  let white = side == 1u;
  let rank = select(ranks.x, ranks.y, white);
  let stride = select(params.black_men_stride, params.white_men_stride, white);
  let rest = select(ranks.y * params.white_men_stride, ranks.x * params.black_men_stride, white) + within;
  let steps = select(params.steps.x, params.steps.z, white) + rank;
  let opponent = select(params.base.zw, params.base.xy, white);
  let end = tables[steps + 1u];
  var reaches_loss = 0u;
  var all_reach_win = 0xffffffffu;
  for (var step = tables[steps]; step < end; step++) {
    let entry = arena_entry(opponent.x, opponent.y, tables[step] * stride + rest);
    reaches_loss |= entry.y;
    all_reach_win &= entry.x;
  }
  put_wins(at, wins_at(at) | (reaches_loss & is_quiet));
  put_lossable(at, lossable_at(at) & all_reach_win);
}
