use core::fmt;

use crownhead_index::Material;

/// Why something could not be done on the GPU.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no adapter at all.
    NoAdapter,
    /// No adapter has this name or index; those there are.
    UnknownAdapter {
        /// What was asked for.
        wanted: String,
        /// Names of the adapters that there are.
        found: Vec<String>,
    },
    /// The adapter lacks something that the kernels need.
    Unfit {
        /// The adapter's name.
        adapter: String,
        /// The limit or feature, with what is there and what is needed.
        lacks: String,
    },
    /// The adapter computes wrongly.
    Canary {
        /// The adapter's name.
        adapter: String,
        /// Which canary found it.
        canary: &'static str,
        /// What it found, and what would be right.
        detail: String,
    },
    /// The driver refused to open the device.
    Open(String),
    /// The device was lost, by a fault of the driver or of the hardware.
    DeviceLost(String),
    /// The device's memory is full.
    OutOfMemory(String),
    /// wgpu or the driver rejected a shader or a command: a fault in this crate or in the driver.
    Validation(String),
    /// The device did not finish in time.
    TimedOut {
        /// How long it was waited for.
        seconds: u64,
    },
    /// The device reports less work done than it was given.
    Incomplete {
        /// The material at hand.
        material: Material,
        /// Words that should have been finished.
        expected: u64,
        /// Words that were.
        found: u64,
    },
    /// The verifier on the device found wrong results.
    Wrong {
        /// The material at hand.
        material: Material,
        /// What is wrong, and how often.
        detail: String,
    },
    /// The device's work on a game graph does not add up.
    Graph(String),
    /// The material needs more than the device has.
    TooLarge {
        /// The material.
        material: Material,
        /// What it needs, and what there is.
        detail: String,
    },
    /// A material that this one leads to is not solved yet.
    MissingPart {
        /// The material to build.
        material: Material,
        /// What is missing.
        part: Material,
    },
}

impl GpuError {
    /// Whether the same run can succeed when it is started again from the finished tables.
    pub const fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::DeviceLost(_)
                | Self::OutOfMemory(_)
                | Self::TimedOut { .. }
                | Self::Incomplete { .. }
        )
    }
}

const RESUME: &str =
    "all finished tables are kept; the same command goes on from them, on the CPU with --cpu";

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAdapter => f.write_str(
                "no GPU adapter: wgpu finds no Vulkan, Metal or DirectX 12 driver on this machine\n\
                 run `cargo xtask setup gpu` to install a driver (Debian, Ubuntu: the software one)",
            ),
            Self::UnknownAdapter { wanted, found } => {
                write!(f, "no adapter matches {wanted:?}; there are: ")?;
                for (i, name) in found.iter().enumerate() {
                    write!(f, "{}{i} {name}", if i == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::Unfit { adapter, lacks } => write!(f, "adapter {adapter} cannot be used: {lacks}"),
            Self::Canary { adapter, canary, detail } => write!(
                f,
                "adapter {adapter} computes wrongly and is refused: canary {canary:?}: {detail}"
            ),
            Self::Open(why) => write!(f, "the device could not be opened: {why}"),
            Self::DeviceLost(why) => write!(f, "the device was lost: {why}; {RESUME}"),
            Self::OutOfMemory(what) => write!(
                f,
                "the device's memory is full: {what}; {RESUME}, or with a smaller --memory"
            ),
            Self::Validation(why) => write!(f, "wgpu rejected a command: {why}"),
            Self::TimedOut { seconds } => {
                write!(f, "the device did not finish within {seconds} s; {RESUME}")
            }
            Self::Incomplete { material, expected, found } => write!(
                f,
                "{material}: the device finished {found} of {expected} words; {RESUME}"
            ),
            Self::Wrong { material, detail } => {
                write!(f, "{material}: the results are wrong: {detail}; {RESUME}")
            }
            Self::Graph(detail) => write!(f, "the device's work does not add up: {detail}"),
            Self::TooLarge { material, detail } => write!(f, "{material} is too large: {detail}"),
            Self::MissingPart { material, part } => {
                write!(f, "{material} needs {part}, which is not solved yet")
            }
        }
    }
}

impl core::error::Error for GpuError {}
