//! File formats of draughts endgame tables, a no_std prober that answers every position, and a writer.
#![no_std]
#![forbid(unsafe_code)]

mod metric;

pub use metric::{Metric, ParseMetricError};
