use alloc::borrow::Cow;
use alloc::vec;
#[cfg(feature = "std")]
use alloc::vec::Vec;
use core::fmt;

/// Adjacency lists in compressed sparse rows: the targets of vertex `v` are
/// `targets[offsets[v]..offsets[v + 1]]`.
///
/// Both arrays are plain slices of `u32`, owned or borrowed (from a memory map, say), so that a GPU
/// or another program can take them as they are. Parallel edges and self-loops are kept, and the
/// targets of a vertex keep the order in which its edges were given.
///
/// ```
/// use crownhead_graph::Rows;
///
/// let rows = Rows::from_edges(3, [(0, 1), (0, 2), (2, 0)].into_iter())?;
/// assert_eq!(rows.row(0), [1, 2]);
/// assert_eq!(rows.reversed().row(0), [2]);
/// # Ok::<(), crownhead_graph::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows<'a> {
    offsets: Cow<'a, [u32]>,
    targets: Cow<'a, [u32]>,
}

impl Rows<'static> {
    /// Builds the rows of `vertices` vertices from an iterator over the edges.
    ///
    /// The edges are counted in a first pass and placed in a second one, so no list of them is ever
    /// held: the peak is the result itself, 4 bytes an edge and 4 a vertex.
    ///
    /// # Errors
    ///
    /// More than 2^32-2 vertices, more than 2^32-1 edges, an end of an edge that is not below
    /// `vertices`, or an iterator whose clone gives other edges.
    pub fn from_edges<I>(vertices: usize, edges: I) -> Result<Self, GraphError>
    where
        I: Iterator<Item = (u32, u32)> + Clone,
    {
        if vertices >= u32::MAX as usize {
            return Err(GraphError::TooManyVertices { vertices });
        }
        let mut offsets = vec![0_u32; vertices + 1];
        let mut count = 0_u64;
        for (from, to) in edges.clone() {
            for vertex in [from, to] {
                if vertex as usize >= vertices {
                    return Err(GraphError::VertexOutOfRange { edge: count, vertex, vertices });
                }
            }
            count += 1;
            if count > u64::from(u32::MAX) {
                return Err(GraphError::TooManyEdges);
            }
            offsets[from as usize + 1] += 1;
        }
        accumulate(&mut offsets);
        let mut targets = vec![0_u32; count as usize];
        let mut placed = 0_u64;
        for (from, to) in edges {
            // Each offset walks from the start of its row to its end; `restore` moves them back.
            let cursor = offsets.get_mut(from as usize).ok_or(GraphError::EdgesChanged)?;
            *targets.get_mut(*cursor as usize).ok_or(GraphError::EdgesChanged)? = to;
            *cursor += 1;
            placed += 1;
        }
        restore(&mut offsets);
        if placed != count || offsets[vertices] as u64 != count {
            return Err(GraphError::EdgesChanged);
        }
        Ok(Self { offsets: offsets.into(), targets: targets.into() })
    }
}

impl<'a> Rows<'a> {
    /// Takes rows that already exist, owned or borrowed.
    ///
    /// # Errors
    ///
    /// Offsets that do not start at 0, fall, or do not end at the number of targets; targets that
    /// are no vertices.
    pub fn from_parts(
        offsets: impl Into<Cow<'a, [u32]>>,
        targets: impl Into<Cow<'a, [u32]>>,
    ) -> Result<Self, GraphError> {
        let (offsets, targets) = (offsets.into(), targets.into());
        if offsets.is_empty() || offsets[0] != 0 {
            return Err(GraphError::BadOffset { vertex: 0 });
        }
        let vertices = offsets.len() - 1;
        if vertices >= u32::MAX as usize {
            return Err(GraphError::TooManyVertices { vertices });
        }
        if let Some(v) = offsets.windows(2).position(|pair| pair[1] < pair[0]) {
            return Err(GraphError::BadOffset { vertex: v as u32 + 1 });
        }
        if offsets[vertices] as usize != targets.len() {
            return Err(GraphError::BadOffset { vertex: vertices as u32 });
        }
        // The largest is found without a branch an edge; the place only when there is a fault.
        if targets.iter().fold(0, |most, &t| most.max(t)) as usize >= vertices.max(1) {
            let edge = targets.iter().position(|&t| t as usize >= vertices).unwrap_or(0);
            let vertex = targets[edge];
            return Err(GraphError::VertexOutOfRange { edge: edge as u64, vertex, vertices });
        }
        if vertices == 0 && !targets.is_empty() {
            return Err(GraphError::BadOffset { vertex: 0 });
        }
        Ok(Self { offsets, targets })
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of edges, parallel ones counted each.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// Where each row starts in [`targets`](Self::targets); one entry more than vertices.
    #[must_use]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The targets of all edges, row after row.
    #[must_use]
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// The targets of the edges from `vertex`.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex.
    #[must_use]
    #[inline]
    pub fn row(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.targets[self.offsets[v] as usize..self.offsets[v + 1] as usize]
    }

    /// The number of edges from `vertex`.
    ///
    /// # Panics
    ///
    /// If `vertex` is not a vertex.
    #[must_use]
    #[inline]
    pub fn degree(&self, vertex: u32) -> u32 {
        self.offsets[vertex as usize + 1] - self.offsets[vertex as usize]
    }

    /// All edges, row after row.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
        (0..self.vertices() as u32).flat_map(|v| self.row(v).iter().map(move |&w| (v, w)))
    }

