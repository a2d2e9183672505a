// Makes known what a round decided, and lists the words of all predecessors as candidates of the
// next round, each word once. One lane a vertex.
//!include shared/graph.wgsl

fn list_predecessors(vertex: u32) {
  let end = reverse_offsets[vertex + 1u];
  for (var i = reverse_offsets[vertex]; i < end; i++) {
    let word = predecessors[i] >> 5u;
    if (atomicExchange(&stamps[word], params.round) != params.round) {
      let index = atomicAdd(&counters[candidate_count(params.slot + 1u)], 1u);
      lists[candidate_at(params.round + 1u, index)] = word;
    }
  }
}

@compute @workgroup_size(256)
fn graph_commit(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * 8u + (lane >> 5u);
  if (index >= atomicLoad(&counters[changed_count(params.slot)])) { return; }
  let word = lists[changed_at(index)];
  let won = bits[NEWLY_WON * params.words + word];
  let lost = bits[NEWLY_LOST * params.words + word];
  let at = lane & 31u;
  if ((((won | lost) >> at) & 1u) != 0u) { list_predecessors(word * 32u + at); }
  if (at == 0u) {
    bits[WON * params.words + word] |= won;
    bits[LOST * params.words + word] |= lost;
    bits[OPEN * params.words + word] &= ~(won | lost);
  }
}
