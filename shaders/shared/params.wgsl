// What one dispatch works on. The host writes one slot of the uniform buffer for each dispatch.
// Four-part values go by group: black men, black kings, white men, white kings.
struct Params {
  sets: vec4<u32>,          // where each indexed group's list of sets begins in `tables`
  steps: vec4<u32>,         // where each indexed group's list of steps begins in `tables`
  base: vec4<u32>,          // chunk and offset of this slice's entries, Black to move, then White
  first: u32,               // first word of the batch that this dispatch covers
  end: u32,                 // one past the last
  component_words: u32,     // placements of all indexed kings: the words of one component
  inner_words: u32,         // placements of the indexed white kings
  components: u32,          // where the batch begins in the component list
  fast: u32,                // group of the fast piece, 0 to 3
  side_words: u32,          // distance between the two sides in scratch
  black_men_stride: u32,    // words from one placement of the indexed black men to the next
  white_men_stride: u32,
  moving_sides: u32,        // bit t: side t has pieces that move inside a component
  batch: u32,               // number of the batch in its submission
  round: u32,               // sweep: number of this round; solve: unused
  rounds: u32,              // the round after which an unfinished batch counts as stalled
  round_flags: u32,         // where the batch's round flags begin in `counters`
  group_components: u32,    // solve: whole components for each workgroup
  sample: u32,              // audit: every how many words one is checked
}

@group(0) @binding(0) var<uniform> params: Params;
// Binomials, sets and steps of every group; see `Tables` on the host.
@group(0) @binding(1) var<storage, read> tables: array<u32>;
// Ranks of the black and white men of each component of the batches at hand.
@group(0) @binding(2) var<storage, read> components: array<vec2<u32>>;
