use core::fmt;
use std::error::Error;

use crownhead_table::Metric;

/// Why an image could not be made or unpacked.
#[derive(Debug)]
#[non_exhaustive]
pub enum PackError {
    /// It was asked to stop.
    Interrupted,
    /// An image holds positions with 2 to 8 pieces; here is what was asked for.
    Pieces(u32),
    /// The position is not legal.
    Illegal,
    /// The position has more pieces than the image knows.
    TooManyPieces {
        /// On the board.
        pieces: u32,
        /// The most that the image knows.
        known: u32,
    },
    /// The image has the right checksums, yet its parts do not fit together.
    Damaged,
    /// An image holds win, draw or loss, or distances to win; here is the metric asked for.
    Metric(Metric),
    /// The image would exceed what the format can address.
    TooLarge,
    /// Tables could not be read or written.
    Tables(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted"),
            Self::Pieces(pieces) => {
                write!(f, "{pieces} pieces: an image holds positions with 2 to 8")
            }
            Self::TooManyPieces { pieces, known } => {
                write!(f, "{pieces} pieces; the image knows positions with up to {known}")
            }
            Self::Illegal => f.write_str("the position is not legal"),
            Self::Damaged => f.write_str("the image is damaged"),
            Self::Metric(metric) => write!(f, "no image of metric {metric}: wld or dtw"),
            Self::TooLarge => f.write_str("the image would exceed what its format can address"),
            Self::Tables(error) => error.fmt(f),
        }
    }
}

impl Error for PackError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Tables(error) => error.source(),
            _ => None,
        }
    }
}
