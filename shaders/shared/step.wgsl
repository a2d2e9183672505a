// One quiet move of a side inside a component: of its indexed kings by the table of steps, of the
// fast piece by shifts of the word.

// The new wins (some move reaches a loss of the opponent) or losses (all moves reach a win) of one
// word; `within` is its place in its component.
fn new_bits(word: u32, within: u32, side: u32, loss: bool) -> u32 {
  let at = side * params.side_words + word;
  var candidates: u32;
  if (loss) { candidates = lossable_at(at) & ~losses_at(at) & ~wins_at(at); } else { candidates = quiet_at(at) & ~wins_at(at); }
  if (candidates == 0u) { return 0u; }
  let white = side == 1u;
  let component = (1u - side) * params.side_words + word - within; // the opponent's words
  let black_rank = within / params.inner_words;
  let white_rank = within - black_rank * params.inner_words;
  let steps = select(params.steps.y + black_rank, params.steps.w + white_rank, white);
  let rest = component + select(white_rank, black_rank * params.inner_words, white);
  let stride = select(params.inner_words, 1u, white);
  let end = tables[steps + 1u];
  var reached = select(0u, 0xffffffffu, loss);
  if (loss) {
    for (var step = tables[steps]; step < end; step++) { reached &= wins_at(rest + tables[step] * stride); }
  } else {
    for (var step = tables[steps]; step < end; step++) { reached |= losses_at(rest + tables[step] * stride); }
  }
  if ((params.fast >> 1u) == side) {
    var own: u32;
    if (loss) { own = wins_at(component + within); } else { own = losses_at(component + within); }
    reached = fast_moves(reached, own, side, loss);
  }
  return reached & candidates;
}

// Adds the moves of the fast piece. At an edge there is no move, and a fast man's step onto the
// crown row is a conversion, decided before: such bits are cleared for wins and set for losses.
fn fast_moves(before: u32, word: u32, side: u32, loss: bool) -> u32 {
  var reached = before;
  let king = (params.fast & 1u) == 1u;
  let crowning_down = select(0x0f000000u, 0u, king);
  let crowning_up = select(0x000000f0u, 0u, king);
  let none0 = EDGE0 | crowning_down;
  let none1 = EDGE1 | crowning_down;
  let none2 = EDGE2 | crowning_up;
  let none3 = EDGE3 | crowning_up;
  if (king || side == 0u) {
    if (loss) {
      reached &= (origins0(word) | none0) & (origins1(word) | none1);
    } else {
      reached |= (origins0(word) & ~none0) | (origins1(word) & ~none1);
    }
  }
  if (king || side == 1u) {
    if (loss) {
      reached &= (origins2(word) | none2) & (origins3(word) | none3);
    } else {
      reached |= (origins2(word) & ~none2) | (origins3(word) & ~none3);
    }
  }
  return reached;
}

// Adds the new bits of a word and returns them. Wins read only the opponent's losses and losses
// only the opponent's wins, and each lane writes its own words: nothing is double-buffered.
fn advance(word: u32, within: u32, side: u32, loss: bool) -> u32 {
  let found = new_bits(word, within, side, loss);
  if (found != 0u) {
    let at = side * params.side_words + word;
    if (loss) { put_losses(at, losses_at(at) | found); } else { put_wins(at, wins_at(at) | found); }
  }
  return found;
}
