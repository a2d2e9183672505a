//! Which vector instructions the loops are compiled for, chosen when the program runs.
//!
//! The loops are plain Rust. Each is compiled once for every path, and the compiler turns it into
//! that path's instructions; so all paths compute the same. `CROWNHEAD_VECTOR` set to `plain`,
//! `avx2` or `avx512` chooses a path that the processor has.

use std::sync::OnceLock;

/// An instruction set that the loops are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum VectorPath {
    /// What every processor of this architecture has (NEON on AArch64).
    Plain,
    /// 256 bits, with BMI and population count.
    Avx2,
    /// 512 bits.
    Avx512,
}

impl VectorPath {
    /// All paths, the slowest first.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Avx2, Self::Avx512];

    /// The word for `CROWNHEAD_VECTOR`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Whether the processor has these instructions.
    pub fn is_available(self) -> bool {
        match self {
            Self::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The path named by `CROWNHEAD_VECTOR` if the processor has it, else the fastest that it has.
    pub fn detect() -> Self {
        static BEST: OnceLock<VectorPath> = OnceLock::new();
        *BEST.get_or_init(|| {
            let wanted = std::env::var("CROWNHEAD_VECTOR").unwrap_or_default();
            let mut paths = Self::ALL.into_iter().filter(|path| path.is_available());
            let named = paths.clone().find(|path| path.name() == wanted);
            named.or(paths.next_back()).unwrap_or(Self::Plain)
        })
    }
}

/// Makes a function that runs a body compiled for the path it is given.
///
/// The body and what it calls must be `#[inline(always)]`, or it keeps the plain instructions.
macro_rules! dispatch {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:path;) => {
        $(#[$meta])*
        $vis fn $name(path: $crate::setwise::vector::VectorPath, $($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx2($($arg: $type),*) {
                $body($($arg),*);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx512($($arg: $type),*) {
                $body($($arg),*);
            }
            debug_assert!(path.is_available());
            match path {
                // SAFETY: a path is chosen only where the processor has its instructions.
                #[cfg(target_arch = "x86_64")]
                $crate::setwise::vector::VectorPath::Avx2 => unsafe { avx2($($arg),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::setwise::vector::VectorPath::Avx512 => unsafe { avx512($($arg),*) },
                _ => $body($($arg),*),
            }
        }
    };
}

pub(super) use dispatch;

#[cfg(test)]
mod tests {
    use super::VectorPath;

    #[inline(always)]
    fn add(to: &mut [u32], from: &[u32], ones: &mut u32) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = to.wrapping_add(*from);
            *ones += to.count_ones();
        }
    }

    dispatch! {
        fn add_by(to: &mut [u32], from: &[u32], ones: &mut u32) = add;
    }

    /// In Miri too (`cargo xtask sanitize`), which has all paths and checks the calls.
    #[test]
    fn every_path_computes_the_same() {
        let here: Vec<_> = VectorPath::ALL.into_iter().filter(|path| path.is_available()).collect();
        assert!(!cfg!(target_feature = "avx512f") || here == VectorPath::ALL, "{here:?}");
        let from: Vec<u32> = (0..75_u32).map(|n| n.wrapping_mul(0x9E37_79B9)).collect();
        // Whole vectors, parts of one, and places that no vector is aligned to.
        for (start, len) in [(0, 64), (1, 64), (3, 17), (0, 75), (5, 0)] {
            let from = &from[start..start + len];
            let right: Vec<u32> = from.iter().map(|n| n.wrapping_add(7)).collect();
            for &path in &here {
                let (mut to, mut ones) = (vec![7; len], 0);
                add_by(path, &mut to, from, &mut ones);
                assert_eq!(to, right, "{}", path.name());
                assert_eq!(ones, right.iter().map(|n| n.count_ones()).sum::<u32>());
            }
        }
    }
}
