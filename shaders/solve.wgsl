// Whole fixed points of small components: each workgroup takes some and iterates with barriers.
//!include shared/params.wgsl
//!include shared/counters.wgsl
//!include shared/scratch.wgsl
//!include shared/board.wgsl
//!include shared/step.wgsl

var<workgroup> changed: atomic<u32>;
var<workgroup> go_on: u32;

fn half_round(first: u32, end: u32, lane: u32, loss: bool) -> u32 {
  var found = 0u;
  for (var word = first + lane; word < end; word += 256u) {
    let within = word % params.component_words;
    if ((params.moving_sides & 1u) != 0u || loss) { found |= advance(word, within, 0u, loss); }
    if ((params.moving_sides & 2u) != 0u || loss) { found |= advance(word, within, 1u, loss); }
  }
  return found;
}

@compute @workgroup_size(256)
fn solve(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let words = params.group_components * params.component_words;
  let first = params.first + (group.y * groups.x + group.x) * words;
  if (lane == 0u) { go_on = select(1u, 0u, first >= params.end || earlier_batch_stalled()); }
  if (workgroupUniformLoad(&go_on) == 0u) { return; }
  let end = min(first + words, params.end);
  var rounds = 0u;
  loop {
    if (lane == 0u) { atomicStore(&changed, 0u); }
    workgroupBarrier();
    var found = half_round(first, end, lane, false);
    storageBarrier();
    found |= half_round(first, end, lane, true);
    storageBarrier();
    if (found != 0u) { atomicOr(&changed, 1u); }
    workgroupBarrier();
    if (lane == 0u) { go_on = select(0u, 1u, atomicLoad(&changed) != 0u && rounds + 1u < params.rounds); }
    if (workgroupUniformLoad(&go_on) == 0u) { break; }
    rounds++;
  }
  if (lane == 0u) {
    let unfinished = atomicLoad(&changed) != 0u;
    atomicMax(&counters[ROUNDS], rounds + select(0u, 1u, unfinished));
    if (unfinished) { atomicMin(&counters[STALLED], params.batch); }
  }
}
