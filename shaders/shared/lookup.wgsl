// Values of whole positions, from any slice in the arena.
//!include shared/slices.wgsl

// The value of a position with White to move, for White: WIN, LOSS or 0 for a draw.
fn value_for_white(sets: vec4<u32>) -> u32 {
  if ((sets.z | sets.w) == 0u) { return LOSS; }
  let counts = countOneBits(sets);
  let slice = ((counts.x << 9u) | (counts.y << 6u) | (counts.z << 3u) | counts.w) * SLICE_WORDS;
  var p = sets;
  var at = slice + 9u;
  if (slices[slice + 1u] != 0u) {
    p = turned(sets);
    at = slice + 7u;
  }
  // The fast piece is the lowest of its group.
  let fast = vec4<u32>(slices[slice + 2u]) == vec4<u32>(0u, 1u, 2u, 3u);
  let group = select(vec4<u32>(0u), p, fast);
  let bit = countTrailingZeros(group.x | group.y | group.z | group.w);
  p = select(p, p & (p - 1u), fast);
  let word = rank(p.x) * slices[slice + 3u] + rank(p.y) * slices[slice + 4u]
    + rank(p.z >> 4u) * slices[slice + 5u] + rank(p.w) * slices[slice + 6u];
  let entry = arena_entry(slices[at], slices[at + 1u], word);
  return ((entry.x >> bit) & 1u) | (((entry.y >> bit) & 1u) << 1u);
}
