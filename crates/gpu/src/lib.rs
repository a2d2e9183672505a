//! Builds draughts endgame tables on the GPU through wgpu.
