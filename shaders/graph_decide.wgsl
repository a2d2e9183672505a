// Decides open vertices of the candidate words by what was known before this round: a win by a
// move to a loss, a loss when all moves lead to wins. One lane a vertex.
//!include shared/graph.wgsl

var<workgroup> found_won: array<atomic<u32>, 8>;
var<workgroup> found_lost: array<atomic<u32>, 8>;

fn decide(vertex: u32, local: u32) {
  let bit = 1u << (vertex & 31u);
  let end = offsets[vertex + 1u];
  var all_won = true;
  for (var i = offsets[vertex]; i < end; i++) {
    if (has(LOST, successors[i])) {
      atomicOr(&found_won[local], bit);
      plies[vertex] = params.round;
      return;
    }
    all_won = all_won && has(WON, successors[i]);
  }
  if (all_won) {
    atomicOr(&found_lost[local], bit);
    plies[vertex] = params.round;
  }
}

@compute @workgroup_size(256)
fn graph_decide(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let local = lane >> 5u;
  if (lane < 8u) {
    atomicStore(&found_won[lane], 0u);
    atomicStore(&found_lost[lane], 0u);
  }
  workgroupBarrier();
  let index = (group.y * groups.x + group.x) * 8u + local;
  let listed = index < atomicLoad(&counters[candidate_count(params.slot)]);
  var word = 0u;
  if (listed) {
    word = lists[candidate_at(params.round, index)];
    let vertex = word * 32u + (lane & 31u);
    if (has(OPEN, vertex)) { decide(vertex, local); }
  }
  workgroupBarrier();
  if (listed && (lane & 31u) == 0u) {
    atomicAdd(&counters[VISITED], 1u);
    let won = atomicLoad(&found_won[local]);
    let lost = atomicLoad(&found_lost[local]);
    if ((won | lost) != 0u) {
      bits[NEWLY_WON * params.words + word] = won;
      bits[NEWLY_LOST * params.words + word] = lost;
      lists[changed_at(atomicAdd(&counters[changed_count(params.slot)], 1u))] = word;
      atomicAdd(&counters[DECIDED], countOneBits(won | lost));
    }
  }
}
