use core::fmt::{Debug, Display};
use core::ops::{Add, Div, Mul, Rem, Sub};

/// The unsigned integer in which positions are numbered: `u32`, and `u64` and `u128` with the
/// `wide` feature.
///
/// The narrow one keeps 64-bit arithmetic out of programs for 32-bit cores. Sealed.
pub trait Count:
    sealed::Sealed
    + Copy
    + Ord
    + Debug
    + Display
    + From<u32>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
{
    /// The sum, or `None` when it does not fit.
    fn checked_add(self, other: Self) -> Option<Self>;

    /// The product, or `None` when it does not fit.
    fn checked_mul(self, other: Self) -> Option<Self>;

    /// The low 32 bits.
    fn low(self) -> u32;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! count {
    ($($int:ty),*) => {$(
        impl sealed::Sealed for $int {}
        impl Count for $int {
            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }

            #[inline]
            fn checked_mul(self, other: Self) -> Option<Self> {
                self.checked_mul(other)
            }

            #[inline]
            #[allow(clippy::unnecessary_cast)]
            fn low(self) -> u32 {
                self as u32
            }
        }
    )*};
}

count!(u32);
#[cfg(feature = "wide")]
count!(u64, u128);
