// The word of a one-dimensional dispatch that is folded into two dimensions.
fn dispatched_word(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
  return params.first + (group.y * groups.x + group.x) * 256u + lane;
}
