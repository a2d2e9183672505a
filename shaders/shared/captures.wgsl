// Depth-first search over the captures of one black piece, with two bits a depth in one word:
// the square before a jump follows from its direction.
struct CaptureSearch {
  square: u32,     // where the piece stands now
  direction: u32,  // next direction to try
  depth: u32,      // jumps made
  path: u32,       // direction of each jump, two bits a depth
  continued: u32,  // bit d: some jump goes on from depth d
  captured: u32,   // pieces taken so far; no jump can land where one stood (the rows differ in parity)
}

fn begin_captures(origin: u32) -> CaptureSearch {
  return CaptureSearch(origin, 0u, 0u, 0u, 0u, 0u);
}

// Goes on to the next complete capture and returns whether there is one; then `square` and
// `captured` describe it. Empty squares include the origin.
fn next_capture(search: ptr<function, CaptureSearch>, king: bool, enemies: u32, empty: u32) -> bool {
  let directions = select(2u, 4u, king);
  var s = *search;
  var found = false;
  loop {
    if (s.direction < directions) {
      let landing = s.square + jump_offset(s.direction);
      let taken = 1u << (neighbour(s.square, s.direction) & 31u);
      let onto = 1u << (landing & 31u);
      if (has_jump(s.square, s.direction) && (enemies & ~s.captured & taken) != 0u
          && (empty & onto) != 0u) {
        s.continued |= 1u << s.depth;
        s.path = (s.path & ~(3u << (2u * s.depth))) | (s.direction << (2u * s.depth));
        s.captured |= taken;
        s.square = landing;
        s.depth++;
        s.continued &= ~(1u << s.depth);
        // A man that is crowned stops here: no row lies before it.
        s.direction = 0u;
      } else {
        s.direction++;
      }
    } else {
      if (s.depth == 0u) { break; }
      // Back from a leaf: hand it out once, with the search standing on it.
      if ((s.continued & (1u << s.depth)) == 0u) {
        s.continued |= 1u << s.depth;
        found = true;
        break;
      }
      s.depth--;
      s.direction = (s.path >> (2u * s.depth)) & 3u;
      s.square = s.square - jump_offset(s.direction);
      s.captured &= ~(1u << neighbour(s.square, s.direction));
      s.direction++;
    }
  }
  *search = s;
  return found;
}
