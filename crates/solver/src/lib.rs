//! Builds draughts endgame tables by retrograde analysis: pipeline, reference, set-wise CPU backend, verifier.
