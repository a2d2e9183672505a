// Checks positions of a batch that is packed, one at a time, one lane a square: plays every move on
// rows and columns, looks every successor up, and compares. It shares the numbering of words with
// the other kernels, but not their shifts, their capture search, their look-ups or their lists of
// steps.
//
// Quiet moves lead to words of the same slice with the same fast piece: those are solved by now,
// while another way to number the same position may lie in a component that is solved later.
//!include shared/params.wgsl
//!include shared/counters.wgsl
//!include shared/board.wgsl
//!include shared/word.wgsl
//!include shared/arena.wgsl
//!include shared/slices.wgsl

// What is known of the moves seen so far.
struct Moves {
  any: bool,
  wins: bool,    // some move reaches a loss of the opponent
  loses: bool,   // every move reaches a win of the opponent
}

fn see(moves: ptr<function, Moves>, value: u32) {
  (*moves).any = true;
  if (value == LOSS) { (*moves).wins = true; }
  if (value != WIN) { (*moves).loses = false; }
}

const NONE = 32u;

// The square beside another: down left, down right, up left, up right; or NONE.
fn beside(square: u32, direction: u32) -> u32 {
  let row = i32(square / 4u);
  let column = i32(2u * (square % 4u)) + select(0, 1, (row % 2) == 0);
  let next_row = select(row + 1, row - 1, direction >= 2u);
  let next_column = select(column - 1, column + 1, (direction % 2u) == 1u);
  if ((min(next_row, next_column) < 0) || (max(next_row, next_column) > 7)) { return NONE; }
  return u32(4 * next_row + next_column / 2);
}

fn has(squares: u32, square: u32) -> bool {
  return square != NONE && ((squares >> (square & 31u)) & 1u) != 0u;
}

fn may_go(king: bool, side: u32, direction: u32) -> bool {
  return king || (direction >= 2u) == (side == 1u);
}

fn crowns(king: bool, side: u32, square: u32) -> bool {
  return !king && (square / 4u) == select(7u, 0u, side == 1u);
}

// The position after a piece of a side goes from one square to another and takes the captured set.
fn after(p: vec4<u32>, side: u32, origin: u32, destination: u32, captured: u32) -> vec4<u32> {
  let was_king = has(p.y | p.w, origin);
  let king = was_king || crowns(was_king, side, destination);
  let left = p & vec4<u32>(~(captured | (1u << origin)));
  let man = select(1u << destination, 0u, king);
  let crowned = select(0u, 1u << destination, king);
  return left | select(vec4<u32>(man, crowned, 0u, 0u), vec4<u32>(0u, 0u, man, crowned), side == 1u);
}

fn entry_value(base: vec2<u32>, word: u32, fast_square: u32) -> u32 {
  let entry = arena_entry(base.x, base.y, word);
  return select(0u, WIN, has(entry.x, fast_square)) | select(0u, LOSS, has(entry.y, fast_square));
}

// The value, for its side to move, of a position of the slice at hand.
fn value_here(p: vec4<u32>, side: u32, fast_square: u32) -> u32 {
  let indexed = p & vec4<u32>(~(1u << fast_square));
  let word = rank(indexed.x) * params.black_men_stride + rank(indexed.y) * params.inner_words
    + rank(indexed.z >> 4u) * params.white_men_stride + rank(indexed.w);
  return entry_value(select(params.base.xy, params.base.zw, side == 1u), word, fast_square);
}

// The value, for its side to move, of a position of a slice that was solved before.
fn value_elsewhere(position: vec4<u32>, side: u32) -> u32 {
  var p = position;
  var mover = side;
  var counts = countOneBits(p);
  if (select(counts.x + counts.y, counts.z + counts.w, side == 1u) == 0u) { return LOSS; }
  // Black has more pieces in every slice, or as many and more kings.
  let black = 16u * (counts.x + counts.y) + counts.y;
  let white = 16u * (counts.z + counts.w) + counts.w;
  if (black < white) {
    p = reverseBits(p.zwxy);
    counts = counts.zwxy;
    mover = 1u - side;
  }
  let slice = SLICE_WORDS * (512u * counts.x + 64u * counts.y + 8u * counts.z + counts.w);
  if (slices[slice] == 0u) {
    atomicAdd(&counters[MISSED_READS], 1u);
    return 0u;
  }
  var word = 0u;
  var fast_square = 0u;
  for (var group = 0u; group < 4u; group++) {
    var pieces = p[group];
    if (group == slices[slice + 2u]) {
      fast_square = countTrailingZeros(pieces);
      pieces &= pieces - 1u;
    }
    word += rank(select(pieces, pieces >> 4u, group == 2u)) * slices[slice + 3u + group];
  }
  let base = slice + 7u + 2u * mover;
  return entry_value(vec2<u32>(slices[base], slices[base + 1u]), word, fast_square);
}

