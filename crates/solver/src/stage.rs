//! Where in a material a build is: finer than its events, so that tests can end it anywhere.

use core::fmt;

/// A step of the building of one material, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Captures and promotions of a component, or of a run of positions, are looked up.
    Classify,
    /// Man moves of a component are added.
    Men,
    /// King moves of a component are swept, or the agenda is worked off.
    Sweep,
    /// The values are complete, and counted.
    Finish,
    /// The table's bytes are written under a temporary name.
    Write,
    /// The table gets its name.
    Rename,
    /// The table is entered in the manifest.
    Manifest,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 7] = [
        Self::Classify,
        Self::Men,
        Self::Sweep,
        Self::Finish,
        Self::Write,
        Self::Rename,
        Self::Manifest,
    ];

    /// The stage in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classify => "classify",
            Self::Men => "men",
            Self::Sweep => "sweep",
            Self::Finish => "finish",
            Self::Write => "write",
            Self::Rename => "rename",
            Self::Manifest => "manifest",
        }
    }
}

/// Told at many points of each stage, from any thread.
#[derive(Clone, Copy, Default)]
pub struct Stages<'a>(Option<&'a (dyn Fn(Stage) + Sync)>);

impl<'a> Stages<'a> {
    /// Calls this function.
    pub fn new(tell: &'a (dyn Fn(Stage) + Sync)) -> Self {
        Self(Some(tell))
    }

    /// A point of this stage is reached.
    #[inline]
    pub(crate) fn reach(self, stage: Stage) {
        if let Some(tell) = self.0 {
            tell(stage);
        }
    }
}

impl fmt::Debug for Stages<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stages" } else { "None" })
    }
}
