use core::fmt;
use std::error::Error;

/// Why an image could not be made or unpacked.
#[derive(Debug)]
#[non_exhaustive]
pub enum PackError {
    /// It was asked to stop.
    Interrupted,
    /// An image holds positions with 2 to 8 pieces; here is what was asked for.
    Pieces(u32),
    /// The image would exceed what the format can address.
    TooLarge,
    /// Tables could not be read or written.
    Tables(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted"),
            Self::Pieces(pieces) => write!(f, "{pieces} pieces: an image holds 2 to 8"),
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
