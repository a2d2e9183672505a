// Decides captures and promotions for every bit of 16 words a workgroup: writes wins, losses,
// quiet and lossable. The board is turned so that the mover is Black.
//
// Lanes first find (word, origin, square of the fast piece) tasks, then the leaves of their
// capture trees, then look the leaves up side by side, since each of these steps has far fewer
// items than there are squares.
//!include shared/params.wgsl
//!include shared/counters.wgsl
//!include shared/scratch.wgsl
//!include shared/board.wgsl
//!include shared/word.wgsl
//!include shared/arena.wgsl
//!include shared/lookup.wgsl
//!include shared/captures.wgsl

const GROUP_WORDS = 16u;
const MAX_TASKS = 3136u;  // 16 words, 28 squares, 7 pieces: cannot overflow to 8 pieces
const MAX_LEAVES = 1024u; // those beyond are looked up where they are found

var<workgroup> word_sets: array<vec4<u32>, 16>;
var<workgroup> valid: array<u32, 16>;
var<workgroup> capturing: array<atomic<u32>, 16>; // bits with a capture
var<workgroup> won: array<atomic<u32>, 16>;       // bits with a conversion that wins
var<workgroup> held: array<atomic<u32>, 16>;      // bits with a conversion that does not lose
var<workgroup> task_count: atomic<u32>;
var<workgroup> leaf_count: atomic<u32>;
var<workgroup> tasks: array<u32, 3136>;            // word << 10 | square of the fast piece << 5 | origin
var<workgroup> leaves: array<vec2<u32>, 1024>;     // leaf, captured set

// A leaf: destination | origin << 5 | square of the fast piece << 10 | word << 15 | crowned << 19.
fn leaf_of(destination: u32, origin: u32, fast_square: u32, word: u32, crowned: bool) -> u32 {
  return destination | (origin << 5u) | (fast_square << 10u) | (word << 15u)
    | (select(0u, 1u, crowned) << 19u);
}

fn evaluate(leaf: u32, captured: u32, fast: u32) {
  let destination = 1u << (leaf & 31u);
  let origin = 1u << ((leaf >> 5u) & 31u);
  let fast_bit = 1u << ((leaf >> 10u) & 31u);
  let word = (leaf >> 15u) & 15u;
  let p = with_fast(word_sets[word], fast, fast_bit);
  let king = (p.y & origin) != 0u || ((leaf >> 19u) & 1u) != 0u;
  let value = value_for_white(vec4<u32>(
    (p.x & ~origin) | select(destination, 0u, king),
    (p.y & ~origin) | select(0u, destination, king),
    p.z & ~captured,
    p.w & ~captured,
  ));
  if (value == LOSS) {
    atomicOr(&won[word], fast_bit);
  } else if (value != WIN) {
    atomicOr(&held[word], fast_bit);
  }
}

fn add_leaf(leaf: u32, captured: u32, fast: u32) {
  let at = atomicAdd(&leaf_count, 1u);
  if (at < MAX_LEAVES) {
    leaves[at] = vec2<u32>(leaf, captured);
  } else {
    evaluate(leaf, captured, fast);
  }
}

// Adds a task for each square of the fast piece in the set.
fn add_tasks(word: u32, squares: u32, origin: u32, fast_moves: bool) {
  if (squares == 0u) { return; }
  atomicOr(&capturing[word], squares);
  var at = atomicAdd(&task_count, countOneBits(squares));
  var rest = squares;
  while (rest != 0u) {
    let fast_square = countTrailingZeros(rest);
    tasks[at] = (word << 10u) | (fast_square << 5u) | select(origin, fast_square, fast_moves);
    at++;
    rest &= rest - 1u;
  }
}

// The i-th lowest square of a set as a set, or none.
fn nth_square(squares: u32, i: u32) -> u32 {
  var rest = squares;
  for (var k = 0u; k < i; k++) { rest &= rest - 1u; }
  return rest & (0u - rest);
}

// For which squares of the fast piece the piece on `origin` has a capture.
fn captures_of(origin: u32, king: bool, enemies: u32, occupied: u32, fast_is_enemy: bool) -> u32 {
  var squares = 0u;
  let directions = select(2u, 4u, king);
  for (var direction = 0u; direction < directions; direction++) {
    if (has_jump(origin, direction)) {
      let landing = 1u << (origin + jump_offset(direction));
      let taken = 1u << neighbour(origin, direction);
      if ((occupied & landing) == 0u) {
        if ((enemies & taken) != 0u) {
          squares |= ~landing;
        } else if (fast_is_enemy && (occupied & taken) == 0u) {
          squares |= taken;
        }
      }
    }
  }
  return squares;
}