    /// The rows of the reversed edges: who can move to each vertex.
    #[must_use]
    pub fn reversed(&self) -> Rows<'static> {
        let vertices = self.vertices();
        let mut offsets = vec![0_u32; vertices + 1];
        for &target in self.targets.iter() {
            offsets[target as usize + 1] += 1;
        }
        accumulate(&mut offsets);
        let mut sources = vec![0_u32; self.edges()];
        for v in 0..vertices as u32 {
            for &target in self.row(v) {
                let cursor = &mut offsets[target as usize];
                sources[*cursor as usize] = v;
                *cursor += 1;
            }
        }
        restore(&mut offsets);
        Rows { offsets: offsets.into(), targets: sources.into() }
    }

    /// [`reversed`](Self::reversed) with each thread filling the rows of its own range of vertices.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn reversed_parallel(&self, threads: usize) -> Rows<'static> {
        if threads < 2 || self.vertices() < threads {
            return self.reversed();
        }
        crate::parallel::reversed(self, threads)
    }

    /// The bytes that the rows take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        4 * (self.offsets.len() + self.targets.len())
    }

    /// The same rows, owned.
    #[must_use]
    pub fn into_owned(self) -> Rows<'static> {
        Rows {
            offsets: self.offsets.into_owned().into(),
            targets: self.targets.into_owned().into(),
        }
    }

    #[cfg(feature = "std")]
    pub(crate) fn from_trusted(offsets: Vec<u32>, targets: Vec<u32>) -> Rows<'static> {
        Rows { offsets: offsets.into(), targets: targets.into() }
    }
}

/// Turns counts, shifted by one, into starts of rows.
pub(crate) fn accumulate(offsets: &mut [u32]) {
    let mut sum = 0_u32;
    for offset in offsets {
        sum += *offset;
        *offset = sum;
    }
}

/// After placing, each offset stands at the end of its row, where the next one starts.
pub(crate) fn restore(offsets: &mut [u32]) {
    let last = offsets.len() - 1;
    offsets.copy_within(..last, 1);
    offsets[0] = 0;
}

/// Why rows cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphError {
    /// More vertices than `u32` can number.
    TooManyVertices {
        /// How many were asked for.
        vertices: usize,
    },
    /// More than 2^32-1 edges.
    TooManyEdges,
    /// An end of an edge is not a vertex.
    VertexOutOfRange {
        /// The position of the edge in the order given, from 0.
        edge: u64,
        /// The end that is no vertex.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// The second pass over the edges gave others than the first.
    EdgesChanged,
    /// The offset of this vertex is not where the row before it ends.
    BadOffset {
        /// The vertex.
        vertex: u32,
    },
    /// As many labels or owners as vertices are needed.
    WrongLength {
        /// What was counted.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many vertices there are.
        vertices: usize,
    },
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyVertices { vertices } => {
                write!(f, "{vertices} vertices are too many: at most 4294967294 are numbered")
            }
            Self::TooManyEdges => write!(f, "more than 4294967295 edges"),
            Self::VertexOutOfRange { edge, vertex, vertices } => {
                write!(f, "edge {edge} has the end {vertex}, but there are {vertices} vertices")
            }
            Self::EdgesChanged => write!(f, "the edges were not the same in the second pass"),
            Self::BadOffset { vertex } => {
                write!(f, "the offset of vertex {vertex} does not continue the rows before it")
            }
            Self::WrongLength { what, given, vertices } => {
                write!(f, "{given} {what} for {vertices} vertices: one each is needed")
            }
        }
    }
}

impl core::error::Error for GraphError {}
