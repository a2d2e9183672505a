// The batch at hand, one word for each placement of the indexed pieces; White to move lies
// `side_words` after Black to move. Each of the four lists is one buffer; `scratch_chunks.wgsl` has
// the same functions for lists that are longer than a binding.
@group(1) @binding(0) var<storage, read_write> wins: array<u32>;     // 1 on invalid bits
@group(1) @binding(1) var<storage, read_write> losses: array<u32>;   // 0 on invalid bits
@group(1) @binding(2) var<storage, read_write> quiet: array<u32>;    // valid, no capture
@group(1) @binding(3) var<storage, read_write> lossable: array<u32>; // quiet, every conversion loses

fn wins_at(at: u32) -> u32 { return wins[at]; }
fn losses_at(at: u32) -> u32 { return losses[at]; }
fn quiet_at(at: u32) -> u32 { return quiet[at]; }
fn lossable_at(at: u32) -> u32 { return lossable[at]; }

fn put_wins(at: u32, word: u32) { wins[at] = word; }
fn put_losses(at: u32, word: u32) { losses[at] = word; }
fn put_quiet(at: u32, word: u32) { quiet[at] = word; }
fn put_lossable(at: u32, word: u32) { lossable[at] = word; }

//!include shared/dispatched.wgsl
