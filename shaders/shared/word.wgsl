// What a word of the batch stands for: the sets of its indexed pieces and its valid squares.

// The sets of the indexed pieces of a word, by group.
fn indexed_sets(word: u32) -> vec4<u32> {
  let component = word / params.component_words;
  let within = word - component * params.component_words;
  let black_kings = within / params.inner_words;
  let white_kings = within - black_kings * params.inner_words;
  let men = components[params.components + component];
  return vec4<u32>(
    tables[params.sets.x + men.x],
    tables[params.sets.y + black_kings],
    tables[params.sets.z + men.y],
    tables[params.sets.w + white_kings],
  );
}

// The squares on which the fast piece gives a position: none when indexed pieces overlap.
fn valid_squares(sets: vec4<u32>, fast: u32) -> u32 {
  let occupied = sets.x | sets.y | sets.z | sets.w;
  let counts = countOneBits(sets);
  if (countOneBits(occupied) != counts.x + counts.y + counts.z + counts.w) { return 0u; }
  var squares = ~occupied;
  if (fast == 0u) { squares &= ~BLACK_CROWN_ROW; }
  if (fast == 2u) { squares &= ~WHITE_CROWN_ROW; }
  return squares;
}

// The sets with the fast piece put on a square.
fn with_fast(sets: vec4<u32>, fast: u32, square: u32) -> vec4<u32> {
  return sets | select(vec4<u32>(0u), vec4<u32>(square), vec4<u32>(fast) == vec4<u32>(0u, 1u, 2u, 3u));
}

// The board turned by 180 degrees with colours swapped.
fn turned(sets: vec4<u32>) -> vec4<u32> {
  return reverseBits(sets.zwxy);
}
