// Squares are bits of a u32, as in the rules crate: bit i is square i + 1, rows of four.
// Directions: 0 down left, 1 down right, 2 up left, 3 up right. Black moves down.
const EVEN_ROWS = 0x0f0f0f0fu;
const ODD_ROWS = 0xf0f0f0f0u;
const LEFT_EDGE = 0x10101010u;  // odd rows: nothing to the left
const RIGHT_EDGE = 0x08080808u; // even rows: nothing to the right
const BLACK_CROWN_ROW = 0xf0000000u;
const WHITE_CROWN_ROW = 0x0000000fu;

// The squares whose neighbour in a direction is in the set.
fn origins0(squares: u32) -> u32 { return ((squares >> 4u) & EVEN_ROWS) | ((squares >> 3u) & ODD_ROWS & ~LEFT_EDGE); }
fn origins1(squares: u32) -> u32 { return ((squares >> 5u) & EVEN_ROWS & ~RIGHT_EDGE) | ((squares >> 4u) & ODD_ROWS); }
fn origins2(squares: u32) -> u32 { return ((squares << 4u) & EVEN_ROWS) | ((squares << 5u) & ODD_ROWS & ~LEFT_EDGE); }
fn origins3(squares: u32) -> u32 { return ((squares << 3u) & EVEN_ROWS & ~RIGHT_EDGE) | ((squares << 4u) & ODD_ROWS); }

// The squares without a neighbour in a direction.
const EDGE0 = BLACK_CROWN_ROW | LEFT_EDGE;
const EDGE1 = BLACK_CROWN_ROW | RIGHT_EDGE;
const EDGE2 = WHITE_CROWN_ROW | LEFT_EDGE;
const EDGE3 = WHITE_CROWN_ROW | RIGHT_EDGE;

// The neighbour of a square in a direction; the caller makes sure that there is one.
fn neighbour(square: u32, direction: u32) -> u32 {
  let right = direction & 1u;
  let down = square + 4u + right;
  let up = square - 4u + right;
  return select(down, up, direction > 1u) - ((square >> 2u) & 1u);
}

// Two neighbours on in a direction, modulo 2^32.
fn jump_offset(direction: u32) -> u32 {
  let right = (direction & 1u) * 2u;
  return select(7u + right, 0xfffffff7u + right, direction > 1u);
}

// Whether the board goes on for two squares in a direction.
fn has_jump(square: u32, direction: u32) -> bool {
  let column = square & 3u;
  let inside_columns = select(column != 0u, column != 3u, (direction & 1u) == 1u);
  let inside_rows = select((square < 24u), (square >= 8u), direction > 1u);
  return inside_columns && inside_rows;
}

// The squares from which a man or king of Black jumps some enemy, given the empty squares.
fn jumpers(men: u32, kings: u32, enemies: u32, empty: u32) -> u32 {
  let down = origins0(enemies & origins0(empty)) | origins1(enemies & origins1(empty));
  let up = origins2(enemies & origins2(empty)) | origins3(enemies & origins3(empty));
  return ((men | kings) & down) | (kings & up);
}