// Lane `part` of 16 finds the capture tasks of one indexed piece; lane 7 those of the fast piece.
fn find_tasks(word: u32, part: u32, fast: u32) {
  let p = word_sets[word];
  let enemies = p.z | p.w;
  let occupied = p.x | p.y | enemies;
  if (part < 7u) {
    let men = countOneBits(p.x);
    let king = part >= men;
    let piece = nth_square(select(p.x, p.y, king), select(part, part - men, king));
    if (piece != 0u) {
      let origin = countTrailingZeros(piece);
      let squares = captures_of(origin, king, enemies, occupied, fast >= 2u);
      add_tasks(word, squares & valid[word], origin, false);
    }
  } else if (part == 7u && fast < 2u) {
    let men = select(0u, 0xffffffffu, fast == 0u);
    add_tasks(word, jumpers(men, ~men, enemies, ~occupied) & valid[word], 0u, true);
  }
}

// Lanes 8 to 14 of 16 find the promotions of one indexed man each in quiet positions, lane 15
// those of a fast man.
fn find_promotions(word: u32, part: u32, fast: u32) {
  let is_quiet = valid[word] & ~atomicLoad(&capturing[word]);
  if (part < 8u || is_quiet == 0u) { return; }
  let p = word_sets[word];
  let occupied = p.x | p.y | p.z | p.w;
  let last_row = 0x0f000000u; // an even row: steps of 4, and of 5 except in the last column
  let fast_man = part == 15u;
  if (fast_man && fast != 0u) { return; }
  var men = select(nth_square(p.x & last_row, part - 8u), is_quiet & last_row, fast_man);
  while (men != 0u) {
    let origin = countTrailingZeros(men);
    for (var step = 4u; step < 6u; step++) {
      let destination = 1u << (origin + step);
      if ((step == 5u && (origin & 3u) == 3u) || (occupied & destination) != 0u) { continue; }
      var squares = select(is_quiet & ~destination, 1u << origin, fast_man);
      while (squares != 0u) {
        add_leaf(leaf_of(origin + step, origin, countTrailingZeros(squares), word, true), 0u, fast);
        squares &= squares - 1u;
      }
    }
    men &= men - 1u;
  }
}

fn search_task(task: u32, fast: u32) {
  let origin = task & 31u;
  let fast_square = (task >> 5u) & 31u;
  let word = task >> 10u;
  let p = with_fast(word_sets[word], fast, 1u << fast_square);
  let king = ((p.y >> origin) & 1u) != 0u;
  let enemies = p.z | p.w;
  let empty = ~(p.x | p.y | enemies) | (1u << origin);
  var search = begin_captures(origin);
  while (next_capture(&search, king, enemies, empty)) {
    let crowned = search.square >= 28u;
    add_leaf(leaf_of(search.square, origin, fast_square, word, crowned), search.captured, fast);
  }
}

@compute @workgroup_size(256)
fn classify(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = params.first + (group.y * groups.x + group.x) * GROUP_WORDS;
  let side = group.z;
  let fast = params.fast ^ (side << 1u);
  if (lane < GROUP_WORDS) {
    var sets = vec4<u32>(0u);
    var squares = 0u;
    if (first + lane < params.end && !earlier_batch_stalled()) {
      sets = indexed_sets(first + lane);
      if (side == 1u) { sets = turned(sets); }
      squares = valid_squares(sets, fast);
    }
    word_sets[lane] = sets;
    valid[lane] = squares;
    atomicStore(&capturing[lane], 0u);
    atomicStore(&won[lane], 0u);
    atomicStore(&held[lane], 0u);
    if (lane == 0u) {
      atomicStore(&task_count, 0u);
      atomicStore(&leaf_count, 0u);
    }
  }
  workgroupBarrier();
  find_tasks(lane >> 4u, lane & 15u, fast);
  workgroupBarrier();
  find_promotions(lane >> 4u, lane & 15u, fast);
  let found_tasks = atomicLoad(&task_count);
  for (var i = lane; i < found_tasks; i += 256u) { search_task(tasks[i], fast); }
  workgroupBarrier();
  let found_leaves = min(atomicLoad(&leaf_count), MAX_LEAVES);
  for (var i = lane; i < found_leaves; i += 256u) { evaluate(leaves[i].x, leaves[i].y, fast); }
  workgroupBarrier();
  if (lane < 4u * GROUP_WORDS) {
    let local = lane >> 2u;
    let word = first + local;
    if (word < params.end && !earlier_batch_stalled()) {
      write_result(word + side * params.side_words, lane & 3u, local, side);
    }
  }
}

fn write_result(at: u32, which: u32, local: u32, side: u32) {
  let squares = valid[local];
  let decided = atomicLoad(&capturing[local]);
  let win = atomicLoad(&won[local]);
  let hold = atomicLoad(&held[local]);
  var result = vec4<u32>(~squares | win, decided & ~win & ~hold, squares & ~decided, squares & ~decided & ~win & ~hold);
  if (side == 1u) { result = reverseBits(result); }
  switch (which) {
    case 0u: { put_wins(at, result.x); }
    case 1u: { put_losses(at, result.y); }
    case 2u: { put_quiet(at, result.z); }
    default: { put_lossable(at, result.w); }
  }
}
