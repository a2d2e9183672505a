// Packs a batch into the arena, counts its positions, and poisons the scratch behind it, so that
// the next batch cannot read stale results as its own.
//!include shared/params.wgsl
//!include shared/counters.wgsl
//!include shared/scratch.wgsl
//!include shared/board.wgsl
//!include shared/word.wgsl
//!include shared/sum.wgsl
//!include shared/pack.wgsl

// Positions, then wins and losses with Black and with White to move; words packed.
var<workgroup> sums: array<atomic<u32>, 6>;

@compute @workgroup_size(256)
fn finish(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane < 6u) { atomicStore(&sums[lane], 0u); }
  workgroupBarrier();
  let word = dispatched_word(group, groups, lane);
  var counts = vec4<u32>(0u);
  var positions = 0u;
  var packed = 0u;
  if (word < params.end && !batch_stalled()) {
    let other = word + params.side_words;
    let black = vec2<u32>(wins_at(word), losses_at(word));
    let white = vec2<u32>(wins_at(other), losses_at(other));
    let component = word / params.component_words;
    let men = components[params.components + component];
    let entry = men.x * params.black_men_stride + men.y * params.white_men_stride
      + word - component * params.component_words;
    put_entry(params.base.x, params.base.y, entry, black);
    put_entry(params.base.z, params.base.w, entry, white);
    let squares = distinct_squares(indexed_sets(word));
    positions = countOneBits(squares);
    counts = countOneBits(vec4<u32>(black, white) & vec4<u32>(squares));
    packed = 2u;
    poison(word);
    poison(other);
  }
  sum_up(0u, positions);
  sum_up(1u, counts.x);
  sum_up(2u, counts.y);
  sum_up(3u, counts.z);
  sum_up(4u, counts.w);
  sum_up(5u, packed);
  workgroupBarrier();
  if (lane < 5u) {
    add_wide(COUNTS + 2u * lane, atomicLoad(&sums[lane]));
  } else if (lane == 5u) {
    add_wide(FINISHED, atomicLoad(&sums[lane]));
  }
}

// The valid squares below all other pieces of the fast piece's group: each position once.
fn distinct_squares(sets: vec4<u32>) -> u32 {
  let group = select(vec4<u32>(0u), sets, vec4<u32>(params.fast) == vec4<u32>(0u, 1u, 2u, 3u));
  let others = group.x | group.y | group.z | group.w;
  let squares = valid_squares(sets, params.fast);
  return select(squares & ((others & (0u - others)) - 1u), squares, others == 0u);
}

fn poison(at: u32) {
  put_wins(at, 0u);
  put_losses(at, 0xffffffffu);
  put_quiet(at, 0xffffffffu);
  put_lossable(at, 0xffffffffu);
}
