use core::fmt;

/// When a search ends.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The last iteration, in plies.
    pub depth: u8,
    /// Positions visited; the search stops within a few hundred of this number.
    pub nodes: u64,
    /// Asked every 64 positions: a flag, a clock, or both. The search stops when it says true.
    pub stop: &'a dyn Fn() -> bool,
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("depth", &self.depth)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

impl<'a> Limits<'a> {
    /// As deep as the search can go: up to [`Engine::MAX_DEPTH`](crate::Engine::MAX_DEPTH).
    pub const NONE: Self = Self { depth: u8::MAX, nodes: u64::MAX, stop: &|| false };

    /// To this depth in plies.
    pub const fn depth(depth: u8) -> Self {
        Self { depth, ..Self::NONE }
    }

    /// This number of positions, exactly the same ones each time.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::NONE }
    }

    /// Until a flag or clock says so.
    pub const fn until(stop: &'a dyn Fn() -> bool) -> Self {
        Self { stop, ..Self::NONE }
    }
}
