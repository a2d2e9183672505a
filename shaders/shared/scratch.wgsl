// The batch at hand, one word for each placement of the indexed pieces; White to move lies
// `side_words` after Black to move.
@group(1) @binding(0) var<storage, read_write> wins: array<u32>;     // 1 on invalid bits
@group(1) @binding(1) var<storage, read_write> losses: array<u32>;   // 0 on invalid bits
@group(1) @binding(2) var<storage, read_write> quiet: array<u32>;    // valid, no capture
@group(1) @binding(3) var<storage, read_write> lossable: array<u32>; // quiet, every conversion loses

// The word of a one-dimensional dispatch that is folded into two dimensions.
fn dispatched_word(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
  return params.first + (group.y * groups.x + group.x) * 256u + lane;
}
