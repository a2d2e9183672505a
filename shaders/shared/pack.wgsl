// The arena to write to, chunk by chunk as in arena.wgsl.
override CHUNK_BITS: u32 = 24u;

//!for arena: @group(2) @binding({i}) var<storage, read_write> chunk{i}: array<vec2<u32>>;

fn put_chunk_entry(chunk: u32, offset: u32, entry: vec2<u32>) {
  switch (chunk) {
    //!for arena: case {i}u: { chunk{i}[offset] = entry; }
    default: { atomicAdd(&counters[MISSED_READS], 1u); }
  }
}

fn put_entry(chunk: u32, offset: u32, word: u32, entry: vec2<u32>) {
  let mask = (1u << CHUNK_BITS) - 1u;
  let low = offset + (word & mask);
  put_chunk_entry(chunk + (word >> CHUNK_BITS) + (low >> CHUNK_BITS), low & mask, entry);
}
