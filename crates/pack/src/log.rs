/// Fixed-point unit of information: this many parts make a bit.
pub(crate) const BIT: u64 = 1 << 16;

/// Entropies without floating point, so that training gives the same tree on every machine.
pub(crate) struct Logarithms {
    /// `log2(1 + i / 4096)` in parts of a [`BIT`].
    fractions: Vec<u32>,
}

impl Logarithms {
    pub(crate) fn new() -> Self {
        Self { fractions: (0..=4096).map(|i| log2_of_mantissa((4096 + i) << 19)).collect() }
    }

    /// `n * log2(n)` in parts of a [`BIT`], rounded down; `n` below 2^40.
    #[inline]
    pub(crate) fn n_log_n(&self, n: u64) -> u64 {
        if n < 2 {
            return 0;
        }
        let whole = n.ilog2();
        // 12 bits select, the rest interpolates.
        let mantissa = if whole >= 32 { n >> (whole - 32) } else { n << (32 - whole) };
        let rest = mantissa - (1 << 32);
        let (i, part) = ((rest >> 20) as usize, rest & 0xf_ffff);
        let (low, high) = (self.fractions[i], self.fractions[i + 1]);
        let fraction = u64::from(low) + ((u64::from(high - low) * part) >> 20);
        n * (u64::from(whole) * BIT + fraction)
    }

    /// The information in `n` choices of which `ones` are one, in parts of a [`BIT`].
    #[inline]
    pub(crate) fn entropy(&self, n: u64, ones: u64) -> u64 {
        self.n_log_n(n).saturating_sub(self.n_log_n(ones) + self.n_log_n(n - ones))
    }
}

/// `log2(x / 2^31)` in parts of a [`BIT`] for `x` from 2^31 to 2^32, by repeated squaring.
fn log2_of_mantissa(mut x: u64) -> u32 {
    if x >= 1 << 32 {
        return BIT as u32;
    }
    let mut log = 0;
    for _ in 0..16 {
        x = (x * x) >> 31;
        log <<= 1;
        if x >= 1 << 32 {
            x >>= 1;
            log |= 1;
        }
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropies_are_those_of_floating_point() {
        let logs = Logarithms::new();
        for (n, ones) in [(2, 1), (10, 3), (1000, 1), (123_456, 654), (1 << 30, 1 << 20)] {
            let p = ones as f64 / n as f64;
            let exact = -(n as f64) * (p * p.log2() + (1.0 - p) * (1.0 - p).log2());
            let found = logs.entropy(n, ones) as f64 / BIT as f64;
            // Three logarithms, each rounded down to 2^-16, and a table good to as much.
            assert!((found - exact).abs() < 1e-4 * n as f64, "{n} {ones}: {found} {exact}");
        }
        assert_eq!(logs.entropy(1000, 0), 0);
        assert_eq!(logs.entropy(1000, 1000), 0);
    }
}
