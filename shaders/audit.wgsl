// Checks positions of a finished slice one at a time, one lane a square: plays every move on the
// board, looks every successor up, and compares. Nothing here is shared with classification by
// word, steps by table, or man moves by component. Words are numbered as in the slice.
//!include shared/params.wgsl
//!include shared/counters.wgsl
//!include shared/board.wgsl
//!include shared/word.wgsl
//!include shared/arena.wgsl
//!include shared/lookup.wgsl
//!include shared/captures.wgsl

// What is known of the moves seen so far.
struct Moves {
  wins: bool,    // some move reaches a loss of the opponent
  loses: bool,   // every move reaches a win of the opponent
}

fn seen(moves: ptr<function, Moves>, successor: vec4<u32>) {
  let value = value_for_white(successor);
  if (value == LOSS) { (*moves).wins = true; }
  if (value != WIN) { (*moves).loses = false; }
}

// The position after Black's piece goes from one square to another and takes the captured set.
fn after(p: vec4<u32>, origin: u32, destination: u32, captured: u32) -> vec4<u32> {
  let king = (p.y & origin) != 0u || (destination & BLACK_CROWN_ROW) != 0u;
  return vec4<u32>(
    (p.x & ~origin) | select(destination, 0u, king),
    (p.y & ~origin) | select(0u, destination, king),
    p.z & ~captured,
    p.w & ~captured,
  );
}

fn play_captures(p: vec4<u32>, capturing: u32) -> Moves {
  var moves = Moves(false, true);
  let enemies = p.z | p.w;
  var rest = capturing;
  while (rest != 0u) {
    let origin = countTrailingZeros(rest);
    rest &= rest - 1u;
    let bit = 1u << origin;
    var search = begin_captures(origin);
    while (next_capture(&search, (p.y & bit) != 0u, enemies, ~(p.x | p.y | enemies) | bit)) {
      seen(&moves, after(p, bit, 1u << search.square, search.captured));
    }
  }
  return moves;
}

fn play_quiet_moves(p: vec4<u32>) -> Moves {
  var moves = Moves(false, true);
  let empty = ~(p.x | p.y | p.z | p.w);
  var rest = p.x | p.y;
  while (rest != 0u) {
    let origin = countTrailingZeros(rest);
    let bit = 1u << origin;
    rest &= rest - 1u;
    if (((origins0(empty) & bit) != 0u)) { seen(&moves, after(p, bit, 1u << neighbour(origin, 0u), 0u)); }
    if (((origins1(empty) & bit) != 0u)) { seen(&moves, after(p, bit, 1u << neighbour(origin, 1u), 0u)); }
    let king = (p.y & bit) != 0u;
    if ((king && (origins2(empty) & bit) != 0u)) { seen(&moves, after(p, bit, 1u << neighbour(origin, 2u), 0u)); }
    if ((king && (origins3(empty) & bit) != 0u)) { seen(&moves, after(p, bit, 1u << neighbour(origin, 3u), 0u)); }
  }
  return moves;
}

// The sets of the indexed pieces of a word of the slice, by group.
fn slice_sets(word: u32) -> vec4<u32> {
  let black_men = word / params.black_men_stride;
  let rest = word - black_men * params.black_men_stride;
  let white_men = rest / params.white_men_stride;
  let within = rest - white_men * params.white_men_stride;
  let black_kings = within / params.inner_words;
  let white_kings = within - black_kings * params.inner_words;
  return vec4<u32>(
    tables[params.sets.x + black_men],
    tables[params.sets.y + black_kings],
    tables[params.sets.z + white_men],
    tables[params.sets.w + white_kings],
  );
}

@compute @workgroup_size(256)
fn audit(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * 8u + (lane >> 5u);
  let word = params.first + index * params.sample;
  if (word >= params.end) { return; }
  let square = lane & 31u;
  let side = group.z;
  let sets = slice_sets(word);
  if (square == 0u) { atomicAdd(&counters[AUDITED], 1u); }
  if (((valid_squares(sets, params.fast) >> square) & 1u) == 0u) { return; }
  var p = with_fast(sets, params.fast, 1u << square);
  if (side == 1u) { p = turned(p); }
  let capturing = jumpers(p.x, p.y, p.z | p.w, ~(p.x | p.y | p.z | p.w));
  var moves: Moves;
  if (capturing != 0u) { moves = play_captures(p, capturing); } else { moves = play_quiet_moves(p); }
  let base = select(params.base.xy, params.base.zw, side == 1u);
  let entry = arena_entry(base.x, base.y, word);
  let win = ((entry.x >> square) & 1u) != 0u;
  let loss = ((entry.y >> square) & 1u) != 0u;
  if (win != moves.wins || loss != (moves.loses && !moves.wins)) {
    atomicAdd(&counters[AUDIT_OFFENDING], 1u);
    atomicMin(&counters[AUDIT_FIRST], word);
  }
}