// Where a capturing piece stands, what it has taken, and what it has tried from there.
struct Stand {
  square: u32,
  captured: u32,
  direction: u32,
  jumped_on: bool,
}

fn play_captures_from(moves: ptr<function, Moves>, p: vec4<u32>, side: u32, origin: u32) {
  let king = has(p.y | p.w, origin);
  let enemies = select(p.z | p.w, p.x | p.y, side == 1u);
  let occupied = (p.x | p.y | p.z | p.w) & ~(1u << origin);
  var stands: array<Stand, 9>;
  stands[0] = Stand(origin, 0u, 0u, false);
  var depth = 0u;
  loop {
    let stand = stands[depth];
    if (stand.direction < 4u) {
      stands[depth].direction++;
      if (!may_go(king, side, stand.direction)) { continue; }
      let over = beside(stand.square, stand.direction);
      if (!has(enemies & ~stand.captured, over)) { continue; }
      let landing = beside(over, stand.direction);
      if (landing == NONE || has(occupied, landing)) { continue; }
      stands[depth].jumped_on = true;
      depth++;
      stands[depth] = Stand(landing, stand.captured | (1u << over), 0u, false);
    } else {
      if (depth == 0u) { break; }
      if (!stand.jumped_on) {
        let reached = after(p, side, origin, stand.square, stand.captured);
        see(moves, value_elsewhere(reached, 1u - side));
      }
      depth--;
    }
  }
}

fn play_quiet_moves_from(
  moves: ptr<function, Moves>, p: vec4<u32>, side: u32, origin: u32, fast_square: u32,
) {
  let king = has(p.y | p.w, origin);
  for (var direction = 0u; direction < 4u; direction++) {
    let destination = beside(origin, direction);
    if (!may_go(king, side, direction) || destination == NONE || has(p.x | p.y | p.z | p.w, destination)) {
      continue;
    }
    let reached = after(p, side, origin, destination, 0u);
    if (crowns(king, side, destination)) {
      see(moves, value_elsewhere(reached, 1u - side));
    } else {
      let fast = select(fast_square, destination, origin == fast_square);
      see(moves, value_here(reached, 1u - side, fast));
    }
  }
}

fn play_all(p: vec4<u32>, side: u32, fast_square: u32) -> Moves {
  let own = select(p.x | p.y, p.z | p.w, side == 1u);
  var moves = Moves(false, false, true);
  for (var rest = own; rest != 0u; rest &= rest - 1u) {
    play_captures_from(&moves, p, side, countTrailingZeros(rest));
  }
  if (moves.any) { return moves; }
  for (var rest = own; rest != 0u; rest &= rest - 1u) {
    play_quiet_moves_from(&moves, p, side, countTrailingZeros(rest), fast_square);
  }
  return moves;
}

@compute @workgroup_size(256)
fn audit(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * 8u + (lane >> 5u);
  let word = params.first + index * params.sample;
  if (word >= params.end || batch_stalled()) { return; }
  let square = lane & 31u;
  let side = group.z;
  let sets = indexed_sets(word);
  if (square == 0u) { atomicAdd(&counters[AUDITED], 1u); }
  if (!has(valid_squares(sets, params.fast), square)) { return; }
  let p = with_fast(sets, params.fast, 1u << square);
  let moves = play_all(p, side, square);
  let found = value_here(p, side, square);
  let right = select(select(0u, LOSS, moves.loses), WIN, moves.wins);
  if (found != right) {
    atomicAdd(&counters[AUDIT_OFFENDING], 1u);
    atomicMin(&counters[AUDIT_FIRST], word);
  }
}
