// The slice of each material, at 12 words for each key of piece counts: whether it is there (0),
// whether the board must be turned (1), group of the fast piece (2), stride of each group (3-6),
// chunk and offset with Black to move (7, 8) and with White to move (9, 10).
@group(0) @binding(3) var<storage, read> slices: array<u32>;
const SLICE_WORDS = 12u;

// The colex rank of a set of up to 8 squares.
fn rank(squares: u32) -> u32 {
  var rest = squares;
  var sum = 0u;
  var k = 1u;
  while (rest != 0u) {
    sum += tables[countTrailingZeros(rest) * 9u + k];
    rest &= rest - 1u;
    k++;
  }
  return sum;
}

const WIN = 1u;
const LOSS = 2u;
