// Entries of solved slices: wins and losses of one word with one side to move. They lie in
// chunks of 2^CHUNK_BITS entries; a binding holds one chunk. The host says how many
// there are.
override CHUNK_BITS: u32 = 24u;

//!for arena: @group(2) @binding({i}) var<storage, read> chunk{i}: array<vec2<u32>>;

fn chunk_entry(chunk: u32, offset: u32) -> vec2<u32> {
  switch (chunk) {
    //!for arena: case {i}u: { return chunk{i}[offset]; }
    default: {
      atomicAdd(&counters[MISSED_READS], 1u);
      return vec2<u32>(0u, 0u);
    }
  }
}

// An entry of a slice that begins at this chunk and offset. No sum here exceeds 32 bits, though
// the number of an entry may.
fn arena_entry(chunk: u32, offset: u32, word: u32) -> vec2<u32> {
  let mask = (1u << CHUNK_BITS) - 1u;
  let low = offset + (word & mask);
  return chunk_entry(chunk + (word >> CHUNK_BITS) + (low >> CHUNK_BITS), low & mask);
}
